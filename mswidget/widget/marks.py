"""What happened to a run, as the page marks and lists it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from mswidget.drawing.names import shown
from mswidget.records.alert import ALERT, Alert
from mswidget.records.record import Event
from mswidget.records.shared_notes import rank_words
from mswidget.widget.protocol import AlertInfo, Mark
from mswidget.widget.wishes import WISHES

MARKS = 200
"""So many of a kind, at most, are sent of a run."""
_NAME = 16  # characters; a label has no room for more
BEGIN = "train_begin"
NO_NUMBER = "no_number"
"""The event of a value that was logged and is no number."""


def event_mark(event: Event, track: str) -> Mark:
    """Return an event as it stands across the panels."""
    mark: Mark = {
        "step": event.step,
        "wall_time_s": event.wall_time_s,
        "kind": event.name,
        "text": "",
        "track": track,
    }
    if event.name == NO_NUMBER:
        metric = str(event.fields.get("metric", ""))
        text = f"{shown([metric], _NAME)[metric]}: no number"
        return {**mark, "text": text, "metric": metric}
    if event.name == BEGIN:
        return {**mark, "text": f"attempt {event.attempt.removeprefix('a')}"}
    told = ((k, v) for k, v in event.fields.items() if not isinstance(v, Mapping))
    text = ", ".join(f"{key} {value}" for key, value in told if str(value))
    return {**mark, "text": text}


def event_marks(events: Sequence[Event], track: str) -> list[Mark]:
    """Return the newest events of each kind, of all attempts."""
    count: Counter[str] = Counter()
    kept = []
    told = (event for event in events if event.name not in WISHES)
    for event in reversed(_attempts_once(told)):
        count[event.name] += 1
        if count[event.name] <= MARKS:
            kept.append(event_mark(event, track))
    return kept[::-1]


def _attempts_once(events: Iterable[Event]) -> list[Event]:
    """Leave out the later begins of an attempt: each call of train has one."""
    begun: set[str] = set()
    kept = []
    for event in events:
        if event.name != BEGIN or event.attempt not in begun:
            kept.append(event)
        if event.name == BEGIN:
            begun.add(event.attempt)
    return kept


def alert_mark(alert: Alert, track: str) -> Mark:
    """Return an alert as it stands on the curves."""
    return {
        "step": alert.step,
        "wall_time_s": alert.wall_time_s,
        "kind": ALERT,
        "text": alert.kind,
        "metric": alert.metric,
        "track": track,
    }


def alert_info(alert: Alert, track: str, ranks: Sequence[int] = ()) -> AlertInfo:
    """Return an alert as the page lists it, with its ranks where they are several."""
    whose = f"{rank_words(ranks)}: " if len(ranks) > 1 else ""
    return {
        "rule": alert.rule,
        "step": alert.step,
        "wall_time_s": alert.wall_time_s,
        "rank": alert.rank,
        "severity": alert.severity,
        "metric": alert.metric,
        "message": whose + alert.title,
        "advice": alert.advice,
        "track": track,
    }
