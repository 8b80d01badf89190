"""`load_profile`: a path -> tables, read when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from mswidget.profiler.files.column_buffers import Columns, repeated
from mswidget.profiler.files.frames import join, length, read_unknown
from mswidget.profiler.files.groups import with_ranks
from mswidget.profiler.files.locate import RankProfile, files_of, find_sources, relative
from mswidget.profiler.files.rows import no_rows
from mswidget.profiler.files.table_file import read_table
from mswidget.profiler.findings.bottlenecks import find_bottlenecks, unjudged
from mswidget.profiler.findings.finding import Evidence, Finding
from mswidget.profiler.findings.step import Step, step_of
from mswidget.profiler.inventory import (
    is_read_for_report,
    tables_of,
    take_inventory,
)
from mswidget.profiler.missing import why_missing
from mswidget.profiler.report import Report
from mswidget.profiler.tables.catalog import TABLES
from mswidget.profiler.tables.spec import Table
from mswidget.profiler.times.kernels import kernel_table, op_times
from mswidget.profiler.times.step_times import step_times, unsplit
from mswidget.profiler.times.step_windows import NO_WINDOWS
from mswidget.profiler.times.table_lookup import table_with_columns
from mswidget.profiler.times.tasks import device_tasks, task_times
from mswidget.profiler.times.traces import Traces

if TYPE_CHECKING:
    from mswidget.profiler.pictures.profile_pictures import Pictures


def load_profile(path: str | Path, *, large_traces: bool = False) -> Profile:
    """Open an Ascend profile: a run, a rank, an output folder, or one file.

    Tables are read when they are asked for; nothing is ever written. ``print(profile)``
    says what was found, and why each missing table is missing.

    Parameters
    ----------
    path
        The folder or file.
    large_traces
        Split the free time of steps also where that takes reading more than 128 MB of
        traces: half a minute for 1 GB.

    >>> profile = load_profile("profiler_output")  # doctest: +SKIP
    >>> profile["kernel_details"]  # doctest: +SKIP

    Raises
    ------
    FileNotFoundError
        When the path does not exist.
    """
    place = Path(path).expanduser()
    if not place.exists():
        raise FileNotFoundError(f"{place}: the path does not exist")
    return Profile(place, find_sources(place), large_traces=large_traces)


class Profile(Mapping[str, "pd.DataFrame"]):
    """The tables of one profile, of all its ranks, by the stems of Ascend's files.

    Columns are in snake_case with the unit last. Times (``_ns``) are exact int64
    nanoseconds, Int64 where some are missing; text is categories. ``rank`` and
    ``device`` come first. Columns that are not known keep their name.
    """

    def __init__(
        self, path: Path, sources: list[RankProfile], *, large_traces: bool = False
    ) -> None:
        self.path = path
        self.sources = tuple(sources)
        self.traces = Traces(sources, path, even_large=large_traces)
        self._files = tables_of(sources)
        self._frames: dict[str, pd.DataFrame] = {}
        self._notes: dict[Path, list[str]] = {}

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables that there are files of."""
        return tuple(self._files)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks that have a profile, in order."""
        return tuple(s.rank for s in self.sources if s.rank is not None)

    @cached_property
    def step_times(self) -> pd.DataFrame:
        """Where the time of each step and rank went; see `times.step_times`.

        Traces of up to 128 MB are read for it, or all if ``large_traces`` was set: for
        the windows of the steps, and for copies and waits without ``task_time``.
        """
        return step_times(self, self._tasks, self._marks)

    @cached_property
    def _tasks(self) -> pd.DataFrame:
        tasks = device_tasks(self)
        return self.traces.tasks() if tasks.empty and self.traces.may_be_read else tasks

    @cached_property
    def _marks(self) -> pd.DataFrame:
        return self.traces.marks() if self.traces.may_be_read else NO_WINDOWS

    @cached_property
    def op_times(self) -> pd.DataFrame:
        """The time of each operator type; see `kernels.op_times`."""
        return op_times(self)

    @cached_property
    def task_times(self) -> pd.DataFrame:
        """The time of each type of device task; see `tasks.task_times`."""
        return task_times(self._tasks)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What makes the steps slow, the largest first, each with its evidence."""
        return find_bottlenecks(
            Evidence(
                self.step_times,
                self.op_times,
                kernel_table(self),
                table_with_columns(self, "communication", ()),
            )
        )

    def step(self, number: int) -> Step:
        """Return one step: its times, kernels, tasks, findings and timeline.

        Raises
        ------
        ValueError
            When the profile does not hold it; it names the steps that there are.
        """
        draw = self.figures.timeline
        return step_of(number, self, self.step_times, self._tasks, self._marks, draw)

    @cached_property
    def figures(self) -> Pictures:
        """The pictures, as plotly.py figures; see `profile_pictures.Pictures`."""
        # Only who draws pays for plotly.
        from mswidget.profiler.pictures.profile_pictures import Pictures  # noqa: PLC0415

        return Pictures(self)

    def show(self) -> None:
        """Display findings, pictures and tables below the cell."""
        from mswidget.profiler.pictures.view import show  # noqa: PLC0415

        show(self)

    @property
    def report(self) -> Report:
        """What was found, what is missing and why.

        It reads the tables of less than 64 MB and at most 100 files.
        """
        for name, files in self._files.items():
            if is_read_for_report(files):
                self[name]
        notes = list(self._notes_of_tables())  # of traces too, as they are read for it
        return take_inventory(self.path, self.sources, self._frames, notes, self.traces)

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._frames:
            self._frames[name] = self._read(self._known(name))
        return self._frames[name]

    def __contains__(self, name: object) -> bool:
        return name in self.tables

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __repr__(self) -> str:
        return str(self.report)

    def _repr_html_(self) -> str:
        return self.report._repr_html_()

    def _known(self, name: str) -> Table:
        if name in self.tables:
            return _table(name)
        if self.path.is_file() or name not in {table.stem for table in TABLES}:
            there = ", ".join(self.tables) or "none"
            raise KeyError(f"{name}: no such table; there are: {there}")
        reasons = {why_missing(_table(name), source) for source in self.sources}
        raise KeyError(f"{name}: {'; '.join(sorted(reasons)) or 'nothing was found'}")

    def _read(self, table: Table) -> pd.DataFrame:
        joined = join(
            [
                _with_rank(
                    with_ranks(self._read_file(file, table), source.groups),
                    source,
                    relative(source.folder, self.path),
                )
                for source in self.sources
                for file in files_of(source, table)
            ]
        )
        if len(self.sources) == 1 or joined["rank"].notna().all():
            del joined["folder"]
        return read_unknown(joined, table)

    def _read_file(self, file: Path, table: Table) -> Columns:
        columns, self._notes[file] = read_table(file, table)
        return columns or no_rows(table)

    def _notes_of_tables(self) -> Iterator[str]:
        """Yield what was noted of the tables that were read."""
        for file, notes in self._notes.items():
            yield from (f"{relative(file, self.path)}: {note}" for note in notes)
        if not {"kernel_details", "op_summary"}.isdisjoint(self._frames):
            yield from unsplit(self.step_times)
            yield from unjudged(kernel_table(self))


def _table(name: str) -> Table:
    return next(table for table in TABLES if table.stem == name)


def _with_rank(columns: Columns, source: RankProfile, folder: str) -> Columns:
    """Put rank and device in front; those that a file names are the better ones."""
    count = length(columns)
    places = {
        "rank": columns.get("rank", repeated(source.rank, count)),
        "device": columns.get("device", repeated(source.device, count)),
        "folder": pd.Categorical([folder]).repeat(count),
    }
    others = {name: cells for name, cells in columns.items() if name not in places}
    return places | others
