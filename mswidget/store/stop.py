"""Ends a run: at once, or every rank after the same step by the file ``STOP``."""

from __future__ import annotations

import itertools
import json
import math
import os
import statistics
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from mswidget.store.folder import Claim
from mswidget.store.record import Event, Record
from mswidget.store.tail import newest_first

STOP = "STOP"
LOOK_S = 0.5
"""How often a rank looks for the file: one ``stat`` each time."""
_MARGIN_S = 3.0
_STEPS_OF_UNKNOWN_LENGTH = 20
_LATE_STEPS = 10
_APART_S = 0.1
_POINTS = 50
_RECENT_S = 10.0
_FILES = 4
_ENDS = ("train_end", "stopped", "failed")

Point = tuple[int, float]
"""A step, and the Unix time at which it was logged."""


class StopError(Exception):
    """A run cannot be asked to stop; says why, and what can be done."""


@dataclass(frozen=True)
class StopRequest:
    """What the file says: this attempt is to end after that step."""

    attempt: str
    stop_at_step: int


class Stop:
    """Knows whether, and after which step, a run is to end.

    A job of one rank ends at once. Ranks that wait for each other must all end after
    the same step: one of them writes ``STOP``, with a step that no rank reaches
    before it has read of it. Any other process may write it too.

    Parameters
    ----------
    claim
        The run's folder and attempt.
    ranks
        Processes of the job.
    notice
        Tells the user something, once.
    on_request
        Called when the file asks this rank to end.
    """

    def __init__(
        self,
        claim: Claim,
        ranks: int,
        notice: Callable[[str], None],
        on_request: Callable[[], None],
    ) -> None:
        self._folder = claim.path
        self._attempt = claim.attempt
        self._ranks = ranks
        self._notice = notice
        self._on_request = on_request
        self._points: deque[Point] = deque(maxlen=_POINTS)
        self._step = 0
        self.begin()

    def begin(self) -> None:
        """Forget what was asked of the training before."""
        self.at_step: int | None = None
        """The last step to make; None when nobody asked for an end."""
        self._asked = self._due = False
        self._begun_at = self._newest()
        self._seen: object = None
        self._next_look_s = 0.0

    def is_due(self, step: int) -> bool:
        """Say whether the training is to end, now that it has made this step."""
        self._step = step
        # A loop of the user's may count its steps anew in each epoch.
        self._due = self._due or (self.at_step is not None and step >= self.at_step)
        return self._due

    def is_obeyed(self, step: int) -> bool:
        """Say whether a loop that made this step last has ended because of a stop."""
        if self.at_step is None or not self.is_due(step):
            return False
        return step - self.at_step <= _LATE_STEPS

    def ask(self, step: int) -> str:
        """Ask for the end; returns what will happen."""
        if self._ranks == 1:
            self.at_step, self._due = step, True
            return f"stop requested at step {step}"
        self._asked = True
        return f"all {self._ranks} ranks end after the same step, in about 3 s"

    def take(self, items: Sequence[Record | Event]) -> None:
        """Note how fast the steps come."""
        for item in items:
            if isinstance(item, Record):
                add_point(self._points, (item.step, item.wall_time_s))

    def tick(self) -> None:
        """Read the file when it is new, write it when asked to."""
        if time.monotonic() < self._next_look_s:
            return
        self._next_look_s = time.monotonic() + LOOK_S
        self._look()
        if self._asked and self.at_step is None:
            step = choose_step(self._points, self._newest())
            try:
                write(self._folder, StopRequest(self._attempt, step))
            except OSError as error:
                self._notice(f"{self._folder / STOP}: {error.strerror}; no rank stops")
            else:
                self._look()

    def _newest(self) -> int:
        logged = self._points[-1][0] if self._points else 0
        return max(self._step, logged)

    def _look(self) -> None:
        found = _signature(self._folder)
        if found == self._seen:
            return
        self._seen = found
        request = read(self._folder)
        if request is not None and self._is_meant(request):
            self.at_step = request.stop_at_step
            self._on_request()
            if self._newest() > self.at_step:
                self._notice(
                    f"{STOP} asks for the end after step {self.at_step}; this rank "
                    f"read it after step {self._newest()} and ends at once"
                )

    def _is_meant(self, request: StopRequest) -> bool:
        """Say whether this is no request of another attempt, or obeyed already."""
        return (
            request.attempt == self._attempt and request.stop_at_step > self._begun_at
        )


def ask_to_stop(folder: Path) -> str:
    """Ask a run of any process to end; returns what will happen.

    Raises
    ------
    StopError
        When there is no such run, or it has ended.
    """
    files = sorted(folder.glob("rank_*.jsonl"))[:_FILES]
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
    age = f", logged {time.time() - last_s:.0f} s ago" if points else ""
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


def _signature(folder: Path) -> object:
    try:
        found = (folder / STOP).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _newest_attempt(file: Path) -> list[Record | Event]:
    """Return the last items of a rank's last attempt, the newest first."""
    items: list[Record | Event] = []
    for item in newest_first(file):
        if items and item.attempt != items[0].attempt:
            break
        items.append(item)
        if len(items) > _POINTS and items[0].wall_time_s - item.wall_time_s > _RECENT_S:
            break
    return items


def _is_end(item: Record | Event) -> bool:
    return isinstance(item, Event) and item.name in _ENDS
