"""Values in a line: those that matter most, with their names."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping

from mswidget.drawing.names import shown
from mswidget.metrics import describe, in_order

VALUES = 10
"""A line holds so many."""
NAME = 60
"""And of a name so many characters."""
_PANELS = ("loss", "parts", "lr", "grad_norm", "throughput", "evaluation", "other")
_UNITS = {
    "samples_per_s": "samples/s",
    "tokens_per_s": "tokens/s",
    "tflops_per_npu": "TFLOP/s per NPU",
}
_LEFT_OUT = ("step_time_ms", "data_time_ms")


def caption(values: Mapping[str, float]) -> list[str]:
    """Return each value with its name, in the order of the panels."""
    names = [name for name in in_order(values) if panel_in_line(name)]
    kept = {name: values[name] for name in names[:VALUES]}
    texts = [_value(n, text, values[n]) for n, text in in_line(kept).items()]
    more = len(names) - len(texts)
    return [*texts, f"(+{more})"] if more else texts


def in_line(names: Collection[str]) -> dict[str, str]:
    """Return how each metric is called in a line."""
    short = {name: _part(name, names) for name in names}
    texts = shown(short.values(), NAME)
    return {name: texts[part] for name, part in short.items()}


def _part(name: str, names: Collection[str]) -> str:
    part = name.removeprefix("loss/")
    return name if part in ("", *names) else part


@functools.cache
def panel_in_line(name: str) -> str | None:
    """Return the panel of what a line may hold; of the others there are too many."""
    panel = describe(name).panel
    return panel if panel in _PANELS and name not in _LEFT_OUT else None


def _value(name: str, text: str, value: float) -> str:
    number = f"{value:.4g}".replace("nan", "NaN")
    if name in _UNITS:
        return f"{number} {_UNITS[name]}"
    return f"{text} {number}"
