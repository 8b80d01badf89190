"""trace_view.json and msprof_*.json: files of GBs, read event by event.

Python's own JSON scanner reads one event after the other out of blocks of text. It
keeps every digit of a number, needs no package, and was measured within a third of
ijson's fastest backend, which hands numbers on as float64 or far slower.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from mswidget.profiler import cells
from mswidget.profiler.rows import to_pandas
from mswidget.profiler.spec import Column

if TYPE_CHECKING:
    import pandas as pd

Progress = Callable[[int, int], None]
"""Gets the bytes read and the bytes in all."""

_BLOCK = 4 << 20  # characters
_LONGEST = 16 << 20  # characters of one event: beyond, it is damaged
_BATCH = 50_000  # events that are held as Python objects
_BAR = 40  # characters
# As text, numbers keep all their digits.
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str)
_LANE_NAMES = {"process_name": "process", "thread_name": "thread"}
_TIME = Column("time", "time", "ns", written_in="us")
_STEP = r"^ProfilerStep#(\d+)$"


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
    lanes = _Lanes()
    frames = [_frame([])]
    batch: list[tuple[str, str | None, str, str, int]] = []
    for event in _events(file, notes, progress or _silent):
        kind = event.get("ph")
        if kind == "X":
            batch.append(_row(event, lanes))
        elif kind == "M":
            lanes.call(event)
        if len(batch) == _BATCH:
            frames.append(_frame(batch))
            batch.clear()
    events = lanes.name(pl.concat([*frames, _frame(batch)]))
    good = events.drop_nulls(["start_ns", "end_ns"])
    if len(good) < len(events):
        lost = len(events) - len(good)
        notes.append(f"{lost} of {len(events)} events have no time that can be read")
    return to_pandas(good), notes


def step_windows(events: pd.DataFrame) -> pd.DataFrame:
    """Return ``step, start_ns, end_ns`` of the profiler's own step marks."""
    names = events["name"].astype("category")
    numbers = names.cat.categories.to_series().str.extract(_STEP)[0].dropna()
    found = events[names.isin(numbers.index)]
    steps = found["name"].astype(str).map(numbers).astype("int64")
    return found.assign(step=steps)[["step", "start_ns", "end_ns"]].reset_index(
        drop=True
    )


def bar(done: int, total: int) -> None:
    """Draw how much of a file is read, as one line of text."""
    share = done / max(total, 1)
    drawn = f"{'#' * round(share * _BAR):<{_BAR}}"
    end = "\n" if done >= total else ""
    sys.stderr.write(f"\r[{drawn}] {share:4.0%}{end}")
    sys.stderr.flush()


class _Lanes:
    """Numbers of the lanes (process, thread), and their names when they come."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._names: dict[tuple[str, ...], str] = {}

    def number(self, event: Mapping[str, Any]) -> int:
        lane = str(event.get("pid", "")), str(event.get("tid", ""))
        return self._numbers.setdefault(lane, len(self._numbers))

    def call(self, event: Mapping[str, Any]) -> None:
        kind = _LANE_NAMES.get(str(event.get("name")))
        arguments = event.get("args")
        if kind and isinstance(arguments, dict):
            lane = str(event.get("pid", "")), str(event.get("tid", ""))
            key = lane if kind == "thread" else lane[:1]
            self._names[key] = str(arguments.get("name", ""))

    def name(self, events: pl.DataFrame) -> pl.DataFrame:
        """Replace the number of each event's lane by its two names."""
        named = pl.DataFrame(
            {
                "process": [self._names.get(k[:1], k[0]) for k in self._numbers],
                "thread": [self._names.get(k, k[1]) for k in self._numbers],
            },
            schema={"process": pl.Categorical, "thread": pl.Categorical},
        )
        place = events["lane"]
        return events.drop("lane").select(
            named["process"].gather(place), named["thread"].gather(place), pl.all()
        )


def _silent(done: int, total: int) -> None:
    """Show nothing."""


def _row(
    event: Mapping[str, Any], lanes: _Lanes
) -> tuple[str, str | None, str, str, int]:
    arguments = event.get("args")
    found = arguments.get("Task Type") if isinstance(arguments, dict) else None
    task_type = None if found is None else str(found)
    times = str(event.get("ts", "")), str(event.get("dur", ""))
    return str(event.get("name", "")), task_type, *times, lanes.number(event)


def _frame(batch: list[tuple[str, str | None, str, str, int]]) -> pl.DataFrame:
    text = dict.fromkeys(("name", "task_type", "ts", "dur"), pl.String)
    rows = pl.DataFrame(batch, schema={**text, "lane": pl.UInt32}, orient="row")
    start, length = (cells.value(name, _TIME) for name in ("ts", "dur"))
    return rows.select(
        pl.col("name", "task_type").cast(pl.Categorical),
        start.alias("start_ns"),
        (start + length).alias("end_ns"),
        "lane",
    )


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
