"""The report of a profile: what was read so far, what there is, what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd

from mswidget.profiler.files.locate import (
    RankProfile,
    files_of,
    relative,
    total_size,
    trace_files,
)
from mswidget.profiler.missing import missing_everywhere, source_notes
from mswidget.profiler.report import Found, Report, describe
from mswidget.profiler.tables.catalog import TABLES
from mswidget.profiler.times.traces import Traces

# A report must not take minutes.
_SIZE = 64 << 20  # bytes of a table
_FILES = 100  # of a table


def tables_of(sources: Sequence[RankProfile]) -> dict[str, list[Path]]:
    """Return the names of the tables that there are files of, and the files."""
    files_of_tables = {
        table.stem: [file for source in sources for file in files_of(source, table)]
        for table in TABLES
    }
    return {name: files for name, files in files_of_tables.items() if files}


def is_read_for_report(files: Sequence[Path]) -> bool:
    """Whether a table is read to say how long it is and what is broken in it."""
    return len(files) <= _FILES and total_size(files) < _SIZE


def take_inventory(
    path: Path,
    sources: Sequence[RankProfile],
    frames: Mapping[str, pd.DataFrame],
    notes: Iterable[str],
    traces: Traces,
) -> Report:
    """Return the report.

    Parameters
    ----------
    path
        As it was given.
    sources
        What lies there.
    frames
        The tables that were read so far.
    notes
        What was noted of them.
    traces
        What was noted of those that were read is in the report too.
    """
    tables = tables_of(sources)
    there = [
        Found(name, _size(frames.get(name)), _named(files, path))
        for name, files in tables.items()
    ]
    if files := [file for source in sources for file in trace_files(source)]:
        size = f"{total_size(files) / 1e3:,.0f} kB"
        there.append(Found("timeline", size, _named(files, path)))
    unread = [name for name in tables if name not in frames]
    return Report(
        path=str(path),
        profiles=tuple(map(describe, sources)),
        found=tuple(there),
        missing=() if path.is_file() else tuple(missing_everywhere(sources)),
        notes=(
            *notes,
            *traces.notes,
            *_unread(unread, traces),
            *(note for source in sources for note in source_notes(source, path)),
            *_nothing(sources),
        ),
    )


def _size(frame: pd.DataFrame | None) -> str:
    if frame is None:
        return "not read yet"
    return f"{len(frame):,} {'row' if len(frame) == 1 else 'rows'}"


def _named(files: Sequence[Path], path: Path) -> str:
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return relative(files[0], path) + more


def _unread(names: Sequence[str], traces: Traces) -> Iterator[str]:
    if names:
        yield (
            f"{', '.join(names)}: large or in many files, so read when they are asked "
            "for; what is broken in them is named from then on"
        )
    if not traces.may_be_read:
        yield (
            "the timeline is large: profile.figures.timeline() reads it; to split the "
            "free time of steps by it, use load_profile(path, large_traces=True)"
        )


def _nothing(sources: Sequence[RankProfile]) -> Iterator[str]:
    if not sources:
        yield (
            "nothing of a profile was found here, 6 folders deep: give the folder "
            "that the profiler wrote, such as *_ascend_ms, ASCEND_PROFILER_OUTPUT "
            "or PROF_*"
        )
