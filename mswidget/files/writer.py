"""One rank's JSONL file: appended to, never truncated."""

from __future__ import annotations

import fcntl
import math
import os
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from mswidget.records.record import Event, Record, to_line

_PIECE = 256
_PATIENCE_S = 10.0
_LATE_S = 2.0


class Writer:
    """Appends lines; what cannot be written now is kept and written later.

    Any thread may write; one that waits long for another leaves its items to that.

    Parameters
    ----------
    path
        ``rank_<r>.jsonl``; made at the first line.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None
        self._lock = threading.Lock()
        self._items: deque[Record | Event] = deque()
        self._waiting = bytearray()
        self._behind_since_s = math.inf
        self._closed = False
        self._half_written = False
        self._written = 0  # at least so many bytes long the file must be
        self._deleted = False
        self._skipped = 0
        self._first_skipped = ""
        self.trouble = ""
        """Why lines are waiting, in words; empty when all is written."""

    @property
    def losses(self) -> list[str]:
        """What the file does not hold and never will, one sentence each."""
        skipped = (
            f"{self.path}: {self._skipped} of the lines could not be made and are "
            f"left out; the first: {self._first_skipped}"
        )
        deleted = (
            f"{self.path} was deleted or moved during the run: what had been written "
            "is not in the new file, only in memory"
        )
        return [skipped] * (self._skipped > 0) + [deleted] * self._deleted

    @property
    def is_behind(self) -> bool:
        """Whether anything waits to be written."""
        return bool(self._items or self._waiting)

    @property
    def is_late(self) -> bool:
        """Whether something has been waiting for long."""
        return time.monotonic() - self._behind_since_s > _LATE_S

    def write(
        self, items: Sequence[Record | Event] = (), within_s: float = math.inf
    ) -> None:
        """Append items, after whatever waited. Never raises.

        Parameters
        ----------
        items
            What is new.
        within_s
            What is not begun by then waits for the next call.
        """
        until_s = time.monotonic() + within_s
        self._items.extend(items)
        self._closed = self._closed and not items
        self._note()
        if self.is_behind and self._lock.acquire(timeout=_PATIENCE_S):
            try:
                self._write_until(until_s)
            finally:
                self._lock.release()
            self._note()

    def close(self) -> None:
        """Release the file and its lock, once all is written; `write` takes it back."""
        self._closed = True
        if not self.is_behind:
            with self._lock:
                self._release()

    def is_at(self, path: Path) -> bool:
        """Say whether a path leads to the file that this writes."""
        return os.path.realpath(path) == os.path.realpath(self.path)

    def _note(self) -> None:
        """Note since when something waits: who reads it, or ends, has to know."""
        if not self.is_behind:
            _BEHIND.discard(self)
            self._behind_since_s = math.inf
        elif self not in _BEHIND:
            _BEHIND.add(self)
            self._behind_since_s = time.monotonic()

    def _write_until(self, until_s: float) -> None:
        while self.is_behind:
            for _ in range(min(_PIECE, len(self._items))):
                # An interrupt must not lose it in between.
                self._waiting += self._line(self._items[0])
                self._items.popleft()
            self._try_to_append()
            if not self._items or time.monotonic() >= until_s:
                break
        if self._closed and not self.is_behind:
            self._release()

    def _try_to_append(self) -> None:
        try:
            if self._waiting:
                self._append()
        except OSError as error:
            self.trouble = f"{self.path}: {error.strerror or error}"
            self._release()
        else:
            self.trouble = ""

    def _release(self) -> None:
        if self._file is not None:
            # A forked data worker may hold the file open, and with it the lock.
            fcntl.flock(self._file, fcntl.LOCK_UN)
            os.close(self._file)
            self._file = None

    def _line(self, item: Record | Event) -> bytes:
        try:
            # A lone surrogate has no UTF-8; this writes it as JSON's own escape.
            return to_line(item).encode(errors="backslashreplace")
        except Exception as error:  # noqa: BLE001 - fields may be any objects
            self._skipped += 1
            self._first_skipped = self._first_skipped or (
                f"step {item.step!r}, {type(error).__name__}: {error}"
            )
            return b""

    def _append(self) -> None:
        if self._file is None or not self._is_in_place(self._file):
            self._release()
            self._file = self._open()
        while self._waiting:
            # A full disk takes a part of it: keep just the rest.
            written = os.write(self._file, self._waiting)
            self._written += written
            self._half_written = self._waiting[written - 1 : written] != b"\n"
            del self._waiting[:written]

    def _is_in_place(self, file: int) -> bool:
        """Say whether the path still leads to the open file."""
        try:
            return os.path.samestat(self.path.stat(), os.fstat(file))
        except FileNotFoundError:
            return False

    def _open(self) -> int:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._notice_deletion(file)
            if not self._half_written:  # else its rest is what we write next
                self._finish_line(file)
        except BlockingIOError as error:
            os.close(file)
            raise BlockingIOError(error.errno, "another process writes it") from error
        except OSError:
            os.close(file)
            raise
        return file

    def _notice_deletion(self, file: int) -> None:
        if os.fstat(file).st_size < self._written:
            self._deleted = True
            self._written = 0

    @staticmethod
    def _finish_line(file: int) -> None:
        """End a line that a killed attempt left half written."""
        size = os.fstat(file).st_size
        if size and os.pread(file, 1, size - 1) != b"\n":
            os.write(file, b"\n")


_BEHIND: set[Writer] = set()
"""Those of this process that have something to write yet."""
os.register_at_fork(after_in_child=_BEHIND.clear)  # they are its parent's


def catch_up(path: Path | None = None) -> None:
    """Write what this process has still to write: to a file that is read, or to all."""
    for writer in _BEHIND.copy():
        if path is None or writer.is_at(path):
            writer.write()


def is_held(path: Path) -> bool:
    """Say whether a live `Writer`, of any process of this machine, has the file."""
    catch_up(path)
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # not there, or a file system without locks
        return False
    return False
