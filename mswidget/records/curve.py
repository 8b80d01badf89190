"""One metric of one rank: each step once, in order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mswidget.records.frame import latest
from mswidget.records.history import Places, Rows

_NOTHING = (np.empty(0, np.int64), np.empty(0))


@dataclass(frozen=True)
class Curve:
    """Values by rising step, of the latest attempt that made it; all have shape (n,).

    ``epochs`` are NaN where they are not known.
    """

    steps: NDArray[np.float64]
    values: NDArray[np.float64]
    epochs: NDArray[np.float64]
    wall_times_s: NDArray[np.float64]


def curves(rows: Rows) -> dict[str, Curve]:
    """Return each metric's curve; of several values at a step the last one."""
    find = _CurveFinder(rows)
    return {name: find(name) for name in rows.metrics}


def curve(rows: Rows, name: str) -> Curve:
    """Return one metric's curve, without a value for an unknown name."""
    return _CurveFinder(rows)(name)


class _CurveFinder:
    """Finds curves in rows; what is in order already is not sorted."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._kept = latest(rows)
        self._in_order = self._kept.all() and bool(np.all(np.diff(rows.steps) > 0))

    def __call__(self, name: str) -> Curve:
        at, values = self._rows.metrics.get(name, _NOTHING)
        at = at - self._rows.start
        if not self._in_order:
            chosen = self._chosen(at)
            return self._curve(at[chosen], values[chosen])
        everywhere = len(at) == len(self._rows.steps)
        return self._curve(slice(None) if everywhere else at, values)

    def _curve(self, at: Places | slice, values: NDArray[np.float64]) -> Curve:
        rows = self._rows
        return Curve(rows.steps[at], values, rows.epochs[at], rows.wall_times_s[at])

    def _chosen(self, at: Places) -> Places:
        """Return which of some rows count, in the order of their steps."""
        chosen = np.flatnonzero(self._kept[at])
        steps = self._rows.steps[at[chosen]]
        order = np.argsort(steps, kind="stable")
        is_last = np.append(np.diff(steps[order]) > 0, True)[: len(order)]
        last: Places = chosen[order[is_last]]
        return last
