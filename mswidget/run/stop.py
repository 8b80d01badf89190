"""Ends a run: at once, or every rank after the same step."""

from __future__ import annotations

import itertools
import math
import time
from collections import deque
from collections.abc import Callable, Sequence

from mswidget.files.folder import Claim
from mswidget.files.stop_request import (
    POINTS,
    STOP,
    Point,
    StopRequest,
    add_point,
    choose_step,
    read,
    signature,
    write,
)
from mswidget.records.record import Event, Record

LOOK_S = 0.5
"""How often a rank looks for the file: one ``stat`` each time."""
_LATE_STEPS = 10


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
    on_request
        Called when the file asks this rank to end.
    notice, withdraw
        Tells the user something, once; says that it is over.
    """

    def __init__(
        self,
        claim: Claim,
        ranks: int,
        on_request: Callable[[], None],
        notice: Callable[[str], None],
        withdraw: Callable[[str], None],
    ) -> None:
        self._folder = claim.path
        self._attempt = claim.attempt
        self._ranks = ranks
        self._notice = notice
        self._on_request = on_request
        self._withdraw = withdraw
        self._trouble = ""
        self._points: deque[Point] = deque(maxlen=POINTS)
        self._step = 0
        self.begin()

    def begin(self) -> None:
        """Forget what was asked of the training before."""
        self.at_step: int | None = None
        """The last step to make; None when nobody asked for an end."""
        self._due = False
        self._choose_at_s = math.inf
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
        # Until then what a first step compiles is not all that is known of the pace.
        self._choose_at_s = min(self._choose_at_s, time.monotonic() + LOOK_S)
        return f"all {self._ranks} ranks end after the same step, in about 3 s"

    def take(self, items: Sequence[Record | Event]) -> None:
        """Note how fast the steps come; of a rank alone the newest is enough."""
        records = (item for item in reversed(items) if isinstance(item, Record))
        known = list(itertools.islice(records, 1 if self._ranks == 1 else None))
        for record in reversed(known):
            add_point(self._points, (record.step, record.wall_time_s))

    def tick(self) -> None:
        """Read the file when it is new, write it when asked to."""
        now_s = time.monotonic()
        if now_s < self._next_look_s:
            return
        self._next_look_s = now_s + LOOK_S
        self._look()
        if self.at_step is None and now_s >= self._choose_at_s:
            self._write(choose_step(self._points, self._newest()))

    def _write(self, step: int) -> None:
        try:
            write(self._folder, StopRequest(self._attempt, step))
        except OSError as error:
            self._trouble = f"{self._folder / STOP}: {error.strerror}; no rank stops"
            self._notice(self._trouble)
        else:
            self._withdraw(self._trouble)
            self._look()

    def _newest(self) -> int:
        logged = self._points[-1][0] if self._points else 0
        return max(self._step, logged)

    def _look(self) -> None:
        stamp = signature(self._folder)
        if stamp == self._seen:
            return
        self._seen = stamp
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
