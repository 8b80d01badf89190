"""Logs of any tool, by a regular expression of the user's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mswidget.importers.formats.found import (
    EpochStep,
    Fact,
    Format,
    Found,
    Number,
    Point,
)
from mswidget.importers.formats.lines import format_of, number, numbers, time_of

_PLACES = ("step", "epoch", "steps_per_epoch", "rank", "timestamp")


class Pattern:
    """Reads the lines in which a regular expression with named groups is found.

    Groups become metrics; ``__`` in a name stands for ``/``, as in ``loss__bbox``.
    ``step``, ``epoch``, ``steps_per_epoch``, ``rank`` and ``timestamp`` say where a
    value stands: with ``epoch`` and ``steps_per_epoch``, a step within its epoch; with
    ``epoch`` alone if the steps begin again in each. Without ``step`` the lines are
    counted.
    """

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self._lines = 0

    def __call__(self, line: str) -> Sequence[Found] | None:
        """Return what a line says; None when the pattern is not in it."""
        match = self._pattern.search(line)
        if match is None:
            return None
        self._lines += 1
        groups = {k: v for k, v in match.groupdict().items() if v is not None}
        values = {
            name.replace("__", "/"): value
            for name, value in groups.items()
            if name not in _PLACES
        }
        return self._items(groups, numbers(values))

    def _items(
        self, groups: Mapping[str, str], values: dict[str, float | Number]
    ) -> list[Found]:
        step = _whole(groups.get("step", self._lines))
        epoch, in_epoch = (_whole(groups.get(n)) for n in ("epoch", "steps_per_epoch"))
        if step is None or not values:
            return []
        facts = [] if in_epoch is None else [Fact({"steps_per_epoch": in_epoch})]
        place: int | EpochStep = step
        if epoch is not None and "step" in groups and min(epoch, step) >= 0:
            sure = in_epoch is not None
            place = EpochStep(epoch, step, in_epoch, sure=sure)
        rank = _whole(groups.get("rank"))
        time_s = _time(groups.get("timestamp"))
        counted = epoch if isinstance(place, int) else None
        return [*facts, Point(place, values, counted, time_s, rank)]


def _time(text: str | None) -> float | None:
    if text is None:
        return None
    seconds = number(text) if re.fullmatch(r"\s*[\d.]+\s*", text) else None
    return time_of(text)[0] if seconds is None else float(seconds)


def _whole(text: str | int | None) -> int | None:
    match = re.fullmatch(r"\s*(-?\d{1,15})\s*", str(text))
    return int(match[1]) if match else None


def format_by(pattern: str) -> Format:
    """Return the format of the lines that a regular expression finds.

    Raises
    ------
    ValueError
        When it is no regular expression, or names no group for a value.
    """
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        message = f"pattern {pattern!r} is no regular expression: {error}"
        raise ValueError(message) from error
    if not set(compiled.groupindex) - set(_PLACES):
        raise ValueError(
            f"pattern {pattern!r} names no value: write groups such as "
            r"(?P<step>\d+) and (?P<loss>\S+)"
        )
    return format_of("lines of a pattern", f"`{pattern}`", lambda: Pattern(compiled))
