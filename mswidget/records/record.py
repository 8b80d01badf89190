"""A record of one step, an event, and the JSON line of each."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

RESERVED = frozenset(
    ("step", "epoch", "timestamp", "rank", "attempt", "event", "metrics", "nonfinite")
)
# json.dumps would make an encoder for each line.
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
# In a tenth of the time; it asks what numpy's float64 is.
_encode_numbers = msgspec.json.Encoder(enc_hook=float).encode
NONFINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class Record(NamedTuple):
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
    if isinstance(item, Record):
        return _record_line(item)
    line: dict[str, object] = {"step": int(item.step), **_epoch(item.epoch)}
    line |= {"timestamp": item.wall_time_s, "rank": item.rank, "attempt": item.attempt}
    return _encode(line | _fields(item)) + "\n"


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


def _record_line(record: Record) -> str:
    values = record.values
    names, line = _layout(tuple(values), record.epoch, record.rank, record.attempt)
    # A step that was counted by numpy is no number to json.
    step = int(record.step)
    texts = _texts([step, record.wall_time_s, *map(values.__getitem__, names)])
    if "null" not in texts:
        return line % (*texts, "")
    if not math.isfinite(record.wall_time_s):
        raise ValueError(f"timestamp {record.wall_time_s} is no time")
    kinds = {n: kind_of(v) for n, v in values.items() if not math.isfinite(v)}
    return line % (*texts, f', "nonfinite": {_encode(kinds)}')


# What records with the same metrics have in common is made once.
@functools.lru_cache(maxsize=32)
def _layout(
    names: tuple[str, ...], epoch: int | None, rank: int, attempt: str
) -> tuple[Sequence[str], str]:
    """Return the names as they follow in a line, and the line.

    It has gaps for the step, the time, a value for each name, and what else to say.
    """
    plain = [name for name in names if name not in RESERVED]
    clashing = [name for name in names if name in RESERVED]
    metrics = f', "metrics": {{{_gaps(clashing)[2:]}}}' if clashing else ""
    known = "".join(f', "epoch": {number}' for number in _epoch(epoch).values())
    who = _encode({"rank": rank, "attempt": attempt})[1:-1].replace("%", "%%")
    return [*plain, *clashing], (
        f'{{"step": %s{known}, "timestamp": %s, {who}{_gaps(plain)}{metrics}%s}}\n'
    )


def _gaps(names: Iterable[str]) -> str:
    keys = (_encode(name).replace("%", "%%") for name in names)
    return "".join(f", {key}: %s" for key in keys)


def _texts(numbers: Sequence[float]) -> Sequence[str]:
    """Return finite numbers as `repr` spells them, which takes long; else ``null``."""
    text = _encode_numbers(numbers).decode()[1:-1]
    texts = text.split(",")
    if "e" in text or "0.0000" in text:  # the only ones that are spelled otherwise
        return [repr(float(t)) if "e" in t or "0.0000" in t else t for t in texts]
    return texts


def _epoch(epoch: int | None) -> dict[str, object]:
    return {} if epoch is None else {"epoch": int(epoch)}


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
