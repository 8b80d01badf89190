"""A file of another tool, put together to ranks."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from mswidget.files.growing_file import GrowingFile, block_size
from mswidget.importers.epoch_counter import EpochCounter
from mswidget.importers.formats.found import (
    EpochStep,
    Fact,
    Format,
    Found,
    Happening,
    Note,
    Point,
    Unread,
)
from mswidget.importers.notes import notes_of
from mswidget.importers.places import unnumbered
from mswidget.importers.sheet import Sheet
from mswidget.records.rank import Rank

_MOST_PROCESSES = 64
_QUOTED = 200
_BELOW_ZERO = "what stands at steps below 0 is left out"


class LogSource(GrowingFile):
    """Reads one rank, or those that share a log, from what another tool wrote.

    Parameters
    ----------
    path
        The file.
    kind
        Its format.
    rank
        Whose file it is, where neither its name nor its lines say it: 0.
    size
        How many ranks there are.
    before
        Earlier files of the same ranks, oldest first.
    steps_per_epoch
        Of logs that count steps within epochs and do not say it; None to find it out.
    """

    own = False

    def __init__(
        self,
        path: Path,
        kind: Format,
        rank: int | None = None,
        size: int = 1,
        before: Sequence[Path] = (),
        steps_per_epoch: int | None = None,
    ) -> None:
        self.kind = kind
        self.ranks: dict[int, Rank] = {}
        """What is known by now; no rank while no line was understood."""
        self._named = rank
        self._size = size
        self._earlier = before
        self._steps_per_epoch = steps_per_epoch
        self._time_s = 0.0
        self._stamp: tuple[int, ...] = ()
        super().__init__(path)

    def _begin(self) -> None:
        super()._begin()
        self._notes: dict[str, None] = {}
        self._facts: dict[str, object] = {}
        self._sheets: dict[int, Sheet] = {}
        self._unread_lines = 0
        self._first_unread = ""
        self._reading = self.kind.read()
        self._before = list(self._earlier)
        self._epochs = EpochCounter(self._steps_per_epoch)
        self._processes = 1

    @property
    def rank(self) -> int:
        """The rank in the file's name, else that of its first line, else 0."""
        return self._named if self._named is not None else next(iter(self._sheets), 0)

    @property
    def logs(self) -> set[Path]:
        """The logs that it reads, whatever the number of their parts."""
        return {*map(unnumbered, (*self._earlier, self.path))}

    def start_near_end(self, size: int) -> None:
        """Read the whole file all the same: its steps may count from its begin."""

    def read_on(self, limit: int | None = None) -> bool:
        """Read what was not read yet, as `GrowingFile.read_on` does."""
        if self.kind.rewritten:
            self._begin_if_rewritten()
        earlier = self._read_before()
        changed = super().read_on(limit) or earlier
        while self._epochs.corrected or self._is_of_more():
            self._read_anew()
        if changed:
            self.ranks = {n: self._rank(n, s) for n, s in self._sheets.items()}
        return changed

    def _is_of_more(self) -> bool:
        """Count one process more if the log shows it; returns whether it does."""
        shows = any(sheet.shows_more for sheet in self._sheets.values())
        self._processes += shows
        return shows and self._processes <= _MOST_PROCESSES

    def _read_anew(self) -> None:
        """Read again what was read, by what is known now of epochs and processes."""
        epochs, processes = self._epochs, self._processes
        end, seen, unread = self._offset, self._seen, self.unread
        self._begin()
        self._epochs, self._processes = epochs, processes
        epochs.begin_anew()
        self._read_before()
        with self.path.open("rb") as file:
            self._inode = os.fstat(file.fileno()).st_ino
            self._read(file, end)
        self._seen, self.unread = seen, unread

    def _rank(self, number: int, sheet: Sheet) -> Rank:
        sheet.flush()
        if self._epochs.steps_per_epoch is not None:
            sheet.take(Fact({"steps_per_epoch": self._epochs.steps_per_epoch}))
        return Rank(
            number,
            sheet.history,
            sheet.events,
            path=self.path,
            rounding=sheet.printed.rounding(),
            notes=[
                *self._notes,
                *self._unread_notes(),
                *self._epochs.notes(),
                *notes_of(sheet),
            ],
            own=False,
            unread=self.unread,
        )

    def _begin_if_rewritten(self) -> None:
        try:
            stat = self.path.stat()
        except OSError:
            return
        stamp = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
        if self._stamp not in ((), stamp):
            self._begin()
        self._stamp = stamp

    def _read_before(self) -> bool:
        before = bool(self._before)
        while self._before:
            with self._before.pop(0).open("rb") as file:
                self._read_rest(file)
        return before

    def _read_open(self, file: BinaryIO, limit: float) -> bool:
        if self._inode not in (0, os.fstat(file.fileno()).st_ino):
            self._read_rotated()
        return super()._read_open(file, limit)

    def _read_rotated(self) -> None:
        """Read the rest of a log that has made place for a new one of its name."""
        old = self.path.with_name(f"{self.path.name}.1")
        with contextlib.suppress(OSError), old.open("rb") as file:
            if os.fstat(file.fileno()).st_ino == self._inode:
                self._read_rest(file)
                self._inode = 0

    def _read_rest(self, file: BinaryIO) -> None:
        self._read(file, math.inf)
        self._offset = 0
        self._sort(None)

    def _read(self, file: BinaryIO, end: float) -> None:
        self._time_s = os.fstat(file.fileno()).st_mtime
        if self.kind.rewritten:
            self._take(file.read())
            return
        size = least = block_size(end - self._offset)
        while self._offset < end:
            file.seek(self._offset)
            block = file.read(size)
            if self._take(block):
                size = least
            elif len(block) < size:
                return
            else:
                size *= 2  # a line longer than the block

    def _take(self, block: bytes) -> bool:
        used, items = self._reading(block)
        for item in items:
            self._sort(item)
        self._offset += used
        return used > 0

    def _sort(self, item: Found | None) -> None:
        if isinstance(item, Note):
            self._notes[item.text] = None
        elif isinstance(item, Point | Happening):
            self._take_at_step(item)
        else:
            if isinstance(item, Unread):
                self._see_unread(item.line)
                item = None
            if item is not None:
                self._facts |= item.fields
                self._epochs.tell(item)
            for sheet in self._sheets.values():
                sheet.take(item)

    def _see_unread(self, line: str) -> None:
        self._unread_lines += 1
        self._first_unread = self._first_unread or line.strip()[:_QUOTED]

    def _unread_notes(self) -> list[str]:
        if not self._unread_lines:
            return []
        lines = "1 line" if self._unread_lines == 1 else f"{self._unread_lines} lines"
        return [f"{lines} with a loss not read; the first: {self._first_unread!r}"]

    def _take_at_step(self, item: Point | Happening) -> None:
        step, epoch = item.step, item.epoch if isinstance(item, Point) else None
        if isinstance(step, EpochStep):
            step, counted = self._epochs.count(step, item.rank)
            epoch = counted if epoch is None else epoch
        if step is not None and step < 0:
            self._notes[_BELOW_ZERO] = None
        else:
            self._sheet(item.rank).take_at(item, step, epoch)

    def _sheet(self, marked: int | None) -> Sheet:
        rank = self.rank if marked is None else marked
        if rank not in self._sheets:
            self._size = max(self._size, rank + 1)
            self._sheets[rank] = self._new_sheet(rank)
            for sheet in self._sheets.values():
                sheet.size = self._size
        return self._sheets[rank]

    def _new_sheet(self, rank: int) -> Sheet:
        sheet = Sheet(rank, self._size, lambda: self._time_s, self._processes)
        sheet.take(Fact({"source": self.kind.name, **self._facts}))
        return sheet
