"""From what was logged to memory, and on to whoever wants it."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mswidget.guard import Guard
from mswidget.records.history import History
from mswidget.records.record import Event, Record
from mswidget.run.inbox import Inbox
from mswidget.run.worker import WORKER

Items = Sequence[Record | Event]

_STRAGGLER_S = 0.3
# Rows that are still in the processor's cache become columns faster.
_AT_ONCE = 256
_LOCK_S = 10.0


def _ignore(*_: object) -> None:
    """Stand for what an outlet does not care about."""


@dataclass(frozen=True)
class Outlet:
    """Somebody whom a run's records reach, guarded apart from the others.

    Parameters
    ----------
    part
        What the user is told failed, if it does.
    take
        Is given what is new, maybe nothing, in order; it is in the history already.
    tick
        Called by the worker about ten times a second while the run goes on.
    end
        Called once the run has ended and everything was taken.
    """

    part: str
    take: Callable[[Items], None] = _ignore
    tick: Callable[[], None] = _ignore
    end: Callable[[], None] = _ignore


class Flow:
    """Brings what is in the inbox to the history and the outlets.

    The worker does so; a flush and the end do it in the thread that calls.

    Parameters
    ----------
    inbox, history
        Where records come from, and where they stay.
    guard
        Calls the outlets.
    outlets
        The first ones, in their turn.
    """

    def __init__(
        self,
        inbox: Inbox,
        history: History,
        guard: Guard,
        outlets: Iterable[Outlet] = (),
    ) -> None:
        self._inbox = inbox
        self._history = history
        self._guard = guard
        self._outlets = [*outlets]
        self._lock = threading.RLock()
        self._pid = os.getpid()
        self.active = False
        """Whether the run goes on."""

    @property
    def forked(self) -> bool:
        """Whether this is a data worker's copy of the run, not its own."""
        return self._pid != os.getpid()

    def add(self, outlet: Outlet) -> None:
        """Let an outlet have what comes from now on, after those there are."""
        self._outlets.append(outlet)

    def start(self) -> None:
        """Let the worker carry what is logged."""
        self.active = True
        WORKER.add(self._tick)

    def wake(self) -> None:
        """Carry what was logged after the end."""
        if not self.active:
            WORKER.add(self._tick)

    def close(self) -> None:
        """Say that nothing follows, and read what waits on the device."""
        self.active = False
        self._guard("reading values", self._inbox.read, math.inf)

    def flush(self) -> bool:
        """Carry everything now; False when the worker holds on to it for long."""
        if not self._lock.acquire(timeout=_LOCK_S):
            return False
        try:
            self._carry()
        finally:
            self._lock.release()
        return True

    def end(self) -> bool:
        """Carry the rest and end the outlets; False when the worker will do so."""
        if not self._lock.acquire(timeout=_LOCK_S):
            return False
        WORKER.remove(self._tick)
        try:
            self._carry()
            self._end()
        finally:
            self._lock.release()
        return True

    def _tick(self) -> None:
        # A flush or the end of the run holds the lock, and does this work.
        if self._lock.acquire(blocking=False):
            try:
                before_s = self._inbox.now_s() - _STRAGGLER_S
                self._guard("reading values", self._inbox.read, before_s)
                self._carry()
                self._go_on()
            finally:
                self._lock.release()

    def _go_on(self) -> None:
        if self.active:
            # Who shows the run goes before the file, which may take its time.
            for outlet in reversed(self._outlets):
                self._guard(outlet.part, outlet.tick)
        else:
            WORKER.remove(self._tick)
            self._end()

    def _carry(self) -> None:
        items = self._guard("collecting", self._collect) or []
        for outlet in self._outlets:
            self._guard(outlet.part, outlet.take, items)

    def _collect(self) -> Items:
        items: list[Record | Event] = []
        # What comes meanwhile waits: a loop that logs without a pause never ends.
        left = len(self._inbox)
        while left > 0:
            most = min(left, _AT_ONCE)
            fresh = self._inbox.take(most, waiting_too=not self.active)
            self._history.extend(item for item in fresh if isinstance(item, Record))
            items += fresh
            left = left - most if fresh else 0
        return items

    def _end(self) -> None:
        self._carry()  # what was derived from the last records
        for outlet in self._outlets:
            self._guard(outlet.part, outlet.end)
