"""What ranks are read from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from mswidget.records.rank import Rank


class RankSource(Protocol):
    """Files of a rank, or a log that several share: mswidget's own or another tool's.

    ``rank`` is the one that it is named for; ``ranks`` are all that are known by now,
    which may be none.
    """

    @property
    def path(self) -> Path:
        """The file that grows."""

    @property
    def logs(self) -> set[Path]:
        """All that it reads one after another."""

    @property
    def own(self) -> bool:
        """Whether mswidget wrote it."""

    @property
    def rank(self) -> int:
        """The number of the rank that it is named for."""

    @property
    def ranks(self) -> Mapping[int, Rank]:
        """What is known by now, by number."""

    @property
    def unread(self) -> int:
        """Bytes that the last reading has left for the next."""

    def start_near_end(self, size: int) -> None:
        """Leave out all but about the last ``size`` bytes where that can be done."""

    def read_on(self, limit: int | None = None) -> bool:
        """Read about ``limit`` bytes more; returns whether there was anything new."""
