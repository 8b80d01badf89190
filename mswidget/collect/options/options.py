"""What a user gave to `TrainMonitor`, checked before anything trains."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mswidget.alerts.options import AlertOptions
from mswidget.collect.options.tokens import Tokens
from mswidget.collect.options.weight_options import WeightOptions
from mswidget.collect.outputs.naming import LAYOUTS
from mswidget.run.checkpoint import Save
from mswidget.run.screen import Display
from mswidget.run.session import Panels, Read


@dataclass(frozen=True)
class Options:
    """What the user wants to know of a training; see `TrainMonitor`."""

    name: str | None
    log_dir: Path
    log_interval: int
    parts: Sequence[str] | None
    outputs: Sequence[str] | str | None
    config: Mapping[str, object]
    display: Display
    tokens: Tokens
    weights: WeightOptions
    start_step: int | None
    resume: bool
    read: Read
    save: Save | None
    panels: Panels
    alerts: AlertOptions


def check_keywords(unknown: Iterable[str], known: Sequence[str]) -> None:
    """Raise ``TypeError`` for a keyword that does not exist, naming those that do."""
    for name in unknown:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        message = f"TrainMonitor has no option {name!r}.{hint} It has: "
        raise TypeError(message + ", ".join(known))


def check_count(name: str, value: object, *, least: int) -> None:
    """Raise ``ValueError`` unless a value is an int of at least ``least``."""
    if type(value) is not int or value < least:
        message = f"{name} must be a whole number of at least {least}; found {value!r}"
        raise ValueError(message)


def check_parts(parts: object) -> None:
    """Raise ``ValueError`` unless ``parts`` is a sequence of names."""
    if not _are_names(parts):
        raise ValueError(
            "parts must be a list of names, such as ['ce', 'bbox'], or None to number "
            f"them; found {parts!r}"
        )


def check_outputs(outputs: object, parts: object) -> None:
    """Raise ``ValueError`` unless ``outputs`` is a list of names or a known layout."""
    if parts is not None:
        raise ValueError("give parts or outputs, not both: each names the same values")
    if isinstance(outputs, str) and outputs in LAYOUTS:
        return
    if not _are_names(outputs):
        raise ValueError(
            "outputs must be a list of metric names, such as ['loss', 'grad_norm'], "
            f"one of {', '.join(map(repr, LAYOUTS))}, or None to find out; found "
            f"{outputs!r}"
        )


def _are_names(value: object) -> bool:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return False
    return len(value) > 0 and all(isinstance(name, str) for name in value)
