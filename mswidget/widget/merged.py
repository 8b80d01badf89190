"""The histories of several tracks as one, for one picture."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from mswidget.records.history import History, Rows
from mswidget.widget.track import column, metric_of


class Merged:
    """Takes rows of many histories; each column is named after its track too.

    A row belongs to one track.
    """

    def __init__(self) -> None:
        self.history = History()
        self._taken: dict[str, tuple[History, int]] = {}

    def take_shown(
        self, sources: Iterable[tuple[str, History]], shown: Collection[str]
    ) -> None:
        """Take what is new of those of the tracks that are shown."""
        for track, source in sources:
            if track in shown:
                self.take(track, source)

    def take(self, track: str, source: History) -> None:
        """Take what is new of a track; another ``source`` than before, from its begin.

        The page draws the latest row of each step, so a file that was replaced is
        drawn as it is now.
        """
        held, done = self._taken.get(track, (source, 0))
        rows = source.rows(done if held is source else 0)
        self._append(track, rows)
        self._taken[track] = (source, rows.stop)

    def add(self, track: str, numbers: History) -> None:
        """Add numbers of other metrics to a track, once."""
        self._append(track, numbers.rows())

    def _append(self, track: str, rows: Rows) -> None:
        if len(rows.steps):
            columns = {column(track, n): c for n, c in rows.metrics.items()}
            self.history.append(replace(rows, metrics=columns))


def metrics_of(history: History) -> list[str]:
    """Return the metrics of all tracks, in the order in which they first came."""
    return list(dict.fromkeys(map(metric_of, history.names)))
