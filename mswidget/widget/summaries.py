"""Ten numbers of each metric: what the cards say of it (see `protocol.Summaries`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mswidget.metrics import describe
from mswidget.records.history import Series
from mswidget.records.overview import Overview

Floats = NDArray[np.float64]

RECENT = 1000
_LEAST = 3
NUMBERS = 10
_NOTHING = (*(math.nan,) * 7, 0.0, 0.0, 0.0)


@dataclass
class _Known:
    """A metric as it was summed up the last time."""

    overview: Overview
    count: int = 0
    best: int = -1
    numbers: tuple[float, ...] = _NOTHING


class Summed:
    """Sums metrics up; what has no new value costs nothing."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], _Known] = {}

    def columns(self, track: str, overview: Overview, metrics: Sequence[str]) -> Floats:
        """Return the numbers of some metrics of a track, shape (10, m)."""
        rows = [self._row(track, overview, metric) for metric in metrics]
        return np.array(rows).reshape(-1, NUMBERS).T

    def _row(self, track: str, overview: Overview, metric: str) -> tuple[float, ...]:
        known = self._known.get((track, metric))
        if known is None or known.overview is not overview:
            known = self._known[track, metric] = _Known(overview)
        column = overview.column(metric)
        if len(column.values) > known.count:
            _sum_up(known, metric, column)
        return known.numbers


def _sum_up(known: _Known, metric: str, column: Series) -> None:
    overview, values = known.overview, column.values
    pyramid = overview.pyramid(metric, column)
    better = describe(metric).better
    if better:
        sign = -1 if better == "higher" else 1
        at = pyramid.extreme(values, known.count, highest=sign < 0)
        if at >= 0 and (
            known.best < 0 or sign * values[at] < sign * values[known.best]
        ):
            known.best = at
    known.count = len(values)
    ends = np.array([len(values) - 1, max(known.best, 0)])
    steps = overview.steps(column, ends)
    best = (values[known.best], steps[1]) if known.best >= 0 else (math.nan, math.nan)
    recent = values[-RECENT:]
    recent = recent[np.isfinite(recent)]
    middle = np.median(recent) if len(recent) else math.nan
    odd = pyramid.nonfinite(values)
    numbers = (values[-1], steps[0], *best, values[0], middle, _change(recent), *odd)
    known.numbers = tuple(map(float, numbers))


def _change(recent: Floats) -> float:
    """Return the newest tenth against that before it, as a share of that."""
    tenth = len(recent) // 10
    if tenth < _LEAST:
        return math.nan
    now, before = np.median(recent[-tenth:]), np.median(recent[-2 * tenth : -tenth])
    return float((now - before) / abs(before)) if before else math.nan
