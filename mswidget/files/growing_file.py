"""A file that is read as far as it goes, and on as it grows."""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import BinaryIO

from mswidget.files.writer import catch_up

BLOCK = 2**22
_LEAST = 2**16


class GrowingFile(ABC):
    """Reads what was not read yet; a file that was replaced is read anew.

    Parameters
    ----------
    path
        The file; it need not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.unread = 0
        """Bytes that the last reading has left for the next."""
        self._begin()

    def _begin(self) -> None:
        """Forget what was read."""
        self._offset = 0
        self._inode = 0
        self._seen = -1

    @abstractmethod
    def _read(self, file: BinaryIO, end: float) -> None:
        """Take what is whole of the bytes from ``_offset`` on, and move that."""

    def _start(self, _file: BinaryIO, _size: int) -> int:
        """Return where a file is begun to be read."""
        return 0

    def read_on(self, limit: int | None = None) -> bool:
        """Read what was not read yet.

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
        catch_up(self.path)
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
        replaced = self._inode not in (0, stat.st_ino) or stat.st_size < self._offset
        if replaced:
            self._begin()
        self._offset = begun = self._offset or self._start(file, stat.st_size)
        self._inode = stat.st_ino
        self._read(file, min(begun + limit, stat.st_size))
        # What lies behind the limit is new at the next call, though nothing grows.
        whole = self._offset - begun < limit
        self._seen = stat.st_size if whole else -1
        self.unread = 0 if whole else stat.st_size - self._offset
        return replaced or self._offset > begun


def block_size(wanted: float) -> int:
    """Return how many bytes to read at once of those that are wanted."""
    return int(min(BLOCK, max(_LEAST, wanted)))
