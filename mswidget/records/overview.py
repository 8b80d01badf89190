"""A history that is looked at: cut into pieces, and each column soon reduced."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mswidget.records.history import History, Series
from mswidget.records.pieces import Key, Pieces
from mswidget.records.pyramid import Pyramid, Reduced
from mswidget.records.smooth import Smooth

Places = NDArray[np.int64]
_WEIGHTS = 4
"""So many averages of a column are remembered."""


class HistoryOverview:
    """What is derived of one history, of what somebody has looked at.

    Used by one thread at a time; another may write the history meanwhile. All answers
    are of the rows that there were at the last `refresh`, counted from the first: where
    earlier attempts stand before row 0, all rows are copied, to follow one another.
    """

    def __init__(self, history: History) -> None:
        self.history = history
        self.first = history.first
        """Which row of the history is the first; others need another overview."""
        self.rows = 0
        self._numbers = History() if self.first else history
        self._pieces: dict[Key, Pieces] = {}
        self._pyramids: dict[str, Pyramid] = {}
        self._smooth: dict[str, dict[float, Smooth]] = {}
        self.refresh()

    def refresh(self) -> None:
        """Take in the rows that have come since the last call."""
        if self.first:
            self._numbers.append(self.history.rows(self.first + self.rows))
        self.rows = len(self._numbers)

    def pieces(self, key: Key) -> Pieces:
        """Return the pieces by a key."""
        pieces = self._pieces.get(key)
        if pieces is None:
            pieces = self._pieces[key] = Pieces(self._numbers, key)
        pieces.extend(self.rows)
        return pieces

    def newest(self, key: Key) -> float:
        """Return the key of the last row, as logged; NaN where there is none."""
        last = self._numbers.step_and_time_s(self.rows - 1) if self.rows else None
        if key == "epoch" or last is None:
            keys = self.pieces(key).keys[-1:]
            return float(keys[0]) if len(keys) else math.nan
        return last[key == "time"]

    def column(self, metric: str) -> Series:
        """Return a metric; without values where nobody has logged it."""
        return self._numbers.series(metric, self.rows)

    def pyramid(self, metric: str, column: Series) -> Pyramid:
        """Return the pyramid of a metric."""
        pyramid = self._pyramids.get(metric)
        if pyramid is None:
            pyramid = self._pyramids[metric] = Pyramid()
        pyramid.extend(column.values)
        return pyramid

    def reduce(
        self, metric: str, column: Series, starts: Places, stops: Places
    ) -> Reduced:
        """Return what ranges of a metric's values are; see `Pyramid.reduce`."""
        return self.pyramid(metric, column).reduce(column.values, starts, stops)

    def smooth(
        self, metric: str, column: Series, weight: float, places: Places
    ) -> NDArray[np.float64]:
        """Return a metric's running average at some places; see `Smooth.at`."""
        smooth, begins = self._average(metric, column, weight)
        return smooth.at(column.values, places, begins)

    def average(
        self, metric: str, column: Series, weight: float, stop: int
    ) -> NDArray[np.float64]:
        """Return the state of that average before a place; see `Smooth.state`."""
        smooth, begins = self._average(metric, column, weight)
        return smooth.state(column.values, stop, begins)

    def _average(
        self, metric: str, column: Series, weight: float
    ) -> tuple[Smooth, Places]:
        known = self._smooth.setdefault(metric, {})
        smooth = known.pop(weight, None) or Smooth(weight)
        known[weight] = smooth
        if len(known) > _WEIGHTS:
            del known[next(iter(known))]
        begins = column.before(np.array(self.pieces("step").begins, np.int64))
        smooth.extend(column.values, begins)
        return smooth, begins
