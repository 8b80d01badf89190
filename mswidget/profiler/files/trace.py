"""trace_view.json and msprof_*.json: files of GBs, read event by event.

Python's own JSON scanner reads one event after the other out of blocks of text. It
keeps every digit of a number, needs no package, and was measured within a third of
ijson's fastest backend, which hands numbers on as float64 or far slower.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from mswidget.profiler.files.cells import TODAY
from mswidget.profiler.files.trace_events import EventColumns

Progress = Callable[[int, int], None]
"""Gets the bytes read and the bytes in all."""

_BLOCK = 4 << 20  # characters
_LONGEST = 16 << 20  # characters of one event: beyond, it is damaged
_BAR = 40  # characters
# As text, numbers keep all their digits.
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str)
_STEP = r"^ProfilerStep#([0-9]{1,18})$"


def read_trace(
    file: Path, progress: Progress | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """Read the events of a trace that have a duration; counters are left out.

    Parameters
    ----------
    file
        A list of events or ``{"traceEvents": [...]}``, in the Chrome trace format.
    progress
        Called for every block of the file.

    Returns
    -------
    ``process, thread, name, task_type`` (categories), ``start_ns, end_ns`` (exact), and
    a note for everything that could not be read.
    """
    notes: list[str] = []
    columns = EventColumns()
    try:
        for event in _events(file, notes, progress or _silent):
            kind = event.get("ph")
            if kind == "X":
                columns.add(event)
            elif kind == "M":
                columns.name_lane(event)
    except OSError as problem:
        notes.append(f"cannot be read: {problem}")
    events, lost = columns.frame()
    if lost:
        notes.append(f"{lost} of {lost + len(events)} events have no readable time")
    return _with_time(events, notes), notes


def _with_time(events: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """Leave out events at 0 among those of today: years would lie between them."""
    unset = events["start_ns"].to_numpy() == 0
    if not unset.any() or events["start_ns"].max() < TODAY:
        return events
    notes.append(f"{unset.sum()} event(s) at time 0 left out")
    return events[~unset].reset_index(drop=True)


def step_windows(events: pd.DataFrame) -> pd.DataFrame:
    """Return ``step, start_ns, end_ns`` of the profiler's own step marks."""
    names = events["name"].astype("category")
    numbers = names.cat.categories.to_series().str.extract(_STEP)[0].dropna()
    marks = events[names.isin(numbers.index)]
    steps = marks["name"].astype(str).map(numbers).astype("int64")
    windows = marks.assign(step=steps)[["step", "start_ns", "end_ns"]]
    return windows.reset_index(drop=True)


def bar(done: int, total: int) -> None:
    """Draw how much of a file is read, as one line of text."""
    share = done / max(total, 1)
    drawn = f"{'#' * round(share * _BAR):<{_BAR}}"
    end = "\n" if done >= total else ""
    sys.stderr.write(f"\r[{drawn}] {share:4.0%}{end}")
    sys.stderr.flush()


def _silent(done: int, total: int) -> None:
    """Show nothing."""


def _events(
    file: Path, notes: list[str], progress: Progress
) -> Iterator[dict[str, Any]]:
    """Yield every object of a trace; what is damaged is named in ``notes``."""
    text, close, count, damaged = "", "", 0, False
    for block in _blocks(file, progress):
        at, close = (0, close) if close else _begin(block)
        text += block
        # Where nothing follows, what cannot be read is damaged, however short.
        longest = _LONGEST if block else 0
        while (start := text.find("{", at)) >= 0:
            event, at = _decoded(text, start)
            if event is not None:
                count += "ph" in event
                yield event
            elif len(text) - start < longest:
                break
            else:
                damaged, at = True, start + 1
        text = text[at:]
    if not count:
        notes.append("holds no event of a trace")
    elif close not in text:
        notes.append("cut off before its end: the events up to there are kept")
    elif damaged:
        notes.append("damaged in the middle: the events around it are kept")


def _blocks(file: Path, progress: Progress) -> Iterator[str]:
    """Yield a file in blocks of text, an empty one last."""
    total = file.stat().st_size
    with file.open("rb") as raw:
        stream = io.TextIOWrapper(raw, encoding="utf-8-sig", errors="replace")
        while block := stream.read(_BLOCK):
            yield block
            progress(raw.tell(), total)
    yield ""


def _begin(text: str) -> tuple[int, str]:
    """Return where the events begin, and the bracket that closes the file."""
    if text.lstrip().startswith("{"):
        return text.find("[", text.find('"traceEvents"')) + 1, "}"
    return 0, "]"


def _decoded(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """Return the object at a brace and where it ends, or none and the brace."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start
