"""One rank's file, read as far as it goes, and on as it grows."""

from __future__ import annotations

import contextlib
import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from mswidget.blocks import ahead
from mswidget.files.bulk import Bulk
from mswidget.records.history import History
from mswidget.records.record import Event, from_line

OWN_NAME = re.compile(r"rank_(\d+)\.jsonl")
"""How the file of a rank is called."""
_BLOCK = 2**22
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
        self._read(file, min(begun + limit, stat.st_size))
        # What lies behind the limit is new at the next call, though nothing grows.
        whole = self._offset - begun < limit
        self._seen = stat.st_size if whole else -1
        self.unread = 0 if whole else stat.st_size - self._offset
        return self._offset > begun

    def _read(self, file: BinaryIO, end: float) -> None:
        texts = _whole_lines(file, self._offset, end)
        # Threads are not worth it for what comes in the meantime.
        many = end - self._offset > 2 * _BLOCK
        for lines in (ahead if many else map)(self._bulk.read, texts):
            self._bulk.take(lines, self._lines)
            self._lines += lines.length
            self._offset += len(lines.text)

    def _skip(self, number: int, why: str) -> None:
        self.skipped_count += 1
        if len(self.skipped) < _SKIPPED_SHOWN:
            self.skipped.append(f"{self.path.name}:{number}: {why}")


def block_size(wanted: float) -> int:
    """Return how many bytes to read at once of those that are wanted."""
    return int(min(_BLOCK, max(_LEAST, wanted)))


def _whole_lines(file: BinaryIO, at: int, end: float) -> Iterator[bytes]:
    """Yield blocks; half a line at the end is read when the rest has come."""
    # From the first few lines the bulk reader learns which metrics there are.
    size = block_size(end - at) if at else _LEAST
    while at < end:
        file.seek(at)
        block = file.read(size)
        if cut := block.rfind(b"\n") + 1:
            yield block[:cut]
            at += cut
            size = min(2 * size, block_size(end - at))
        elif len(block) < size:
            return
        else:
            size *= 2  # a line longer than the block


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
