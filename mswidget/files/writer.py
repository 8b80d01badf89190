"""One rank's JSONL file: appended to, never truncated."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from pathlib import Path

from mswidget.records.record import Event, Record, to_line


class Writer:
    """Appends lines; what cannot be written now is kept and written later.

    Parameters
    ----------
    path
        ``rank_<r>.jsonl``; made at the first line.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._waiting = bytearray()
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
            f"{self._path}: {self._skipped} of the lines could not be made and are "
            f"left out; the first: {self._first_skipped}"
        )
        deleted = (
            f"{self._path} was deleted or moved during the run: what had been written "
            "is not in the new file, only in memory"
        )
        return [skipped] * (self._skipped > 0) + [deleted] * self._deleted

    def write(self, items: Iterable[Record | Event]) -> None:
        """Append items, and whatever waited. Never raises."""
        for item in items:
            self._waiting += self._line(item)
        if not self._waiting:
            return
        try:
            self._append()
        except OSError as error:
            self.trouble = f"{self._path}: {error.strerror or error}"
            self.close()
        else:
            self.trouble = ""

    def close(self) -> None:
        """Release the file and its lock; a later `write` opens it again."""
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
            self.close()
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
            return os.path.samestat(self._path.stat(), os.fstat(file))
        except FileNotFoundError:
            return False

    def _open(self) -> int:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
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


def is_held(path: Path) -> bool:
    """Say whether a live `Writer`, of any process of this machine, has the file."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # not there, or a file system without locks
        return False
    return False
