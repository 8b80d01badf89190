"""The histories of several tracks as one, for one picture."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

import numpy as np

from mswidget.records.history import History, Rows
from mswidget.widget.track import column, metric_of


class Merged:
    """Takes rows of many histories; each column is named after its track too.

    A row belongs to one track.
    """

    def __init__(self) -> None:
        self.history = History()
        self._taken: dict[str, tuple[History, int]] = {}
        self._reached_s: dict[str, float] = {}

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
        if held is not source:
            done = self._reached_s[track] = 0
        rows = source.rows(done)
        # A clock that was set back must not turn a curve around.
        reached_s = self._reached_s.get(track, 0.0)
        times_s = np.maximum.accumulate([reached_s, *rows.wall_times_s])
        self._reached_s[track] = times_s[-1]
        self._append(track, replace(rows, wall_times_s=times_s[1:]))
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
