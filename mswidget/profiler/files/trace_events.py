"""Events of a trace, one after the other -> columns that take little memory."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from numpy.typing import NDArray

from mswidget.profiler.files import cells
from mswidget.profiler.tables.spec import Column

Lane = tuple[str, ...]
"""Process and thread."""

_BATCH = 50_000  # events that are held as Python objects
_TEXTS = ("lane", "name", "task_type")
# How much of a lane, which is a process and a thread, each event names.
_NAMING = {"process_name": 1, "thread_name": 2}
_NEVER = np.iinfo(np.int64).min
_TIME = Column("time", "time", "ns", written_in="us")


class EventColumns:
    """The columns of the events so far: 28 bytes an event."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[Hashable, int]] = {c: {} for c in _TEXTS}
        self._codes = {column: array("i") for column in _TEXTS}
        self._lane_names: dict[Lane, str] = {}
        self._batch: list[tuple[str, str]] = []
        self._starts: list[NDArray[np.int64]] = []
        self._ends: list[NDArray[np.int64]] = []

    def add(self, event: Mapping[str, Any]) -> None:
        """Take an event with a duration."""
        arguments = event.get("args")
        known = arguments if isinstance(arguments, dict) else {}
        values = _lane(event), str(event.get("name", "")), known.get("Task Type")
        for column, value in zip(_TEXTS, values, strict=True):
            numbers = self._numbers[column]
            text = value if isinstance(value, tuple) or value is None else str(value)
            self._codes[column].append(numbers.setdefault(text, len(numbers)))
        self._batch.append((str(event.get("ts", "")), str(event.get("dur", ""))))
        if len(self._batch) == _BATCH:
            self._convert()

    def name_lane(self, event: Mapping[str, Any]) -> None:
        """Take the name of a process or a thread, which may come after its events."""
        kind, arguments = str(event.get("name")), event.get("args")
        if kind in _NAMING and isinstance(arguments, dict):
            lane = _lane(event)[: _NAMING[kind]]
            self._lane_names[lane] = str(arguments.get("name", ""))

    def frame(self) -> tuple[pd.DataFrame, int]:
        """Return the events, and how many are left out since they have no time."""
        self._convert()
        starts, ends = _joined(self._starts), _joined(self._ends)
        lanes: list[Lane] = list(self._numbers["lane"])  # type: ignore[arg-type]
        names = self._lane_names
        columns = {
            "process": self._named("lane", [names.get(k[:1], k[0]) for k in lanes]),
            "thread": self._named("lane", [names.get(k, k[1]) for k in lanes]),
            "name": self._named("name", list(self._numbers["name"])),
            "task_type": self._named("task_type", list(self._numbers["task_type"])),
            "start_ns": starts,
            "end_ns": ends,
        }
        events = pd.DataFrame(columns, copy=False)
        good = (starts != _NEVER) & (ends != _NEVER)
        # A filter copies everything, and nearly always there is nothing to drop.
        if good.all():
            return events, 0
        return events[good].reset_index(drop=True), int((~good).sum())

    def _convert(self) -> None:
        rows = pl.DataFrame(self._batch, schema=["ts", "dur"], orient="row")
        rows = rows.cast(pl.String)
        start, length = (
            cells.value(pl.col(name), name, _TIME) for name in ("ts", "dur")
        )
        end = pl.when(length >= 0).then(start + length)
        times = rows.select(start=start, end=end).fill_null(_NEVER)
        self._starts.append(times["start"].to_numpy())
        self._ends.append(times["end"].to_numpy())
        self._batch.clear()

    def _named(self, column: str, texts: Sequence[Hashable]) -> pd.Categorical:
        """Return a column of texts; two lanes may share a name."""
        names = sorted({str(text) for text in texts if text is not None})
        place = {name: at for at, name in enumerate(names)}
        new = [-1 if text is None else place[str(text)] for text in texts]
        old = np.frombuffer(self._codes[column], dtype=np.int32)
        return pd.Categorical.from_codes(np.array(new, np.int32)[old], pd.Index(names))


def _lane(event: Mapping[str, Any]) -> tuple[str, str]:
    return str(event.get("pid", "")), str(event.get("tid", ""))


def _joined(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Join arrays and let go of them: a long trace is in memory once."""
    joined = np.concatenate(parts)
    parts.clear()
    return joined
