"""Values in a line: those that matter most, with their names."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from mswidget.metrics import describe

VALUES = 10
"""A line holds so many."""
_PANELS = ("loss", "parts", "lr", "grad_norm", "throughput", "evaluation", "other")
_UNITS = {
    "samples_per_s": "samples/s",
    "tokens_per_s": "tokens/s",
    "tflops_per_npu": "TFLOP/s per NPU",
}
_LEFT_OUT = ("step_time_ms", "data_time_ms", "watch_time_ms")


def caption(values: Mapping[str, float]) -> list[str]:
    """Return each value with its name, in the order of the panels."""
    panels = {name: panel_in_line(name) for name in values}
    names = [name for panel in _PANELS for name in panels if panels[name] == panel]
    texts = [_value(name, values[name]) for name in names[:VALUES]]
    more = len(names) - len(texts)
    return [*texts, f"(+{more})"] if more else texts


@functools.cache
def panel_in_line(name: str) -> str | None:
    """Return the panel of what a line may hold; of the others there are too many."""
    panel = describe(name).panel
    return panel if panel in _PANELS and name not in _LEFT_OUT else None


def _value(name: str, value: float) -> str:
    number = f"{value:.4g}".replace("nan", "NaN")
    if name in _UNITS:
        return f"{number} {_UNITS[name]}"
    return f"{name.removeprefix('loss/')} {number}"
