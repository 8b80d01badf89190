"""A rank that mswidget wrote: its file, and that of its alerts."""

from __future__ import annotations

import contextlib
from pathlib import Path

from mswidget.files.names import alerts_file, rank_named
from mswidget.files.rank_file import RankFile
from mswidget.records.alert import folded
from mswidget.records.rank import Rank
from mswidget.records.record import from_line


class OwnSource:
    """Reads one rank from mswidget's own files.

    Parameters
    ----------
    path
        ``rank_<r>.jsonl``, or another file of such lines; it need not exist yet.
    """

    own = True

    def __init__(self, path: Path) -> None:
        self.path = path
        self.logs = {path}
        self._file = RankFile(path)
        self._alerts = RankFile(alerts_file(path))
        named = rank_named(path)
        self.rank = _first_rank(path) if named is None else named
        """The rank in the file's name, else that of its first record, else 0."""
        self._lost = ""
        self._take()

    def _take(self) -> None:
        files = (self._file, self._alerts)
        rank = Rank(
            self.rank,
            self._file.history,
            self._file.events,
            folded(self._alerts.events),
            self.path,
            skipped=[line for file in files for line in file.skipped],
            notes=[note for file in files for note in file.notes],
            left_out=self._file.left_out,
            unread=self._file.unread,
            lost=self._lost,
        )
        self.ranks = {self.rank: rank}
        """What is known by now."""

    @property
    def unread(self) -> int:
        """Bytes that the last reading has left for the next."""
        return self._file.unread + self._alerts.unread

    def start_near_end(self, size: int) -> None:
        """Leave out all but about the last ``size`` bytes; before anything is read."""
        self._file.start_near_end(size)

    def read_on(self, limit: int | None = None) -> bool:
        """Read what was not read yet, as `GrowingFile.read_on` does.

        Something is new as well when the process that writes is gone.
        """
        changed = self._read(limit)
        lost = self._why_lost()
        if lost:
            # Whatever it wrote last is there by now, maybe its end too.
            changed |= self._read(limit)
            lost = self._why_lost()
        if lost != self._lost:
            self._lost = lost
            self._take()
            return True
        return changed

    def _read(self, limit: int | None) -> bool:
        changed = [file.read_on(limit) for file in (self._file, self._alerts)]
        if any(changed):
            self._take()
        return any(changed)

    def _why_lost(self) -> str:
        """Say that nothing more can come, though no end was written; else empty."""
        process = self._file.process
        if process is None or self.unread or self.ranks[self.rank].has_ended:
            return ""
        return f"{process} is gone" if process.is_gone() else ""


def _first_rank(path: Path) -> int:
    with path.open("rb") as file:
        for line in file:
            with contextlib.suppress(ValueError):
                return from_line(line.decode(errors="replace")).rank
    return 0
