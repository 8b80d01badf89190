"""What a user wants to see beside the curves: reference lines, and panels of their own.

They are written as events, so that whoever reads a run draws the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from mswidget.drawing.names import visible
from mswidget.records.record import Event
from mswidget.widget.protocol import Reference

REFERENCE = "reference"
"""The event of a line: ``metric``, ``value``, ``label``."""
PANELS = "panels"
"""The event of panels: ``panels`` maps each panel to its metrics."""
WISHES = (REFERENCE, PANELS)
MOST_REFERENCES = 200


class Wishes:
    """What the events of a run, or of several, say of it."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._references: dict[tuple[str, str], Reference] = {}
        self.panels: dict[str, str] = {}
        """The panel of each metric that has one by wish."""
        for event in events:
            self.take(event)

    @property
    def references(self) -> list[Reference]:
        """The newest lines, oldest first."""
        return list(self._references.values())[-MOST_REFERENCES:]

    def take(self, event: Event) -> None:
        """Note a wish; a line of the same metric and label moves."""
        if event.name == REFERENCE:
            reference = _reference(event.fields)
            if reference is not None:
                self._references[reference["metric"], reference["label"]] = reference
        elif event.name == PANELS:
            self.panels |= _panels(event.fields.get("panels"))

    def put_before(self, events: Iterable[Event]) -> None:
        """Note what was wished before; what is noted already is newer."""
        before = Wishes(events)
        self._references = before._references | self._references
        self.panels = before.panels | self.panels


def reference_fields(metric: object, value: object, label: object) -> dict[str, object]:
    """Return a line's event, checked.

    Raises
    ------
    ValueError
        For a metric or label that is no text, and a value that is no finite number.
    """
    for what, text in (("metric", metric), ("label", label)):
        if not isinstance(text, str):
            raise ValueError(f"{what} must be a text; found {text!r}")  # noqa: TRY004
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"value must be a finite number; found {value!r}")
    return {"metric": metric, "value": number, "label": label}


def check_panels(panels: object) -> dict[str, list[str]]:
    """Return panels as their event has them.

    Raises
    ------
    ValueError
        Unless names of panels are mapped to lists of names of metrics.
    """
    expected = "expected such as {'loss': ['loss', 'eval/loss']}"
    if not isinstance(panels, Mapping):
        message = f"panels={panels!r}: {expected}"
        raise ValueError(message)  # noqa: TRY004 - as for the other options
    checked: dict[str, list[str]] = {}
    for panel, metrics in panels.items():
        if not (isinstance(panel, str) and panel and _are_names(metrics)):
            raise ValueError(f"panels: found {panel!r}: {metrics!r}; {expected}")
        checked[panel] = list(metrics)
    return checked


def _are_names(metrics: object) -> bool:
    return isinstance(metrics, list | tuple) and all(
        isinstance(name, str) for name in metrics
    )


def _reference(fields: Mapping[str, object]) -> Reference | None:
    """Return a line as the page draws it; None where somebody else wrote the event."""
    metric, label = fields.get("metric"), fields.get("label", "")
    try:
        found = reference_fields(metric, fields.get("value"), label)
    except ValueError:
        return None
    value = float(found["value"])  # type: ignore[arg-type]
    return {
        "metric": str(metric),
        "value": value,
        "label": visible(str(label)) if label else "",
    }


def _panels(panels: object) -> dict[str, str]:
    try:
        checked = check_panels(panels)
    except ValueError:
        return {}
    return {name: panel for panel, names in checked.items() for name in names}
