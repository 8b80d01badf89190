"""One rank of a watched run: what its file says of it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeGuard

from mswidget.files.rank_file import RankFile
from mswidget.files.tail import newest_first
from mswidget.importers.imported_file import ImportedFile
from mswidget.records.history import History, Rows
from mswidget.records.phase import ENDED, phase_of
from mswidget.records.ranks import SILENT_S, why_no_loss
from mswidget.records.record import Event, Record
from mswidget.run.text import shown
from mswidget.widget.protocol import Phase

QUIET_S = 600.0
"""Of a rank that has not ended, and got nothing for so long, it is told."""


@dataclass(frozen=True)
class WatchedRank:
    """A rank, its file, and its share of what has been read of that by now."""

    rank: int
    file: RankFile
    history: History
    events: Sequence[Event]

    @property
    def path(self) -> Path:
        """Its file, which a log may share with other ranks."""
        return self.file.path

    @cached_property
    def phase(self) -> tuple[Phase, str]:
        """What it does, and the detail in words."""
        return phase_of(self.history, self.events)

    @cached_property
    def begin(self) -> Mapping[str, object]:
        """What the last begin of its training says."""
        begins = (e.fields for e in reversed(self.events) if e.name == "train_begin")
        return next(begins, {})

    @cached_property
    def why_no_loss(self) -> str:
        """Why its loss means nothing; empty when it does."""
        return why_no_loss(self.events)

    @property
    def note(self) -> str:
        """Why there is less to see than of others."""
        why = self.why_no_loss
        texts = [f"no loss on this rank: {why}"] if why else []
        if self.file.left_out:
            texts.append(
                "only the end of its file is read: it is long, and one of many"
            )
        return "; ".join(texts)

    @property
    def notes(self) -> list[str]:
        """What a reader of its numbers has to know."""
        if _is_shared(self.file):
            return self.file.notes_of(self.rank)
        return self.file.notes

    @cached_property
    def started_s(self) -> float:
        """When it began."""
        first = self.history.moment(0)
        times = [first[1]] if first else []
        return min([*times, *(e.wall_time_s for e in self.events[:1])], default=0.0)

    @cached_property
    def last_s(self) -> float:
        """When it logged its last values."""
        last = self.history.moment(-1)
        return last[1] if last else 0.0

    def since_s(self) -> float:
        """Return when its phase began."""
        return self.events[-1].wall_time_s if self.phase[0] in ENDED else self.started_s

    def quiet(self) -> str:
        """Say since when nothing has come; empty when it has ended, or not for long.

        A process that was killed, and a log of another tool, may never say the end.
        """
        last_s = self.last_s
        if not last_s or self.phase[0] in ENDED:
            return ""
        with contextlib.suppress(OSError):
            # What a log says may be the time of another zone.
            last_s = self.path.stat().st_mtime
        if last_s > time.time() - QUIET_S:
            return ""
        at = time.strftime("%Y-%m-%d %H:%M %Z", time.localtime(last_s))
        return f"no new values since {at}"

    def goes_on(self, newest_s: float) -> bool:
        """Say whether it will log more; one that was killed does not say so."""
        return self.phase[0] not in ENDED and self.last_s > newest_s - SILENT_S

    def rows(self, start: int, stop: int | None = None) -> Rows:
        """Return rows without their metrics, whose number would cost."""
        return self.history.rows(start, stop, names=())

    def newest(self) -> dict[str, object]:
        """Return where it is and what it logs, while its long file is being read."""
        records = (item for item in newest_first(self.path) if isinstance(item, Record))
        last = next(records, None)
        if last is None:
            return {}
        known = {
            "step": last.step,
            "epoch": last.epoch,
            "last_value_s": last.wall_time_s,
        }
        values = ", ".join(shown(last.values))
        return {**known, "detail": f"{values}; the history is being read"}


def ranks_in(files: Mapping[int, RankFile]) -> dict[int, WatchedRank]:
    """Return the ranks in files; a log of another tool may hold several.

    A rank that has a file of its own is what that says.
    """
    found = {rank: one for file in files.values() for rank, one in _several(file)}
    own = {
        rank: WatchedRank(rank, file, file.history, file.events)
        for rank, file in files.items()
        if not any(one.file is file for one in found.values())
    }
    return dict(sorted({**found, **own}.items()))


def _is_shared(file: RankFile) -> TypeGuard[ImportedFile]:
    return isinstance(file, ImportedFile) and len(file.sheets) > 1


def _several(file: RankFile) -> Iterator[tuple[int, WatchedRank]]:
    if _is_shared(file):
        for rank, sheet in file.sheets.items():
            yield rank, WatchedRank(rank, file, sheet.history, sheet.events)
