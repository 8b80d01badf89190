"""The file ``STOP`` of a run: every rank is to end after the step it names."""

from __future__ import annotations

import itertools
import json
import math
import os
import statistics
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from mswidget.files.names import rank_files
from mswidget.files.tail import newest_first
from mswidget.records.phase import ENDS
from mswidget.records.record import Event, Record

STOP = "STOP"
POINTS = 50
_MARGIN_S = 3.0
_STEPS_OF_UNKNOWN_LENGTH = 20
_APART_S = 0.1
_RECENT_S = 10.0
_FILES = 4

Point = tuple[int, float]
"""A step, and the Unix time at which it was logged."""


class StopError(Exception):
    """A run cannot be asked to stop; says why, and what can be done."""


@dataclass(frozen=True)
class StopRequest:
    """What the file says: this attempt is to end after that step."""

    attempt: str
    stop_at_step: int


def ask_to_stop(folder: Path) -> str:
    """Ask a run of any process to end; returns what will happen.

    Raises
    ------
    StopError
        When there is no such run, or it has ended.
    """
    files = [*rank_files(folder).values()][:_FILES]
    if not files:
        raise StopError(f"{folder}: no run there, for it has no rank_<r>.jsonl")
    attempts = [_newest_attempt(file) for file in files]
    if all(items and _is_end(items[0]) for items in attempts):
        raise StopError(f"{folder}: this run has ended")
    newest = max(attempts, key=lambda items: items[0].wall_time_s if items else 0)
    attempt = newest[0].attempt if newest else "a1"
    points: deque[Point] = deque()
    for item in reversed(newest):
        if isinstance(item, Record):
            add_point(points, (item.step, item.wall_time_s))
    last, last_s = points[-1] if points else (0, 0.0)
    before = read(folder)
    if before is None or before.attempt != attempt or before.stop_at_step <= last:
        before = StopRequest(attempt, choose_step(points, last))
        try:
            write(folder, before)
        except OSError as error:
            raise StopError(f"{folder / STOP}: {error.strerror}") from error
    age = f", logged {max(time.time() - last_s, 0):.0f} s ago" if points else ""
    return f"{folder}: asked to end after step {before.stop_at_step} (now {last}{age})"


def add_point(points: deque[Point], point: Point) -> None:
    """Append a point; the one before is dropped when it followed its last too soon.

    What a loop logs in one go, at an epoch's end, says nothing of its steps.
    """
    if len(points) > 1 and points[-1][1] - points[-2][1] < _APART_S:
        points.pop()
    points.append(point)


def choose_step(points: Sequence[Point], newest: int) -> int:
    """Return a step that no rank makes before it has read of it.

    Parameters
    ----------
    points
        Steps that were logged, in order, by `add_point`.
    newest
        The last step that was made.
    """
    pairs = [
        (step - before, time_s - before_s)
        for (before, before_s), (step, time_s) in itertools.pairwise(points)
        if step > before and time_s - before_s >= _APART_S
    ]
    if not pairs:
        return newest + _STEPS_OF_UNKNOWN_LENGTH
    # Medians, for an evaluation in between says nothing of the steps.
    step_s = statistics.median(seconds / steps for steps, seconds in pairs)
    apart_s = statistics.median(seconds for _, seconds in pairs)
    return newest + math.ceil((_MARGIN_S + 2 * apart_s) / step_s)


def read(folder: Path) -> StopRequest | None:
    """Return what a run's ``STOP`` says; None when there is none, or no sense in it."""
    try:
        said = json.loads((folder / STOP).read_text(encoding="utf-8"))
        return StopRequest(str(said["attempt"]), int(said["stop_at_step"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write(folder: Path, request: StopRequest) -> None:
    """Write ``STOP`` whole, in place of one that is there."""
    fresh = folder / f".{STOP}-{os.uname().nodename}-{os.getpid()}"
    fresh.write_text(json.dumps(asdict(request)) + "\n", encoding="utf-8")
    fresh.replace(folder / STOP)


def signature(folder: Path) -> object:
    """Return what differs when ``STOP`` is another; None when there is none."""
    try:
        stat = (folder / STOP).stat()
    except OSError:
        return None
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


def _newest_attempt(file: Path) -> list[Record | Event]:
    """Return the last items of a rank's last attempt, the newest first."""
    items: list[Record | Event] = []
    for item in newest_first(file):
        if items and item.attempt != items[0].attempt:
            break
        items.append(item)
        if len(items) > POINTS and items[0].wall_time_s - item.wall_time_s > _RECENT_S:
            break
    return items


def _is_end(item: Record | Event) -> bool:
    return isinstance(item, Event) and item.name in ENDS
