"""A record of one step, an event, and the JSON line of each."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

RESERVED = frozenset(
    ("step", "epoch", "timestamp", "rank", "attempt", "event", "metrics", "nonfinite")
)
# json.dumps would make an encoder for each line.
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
NONFINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


@dataclass(frozen=True)
class Record:
    """What one rank logged at one step.

    ``step`` counts optimizer steps from 1 through the whole training,
    ``wall_time_s`` is Unix time, ``values`` are float64 by metric name.
    """

    step: int
    wall_time_s: float
    rank: int
    attempt: str
    values: Mapping[str, float]
    epoch: int | None = None


@dataclass(frozen=True)
class Event:
    """Something that happened to a run: ``name`` is ``train_begin``, ``eval``, ..."""

    name: str
    step: int
    wall_time_s: float
    rank: int
    attempt: str
    epoch: int | None = None
    fields: Mapping[str, object] = field(default_factory=dict)


def to_line(item: Record | Event) -> str:
    """Return the line of ``rank_<r>.jsonl`` for an item, with its line end.

    It is strict JSON: a value that is not finite stands as ``null`` under its name
    and by its kind under ``nonfinite``, so that a column of numbers stays one.

    Raises
    ------
    Exception
        Any, when an event's fields are objects that cannot be said as text.
    """
    # A step that was counted by numpy is no number to json.
    line: dict[str, object] = {"step": int(item.step)}
    if item.epoch is not None:
        line["epoch"] = int(item.epoch)
    line |= {"timestamp": item.wall_time_s, "rank": item.rank, "attempt": item.attempt}
    line |= _values(item) if isinstance(item, Record) else _fields(item)
    return _encode(line) + "\n"


def from_line(text: str) -> Record | Event:
    """Return what one line says.

    Raises
    ------
    ValueError
        When the line is no JSON object of this format; the message says why.
    """
    try:
        line = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(line, dict):
        message = f"expected a JSON object, found {type(line).__name__}"
        raise ValueError(message)  # noqa: TRY004 - one error type for bad lines
    try:
        return _item(line)
    except (KeyError, TypeError, OverflowError) as error:
        message = f"no record: {error!r}"
        raise ValueError(message) from error


def kind_of(value: float) -> str:
    """Return ``NaN``, ``Infinity`` or ``-Infinity`` for a value that is not finite."""
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _values(record: Record) -> dict[str, object]:
    plain: dict[str, object] = {}
    clashing: dict[str, object] = {}
    nonfinite: dict[str, str] = {}
    for name, value in record.values.items():
        finite = math.isfinite(value)
        (clashing if name in RESERVED else plain)[name] = value if finite else None
        if not finite:
            nonfinite[name] = kind_of(value)
    if clashing:
        plain["metrics"] = clashing
    if nonfinite:
        plain["nonfinite"] = nonfinite
    return plain


def _fields(event: Event) -> dict[str, object]:
    known = {k: v for k, v in event.fields.items() if k not in RESERVED}
    return {"event": event.name, **_strict(known)}


def _strict(value: object) -> dict[str, object]:
    """Return a JSON object in which what JSON cannot say stands as text."""
    text = json.dumps(value, ensure_ascii=False, default=str, skipkeys=True)
    plain: dict[str, object] = json.loads(text, parse_constant=str)
    return plain


def _item(line: dict[str, object]) -> Record | Event:
    epoch = line.get("epoch")
    common = {
        "step": int(line["step"]),  # type: ignore[call-overload]
        "wall_time_s": float(line["timestamp"]),  # type: ignore[arg-type]
        "rank": int(line.get("rank", 0)),  # type: ignore[call-overload]
        "attempt": str(line.get("attempt", "a1")),
        "epoch": None if epoch is None else int(epoch),  # type: ignore[call-overload]
    }
    if "event" in line:
        fields = {k: v for k, v in line.items() if k not in RESERVED}
        return Event(name=str(line["event"]), fields=fields, **common)
    return Record(values=_numbers(line), **common)


def _numbers(line: dict[str, object]) -> dict[str, float]:
    values = {k: v for k, v in line.items() if k not in RESERVED}
    clashing = line.get("metrics", {})
    nonfinite = line.get("nonfinite", {})
    if not isinstance(clashing, dict) or not isinstance(nonfinite, dict):
        message = "metrics and nonfinite must be objects"
        raise TypeError(message)
    values |= clashing
    values |= {name: NONFINITE[kind] for name, kind in nonfinite.items()}
    return {k: float(v) for k, v in values.items() if isinstance(v, int | float)}
