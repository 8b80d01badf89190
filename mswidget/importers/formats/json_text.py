"""JSON of other tools, in which numbers keep the digits that were written."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence

from mswidget.importers.formats.found import Number
from mswidget.importers.formats.lines import time_of

_NONFINITE = re.compile(r"[-+]?(nan|inf(inity)?)", re.IGNORECASE)
_MILLISECONDS = 1e11
_EARLIEST_S = 1e9
"""A number below is no time of a log: seconds since a training began, or of a step."""
_DEEPEST = 20
_TRANSPARENT = ("metrics", "nonfinite")
"""As mswidget's own lines have them: what is in them has its own name."""
_NAMES = {"learning_rate": "lr", "total_loss": "loss"}
DECODER = json.JSONDecoder(
    parse_float=Number, parse_int=Number, parse_constant=Number, strict=False
)


def read_object(text: str) -> dict[str, object] | None:
    """Return the JSON object that a line is, None when it is none."""
    start = text.find("{")
    if start < 0:
        return None
    try:
        value, _ = DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def flat(
    values: Mapping[str, object], prefix: str = "", depth: int = 0
) -> Iterator[tuple[str, float]]:
    """Yield the numbers of an object, those of objects in it with their path.

    They are exact: JSON has full numbers, where a line of text has rounded ones.
    """
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and depth < _DEEPEST:
            inner = "" if name in _TRANSPARENT else f"{name}/"
            yield from flat(value, inner, depth + 1)
        elif (number := to_number(value)) is not None:
            yield _NAMES.get(name, name), float(number)


def to_number(value: object) -> Number | None:
    """Return a JSON value as a number; None when it is none."""
    if isinstance(value, Number):
        return value
    if isinstance(value, bool):
        return Number(int(value))
    is_word = isinstance(value, str) and _NONFINITE.fullmatch(value.strip())
    return Number(str(value).strip()) if is_word else None


def to_step(value: object) -> int | None:
    """Return a whole number; None when it is none."""
    number = to_float(value)
    return int(number) if number is not None and abs(number) < 2**53 else None


def to_float(value: object) -> float | None:
    """Return a finite number; None when it is none."""
    number = float(value) if isinstance(value, Number) else math.nan
    return number if math.isfinite(number) else None


def to_epoch(value: object) -> int | None:
    """Return the epoch, from 1, that a share of epochs lies in: 0.5 and 1.0 in 1."""
    whole = to_step(value)
    return None if whole is None else max(1, math.ceil(float(str(value))))


def to_time(values: Mapping[str, object], keys: Sequence[str]) -> float | None:
    """Return the Unix time under the first of some keys that tells one."""
    for key in keys:
        value = values.get(key)
        time_s = to_float(value)
        if time_s is not None and abs(time_s) >= _EARLIEST_S:
            return time_s / 1000 if time_s > _MILLISECONDS else time_s
        if isinstance(value, str) and (time_s := time_of(value)[0]) is not None:
            return time_s
    return None
