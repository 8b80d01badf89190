"""The one thread of mswidget: a few times a second it does what may take time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

TICK_S = 0.1


class Worker:
    """Calls ticks about ten times a second, in a daemon thread started on demand.

    A tick guards itself: one that raises is dropped.
    """

    def __init__(self) -> None:
        self._ticks: list[Callable[[], None]] = []
        self._thread: threading.Thread | None = None
        self._pid = 0
        self._lock = threading.Lock()

    def add(self, tick: Callable[[], None]) -> None:
        """Call ``tick`` from now on."""
        with self._lock:
            if self._pid != os.getpid():
                # Data loaders fork: the thread is gone, the ticks are the parent's.
                self._pid, self._thread, self._ticks = os.getpid(), None, []
            self._ticks = [*self._ticks, tick]
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._work, name="mswidget", daemon=True
                )
                self._thread.start()

    def remove(self, tick: Callable[[], None]) -> None:
        """Call ``tick`` no longer."""
        with self._lock:
            self._ticks = [other for other in self._ticks if other != tick]

    def _work(self) -> None:
        idle = threading.Event()
        while not idle.wait(TICK_S):
            self._call_all()
            with self._lock:
                if not self._ticks:
                    self._thread = None
                    return

    def _call_all(self) -> None:
        # A name bound in the loop of `_work` would hold the last run while it waits.
        for tick in self._ticks:
            self._call(tick)

    def _call(self, tick: Callable[[], None]) -> None:
        try:
            tick()
        except Exception:  # noqa: BLE001 - other runs' ticks must go on
            self.remove(tick)


WORKER = Worker()
