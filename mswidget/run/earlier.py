"""What earlier attempts of a run have logged, read back from its files."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from mswidget.files.names import alerts_file
from mswidget.guard import Guard
from mswidget.records.alert import folded
from mswidget.records.rank import Rank
from mswidget.run.worker import WORKER

if TYPE_CHECKING:
    from mswidget.files.rank_file import RankFile

BLOCK_BYTES = 2**22
"""The worker reads about so much at a time, and does its other work in between."""
_PART = "reading earlier attempts"


class Earlier:
    """Reads the earlier attempts of one rank, only if and when somebody wants them.

    Parameters
    ----------
    path
        The rank's file.
    size
        How many bytes of it are theirs; 0 where there are none.
    rank, attempt
        Who goes on.
    guard
        Calls the reading.
    on_read
        Is given what they logged, once all is read.
    """

    def __init__(
        self,
        path: Path,
        size: int,
        rank: int,
        attempt: str,
        guard: Guard,
        on_read: Callable[[Rank], None],
    ) -> None:
        self._path = path
        self._size = size
        self._rank = rank
        self._attempt = attempt
        self._guard = guard
        self._on_read = on_read
        self._lock = threading.Lock()
        self._begun = False
        self._file: RankFile | None = None
        self._done = size == 0

    def begin(self) -> None:
        """Let the worker read them, bit by bit."""
        if not (self._begun or self._done):
            self._begun = True
            WORKER.add(self._tick)

    def read(self) -> None:
        """Read what is left of them now."""
        with self._lock:
            self._guard(_PART, self._read_on, None)

    def _tick(self) -> None:
        # Whoever holds the lock reads all that is left.
        if self._lock.acquire(blocking=False):
            try:
                self._guard(_PART, self._read_on, BLOCK_BYTES)
            finally:
                self._lock.release()
        if self._done or self._guard.is_off(_PART):
            WORKER.remove(self._tick)

    def _read_on(self, limit: int | None) -> None:
        if self._done:
            return
        file = self._file = self._file or _open(self._path, self._size)
        file.read_on(limit)
        if not file.unread:
            self._done, self._file = True, None
            self._on_read(self._found(file))

    def _found(self, file: RankFile) -> Rank:
        alerts = _open(alerts_file(self._path))
        alerts.read_on()
        before = folded(alerts.events)
        return Rank(
            self._rank,
            file.history,
            file.events,
            [alert for alert in before if alert.attempt != self._attempt],
            self._path,
            notes=file.notes,
        )


def _open(path: Path, until: float = float("inf")) -> RankFile:
    # A rank's script never pays for what reads fast.
    from mswidget.files.rank_file import RankFile  # noqa: PLC0415

    return RankFile(path, until)
