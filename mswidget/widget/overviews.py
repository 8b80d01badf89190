"""What is derived of the histories that are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mswidget.records.history import History
from mswidget.records.overview import HistoryOverview
from mswidget.widget.protocol import Extent

Histories = Callable[[], Mapping[str, History]]
_NOTHING = HistoryOverview(History())


class Overviews:
    """The overviews of tracks; one of a track that is not shown is dropped.

    Parameters
    ----------
    histories
        Returns those that are shown, by the track's id.
    """

    def __init__(self, histories: Histories) -> None:
        self._histories = histories
        self._known: dict[str, HistoryOverview] = {}
        self.refresh()

    def refresh(self) -> None:
        """Take in what has come since the last call."""
        known = self._known
        self._known = {}
        for track, history in self._histories().items():
            before = known.get(track)
            # A file that was replaced has another history, and what earlier attempts
            # have logged may be read later.
            seen = before and (before.history, before.first)
            is_same = seen == (history, history.first)
            self._known[track] = (
                before if before and is_same else HistoryOverview(history)
            )
            self._known[track].refresh()

    def of(self, track: str) -> HistoryOverview:
        """Return that of a track; one without rows where it is not shown."""
        return self._known.get(track, _NOTHING)

    @property
    def tracks(self) -> list[str]:
        """The ids of those that are shown."""
        return list(self._known)

    @property
    def rows(self) -> dict[str, int]:
        """How many rows each has."""
        return {track: overview.rows for track, overview in self._known.items()}

    def extents(self) -> list[Extent]:
        """Return what the rows of each span."""
        return [
            {
                "track": track,
                "rows": overview.rows,
                "step": overview.pieces("step").extent,
                "time": overview.pieces("time").extent,
                "epoch": overview.pieces("epoch").extent,
            }
            for track, overview in self._known.items()
        ]
