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
    rewinds: int = 0
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
        series = overview.column(metric)
        if len(series.values) > known.count or _is_rewound(known):
            _sum_up(known, metric, series)
        return known.numbers


def _is_rewound(known: _Known) -> bool:
    return known.count > 0 and known.overview.pieces("step").rewinds != known.rewinds


def _sum_up(known: _Known, metric: str, series: Series) -> None:
    overview, values = known.overview, series.values
    pyramid = overview.pyramid(metric, series)
    known.best = _best(known, metric, series)
    known.count, known.rewinds = len(values), overview.pieces("step").rewinds
    # What only earlier attempts had logged is nobody's newest value.
    own = values[int(series.before(np.array(-overview.first))) :]
    ends = np.array([len(values) - 1, max(known.best, 0)])
    steps = overview.steps(series, ends)
    newest = (own[-1], steps[0]) if len(own) else (math.nan, math.nan)
    best = (values[known.best], steps[1]) if known.best >= 0 else (math.nan, math.nan)
    recent = own[-RECENT:]
    recent = recent[np.isfinite(recent)]
    middle = np.median(recent) if len(recent) else math.nan
    odd = pyramid.nonfinite(values)
    numbers = (*newest, *best, values[0], middle, _change(recent), *odd)
    known.numbers = tuple(map(float, numbers))


def _best(known: _Known, metric: str, series: Series) -> int:
    """Return where the best value stands of those that are kept; -1 without any."""
    better = describe(metric).better
    if not better:
        return -1
    overview, values = known.overview, series.values
    pyramid, pieces = overview.pyramid(metric, series), overview.pieces("step")
    sign = -1 if better == "higher" else 1
    places, ranges = [known.best], [(known.count, len(values))]
    if known.rewinds != pieces.rewinds:
        kept = [(piece.start, piece.stop) for piece in pieces.cut if piece.kept]
        places, ranges = [], series.before(np.array(kept)).tolist()
    places += [
        pyramid.extreme(values[:stop], start, highest=sign < 0)
        for start, stop in ranges
        if start < stop
    ]
    there = [place for place in places if place >= 0]
    return min(there, key=lambda place: sign * values[place], default=-1)


def _change(recent: Floats) -> float:
    """Return the newest tenth against that before it, as a share of that."""
    tenth = len(recent) // 10
    if tenth < _LEAST:
        return math.nan
    now, before = np.median(recent[-tenth:]), np.median(recent[-2 * tenth : -tenth])
    return float((now - before) / abs(before)) if before else math.nan
