"""One rank's file, read as far as it goes, and on as it grows."""

from __future__ import annotations

import contextlib
import math
import os
import re
from pathlib import Path
from typing import BinaryIO

from mswidget.store.bulk import Bulk, count
from mswidget.store.history import History
from mswidget.store.record import Event, from_line

_BLOCK = 2**24
_LEAST = 2**16
_SKIPPED_SHOWN = 1000


class RankFile:
    """What one rank's file says.

    Parameters
    ----------
    path
        ``rank_<r>.jsonl``, or another file of such lines; it need not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.left_out = 0
        """Bytes at the begin that are not read; see `start_near_end`."""
        self.unread = 0
        """Bytes that the last reading has left for the next."""
        self._tail: int | None = None
        self._begin()

    def _begin(self) -> None:
        self.history = History()
        """All records, in file order."""
        self.events: list[Event] = []
        self.skipped: list[str] = []
        """The first lines that could not be read: file, line number, why."""
        self.skipped_count = 0
        self._bulk = Bulk(self.history, self.events.append, self._skip)
        self._offset = 0
        self._lines = 1
        self._inode = 0
        self._seen = -1

    @property
    def rank(self) -> int:
        """The rank in the file's name, else that of its first record, else 0."""
        named = re.fullmatch(r"rank_(\d+)", self.path.stem)
        return int(named[1]) if named else _first_rank(self.path)

    @property
    def notes(self) -> list[str]:
        """What a reader of the numbers has to know; of mswidget's own: nothing."""
        return []

    def start_near_end(self, size: int) -> None:
        """Leave out all but about the last ``size`` bytes; before anything is read."""
        self._tail = size

    def read_on(self, limit: int | None = None) -> bool:
        """Read what was not read yet; a file that was replaced is read anew.

        Parameters
        ----------
        limit
            Read about so many bytes at most.

        Returns
        -------
        bool
            Whether there was anything new.

        Raises
        ------
        OSError
            When the file is there but cannot be read.
        """
        try:
            stat = self.path.stat()
            if (stat.st_ino, stat.st_size) == (self._inode, self._seen):
                return False
            with self.path.open("rb") as file:
                return self._read_open(file, math.inf if limit is None else limit)
        except FileNotFoundError:
            return False

    def _read_open(self, file: BinaryIO, limit: float) -> bool:
        stat = os.fstat(file.fileno())
        replaced = self._inode and stat.st_ino != self._inode
        if replaced or stat.st_size < self._offset:
            self._begin()
        if self._tail is not None and not self._offset:
            self._offset = self.left_out = _line_begin(file, stat.st_size - self._tail)
        self._inode = stat.st_ino
        begun = self._offset
        self._read(file, begun + limit)
        # What lies behind the limit is new at the next call, though nothing grows.
        whole = self._offset - begun < limit
        self._seen = stat.st_size if whole else -1
        self.unread = 0 if whole else stat.st_size - self._offset
        return self._offset > begun

    def _read(self, file: BinaryIO, end: float) -> None:
        # From the first few lines the bulk reader learns which metrics there are.
        size = _size(end - self._offset) if self._offset else _LEAST
        while self._offset < end:
            file.seek(self._offset)
            block = file.read(size)
            if self._take(block):
                size = min(2 * size, _size(end - self._offset))
            elif len(block) < size:
                return
            else:
                size *= 2  # a line longer than the block

    def _take(self, block: bytes) -> bool:
        """Read a block's whole lines; half a line is read when the rest has come."""
        cut = block.rfind(b"\n") + 1
        if not cut:
            return False
        lines = block[:cut]
        self._bulk(lines, self._lines)
        self._lines += count(b"\n", lines)
        self._offset += cut
        return True

    def _skip(self, number: int, why: str) -> None:
        self.skipped_count += 1
        if len(self.skipped) < _SKIPPED_SHOWN:
            self.skipped.append(f"{self.path.name}:{number}: {why}")


def _size(wanted: float) -> int:
    return int(min(_BLOCK, max(_LEAST, wanted)))


def _line_begin(file: BinaryIO, near: int) -> int:
    """Return where the first line at or after a place begins."""
    if near <= 0:
        return 0
    file.seek(near - 1)
    file.readline()
    return file.tell()


def _first_rank(path: Path) -> int:
    with path.open("rb") as file:
        for line in file:
            with contextlib.suppress(ValueError):
                return from_line(line.decode(errors="replace")).rank
    return 0
