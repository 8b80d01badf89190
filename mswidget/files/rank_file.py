"""A file of a rank: the lines of one, read on as they come."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from mswidget.blocks import ahead
from mswidget.files.bulk import Bulk
from mswidget.files.growing_file import BLOCK, GrowingFile, block_size
from mswidget.files.process import EVENT, Process
from mswidget.files.tail import writing_process
from mswidget.records.history import History
from mswidget.records.record import Event
from mswidget.records.set_back import SetBack

_FIRST_BLOCK = 2**16
_SKIPPED_SHOWN = 1000


class RankFile(GrowingFile):
    """What the lines of a rank's file say, or those of its file of alerts.

    Parameters
    ----------
    path
        The file; it need not exist yet.
    until
        Where the bytes end that are read; a line that is cut there is left out.
    """

    def __init__(self, path: Path, until: float = math.inf) -> None:
        self._until = until
        self.left_out = 0
        """Bytes at the begin that are not read; see `start_near_end`."""
        self._tail: int | None = None
        super().__init__(path)

    def _begin(self) -> None:
        super()._begin()
        self.history = History()
        """All records, in file order."""
        self.events: list[Event] = []
        self.skipped: list[str] = []
        """The first lines that could not be read: file, line number, why."""
        self.skipped_count = 0
        self.process: Process | None = None
        """Which writes it, as far as it was read; None when nothing says so."""
        self._set_back = SetBack()
        self._bulk = Bulk(self.history, self._take_event, self._skip)
        self._lines = 1

    @property
    def notes(self) -> list[str]:
        """What a reader of the numbers has to know, one sentence each."""
        set_back = self._set_back.look(self.history)
        if not self.skipped:
            return [*set_back]
        count, first = self.skipped_count, self.skipped[0]
        lines = "1 line" if count == 1 else f"{count} lines"
        skipped = f"{self.path}: {lines} could not be read; the first: {first}"
        return [skipped, *set_back]

    def start_near_end(self, size: int) -> None:
        """Leave out all but about the last ``size`` bytes; before anything is read."""
        self._tail = size

    def _start(self, file: BinaryIO, size: int) -> int:
        if self._tail is not None:
            self.left_out = _line_begin(file, size - self._tail)
            self.process = writing_process(self.path)
        return self.left_out

    def _read(self, file: BinaryIO, end: float) -> None:
        texts = _whole_lines(file, self._offset, end, self._until)
        # Threads are not worth it for what comes in the meantime.
        many = end - self._offset > 2 * BLOCK
        for lines in (ahead if many else map)(self._bulk.read, texts):
            self._bulk.take(lines, self._lines)
            self._lines += lines.length
            self._offset += len(lines.text)

    def _take_event(self, event: Event) -> None:
        if event.name == EVENT:
            self.process = Process.told(event.fields)
        else:
            self.events.append(event)

    def _skip(self, number: int, why: str) -> None:
        self.skipped_count += 1
        if len(self.skipped) < _SKIPPED_SHOWN:
            self.skipped.append(f"{self.path.name}:{number}: {why}")


def _whole_lines(file: BinaryIO, at: int, end: float, until: float) -> Iterator[bytes]:
    """Yield blocks; half a line at the end is read when the rest has come."""
    # From the first few lines the bulk reader learns which metrics there are.
    size = block_size(end - at) if at else _FIRST_BLOCK
    while at < min(end, until):
        file.seek(at)
        size = int(min(size, until - at))
        block = file.read(size)
        if cut := block.rfind(b"\n") + 1:
            yield block[:cut]
            at += cut
            size = min(2 * size, block_size(end - at))
        elif len(block) < size or at + size >= until:
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
