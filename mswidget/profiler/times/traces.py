"""The traces of a profile, each rank's read once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from mswidget.profiler.files.locate import (
    RankProfile,
    relative,
    total_size,
    trace_files,
)
from mswidget.profiler.files.trace import Progress, bar, read_trace, step_windows
from mswidget.profiler.times.step_windows import NO_WINDOWS
from mswidget.profiler.times.tasks import task_kind

_SLOW = 64 << 20  # bytes of a trace: above, a bar shows how far it is read
_UNASKED = 128 << 20  # bytes of all traces: above, they are read only on request

_COLUMNS = ("process", "thread", "name", "task_type", "start_ns", "end_ns")
_TASK = ("rank", "device", "task_type", "kind", "start_ns", "end_ns")
_NO_TASKS = pd.DataFrame(columns=_TASK)
NO_EVENTS = pd.DataFrame({column: [] for column in _COLUMNS})


class Traces:
    """The events of all ranks.

    Parameters
    ----------
    sources
        The profiles, of one rank each.
    path
        Files are named by their place below it.
    even_large
        Whether they may be read unasked however long it takes.
    """

    def __init__(
        self, sources: Sequence[RankProfile], path: Path, *, even_large: bool = False
    ) -> None:
        self._sources = sources
        self._path = path
        self._most = math.inf if even_large else _UNASKED
        self._known: dict[int | None, tuple[pd.DataFrame, list[str]]] = {}

    def events(self, rank: int | None) -> tuple[pd.DataFrame, list[str]]:
        """Return a rank's events and notes, as `trace.read_trace` does."""
        if rank not in self._known:
            self._known[rank] = self._read(rank)
        return self._known[rank]

    @property
    def notes(self) -> list[str]:
        """What could not be read of the traces that were asked for so far."""
        return [note for _, notes in self._known.values() for note in notes]

    @property
    def may_be_read(self) -> bool:
        """Whether all may be read unasked: it takes seconds, or the user said so."""
        files = [file for source in self._sources for file in trace_files(source)]
        return total_size(files) <= self._most

    def tasks(self) -> pd.DataFrame:
        """Return the device tasks of all ranks, as `tasks.device_tasks` does."""
        return self._of_all(_tasks, _NO_TASKS)

    def marks(self) -> pd.DataFrame:
        """Return ``rank, step, start_ns, end_ns`` of the steps that are marked."""
        return self._of_all(step_windows, NO_WINDOWS)

    def _of_all(
        self, part: Callable[[pd.DataFrame], pd.DataFrame], none: pd.DataFrame
    ) -> pd.DataFrame:
        ranks = {source.rank for source in self._sources}
        read = {rank: self.events(rank)[0] for rank in ranks}
        parts = [part(e).assign(rank=rank) for rank, e in read.items() if len(e)]
        full = [part for part in parts if len(part)]
        return pd.concat(full, ignore_index=True) if full else none

    def _read(self, rank: int | None) -> tuple[pd.DataFrame, list[str]]:
        sources = [source for source in self._sources if source.rank == rank]
        parts, notes = [], []
        for source in sources:
            for file in trace_files(source):
                events, of_file = read_trace(file, _progress(file))
                notes += [f"{relative(file, self._path)}: {note}" for note in of_file]
                if len(sources) > 1:
                    events = _with_place(events, source)
                if len(events):
                    parts.append(events)
        return pd.concat(parts) if parts else NO_EVENTS, notes


def _tasks(events: pd.DataFrame) -> pd.DataFrame:
    tasks = events[events["task_type"].notna()]
    task_types = tasks["task_type"].astype(object).astype(str)
    return pd.DataFrame(
        {
            "device": np.nan,
            "task_type": task_types,
            "kind": task_types.map(task_kind),
            "start_ns": tasks["start_ns"].astype("int64"),
            "end_ns": tasks["end_ns"].astype("int64"),
        }
    )


def _with_place(events: pd.DataFrame, source: RankProfile) -> pd.DataFrame:
    """Tell events from those of other devices of a rank that nothing names."""
    device, folder = source.device, source.folder.name
    place = folder if device is None else f"device {device}"
    return events.assign(place=pd.Categorical([place]).repeat(len(events)))


def _progress(file: Path) -> Progress | None:
    return bar if file.stat().st_size > _SLOW else None
