"""Ten numbers of each metric: what the cards say of it (see `protocol.Summaries`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mswidget.metrics import describe
from mswidget.records.history import Series
from mswidget.records.overview import HistoryOverview
from mswidget.records.pyramid import count_odd, least

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

RECENT = 1000
_LEAST = 3
NUMBERS = 10
_NOTHING = (*(math.nan,) * 7, 0.0, 0.0, 0.0)


@dataclass
class _Known:
    """A metric as it was summed up the last time."""

    overview: HistoryOverview
    count: int = 0
    best: int = -1
    odd: Places = field(default_factory=lambda: np.zeros(3, np.int64))
    rewinds: int = 0
    numbers: tuple[float, ...] = _NOTHING


class Summed:
    """Sums metrics up; what has no new value costs nothing."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], _Known] = {}

    def columns(
        self, track: str, overview: HistoryOverview, metrics: Sequence[str]
    ) -> Floats:
        """Return the numbers of some metrics of a track, shape (10, m)."""
        known = [self._of(track, overview, metric) for metric in metrics]
        columns = [overview.column(metric) for metric in metrics]
        fresh = [
            (summed, metric, column)
            for summed, metric, column in zip(known, metrics, columns, strict=True)
            if len(column.values) > summed.count or _is_rewound(summed)
        ]
        recent = [_recent(overview, column) for _, _, column in fresh]
        middles = _medians([values[np.isfinite(values)] for values in recent])
        for one, middle in zip(fresh, middles, strict=True):
            _sum_up(*one, middle)
        rows = [summed.numbers for summed in known]
        return np.array(rows).reshape(-1, NUMBERS).T

    def _of(self, track: str, overview: HistoryOverview, metric: str) -> _Known:
        known = self._known.get((track, metric))
        if known is None or known.overview is not overview:
            known = self._known[track, metric] = _Known(overview)
        return known


def _is_rewound(known: _Known) -> bool:
    return known.count > 0 and known.overview.pieces("step").rewinds != known.rewinds


def _recent(overview: HistoryOverview, column: Series) -> Floats:
    """Return the newest values; what only earlier attempts had logged is none."""
    own = int(column.before(np.array(-overview.first))) if overview.first else 0
    return column.values[max(own, len(column.values) - RECENT) :]


def _medians(recent: Sequence[Floats]) -> list[tuple[float, float]]:
    """Return the median of each, and its newest tenth against that before it."""
    alike: dict[int, list[int]] = {}
    for at, values in enumerate(recent):
        alike.setdefault(len(values), []).append(at)
    found = [(math.nan, math.nan)] * len(recent)
    for count, places in alike.items():
        if count:
            # Of many at once they cost a fraction of what each costs by itself.
            table = np.stack([recent[at] for at in places])
            middles = np.median(table, axis=1), _changes(table)
            pairs = zip(*(numbers.tolist() for numbers in middles), strict=True)
            for at, pair in zip(places, pairs, strict=True):
                found[at] = pair
    return found


def _changes(recent: Floats) -> Floats:
    """Return the newest tenths against those before them, as a share of these."""
    tenth = recent.shape[1] // 10
    if tenth < _LEAST:
        return np.full(len(recent), np.nan)
    now = np.median(recent[:, -tenth:], axis=1)
    before = np.median(recent[:, -2 * tenth : -tenth], axis=1)
    with np.errstate(invalid="ignore", over="ignore"):
        changes: Floats = (now - before) / np.where(before, np.abs(before), np.nan)
    return changes


def _sum_up(
    known: _Known, metric: str, series: Series, middles: tuple[float, float]
) -> None:
    overview, values = known.overview, series.values
    pieces = overview.pieces("step")
    known.best = _best(known, metric, series)
    known.odd = _odd(known, metric, series)
    known.count, known.rewinds = len(values), pieces.rewinds
    ends = np.array([len(values) - 1, max(known.best, 0)])
    steps = pieces.steps[series.rows(ends)].tolist()
    own = _recent(overview, series)
    newest = (own[-1], steps[0]) if len(own) else (math.nan, math.nan)
    best = (values[known.best], steps[1]) if known.best >= 0 else (math.nan, math.nan)
    numbers = (*newest, *best, values[0], *middles, *known.odd)
    known.numbers = tuple(map(float, numbers))


def _odd(known: _Known, metric: str, series: Series) -> Places:
    """Return how many values are NaN, +Inf and -Inf."""
    if not known.count:
        return known.overview.pyramid(metric, series).nonfinite(series.values)
    return known.odd + count_odd(series.values[known.count :])


def _best(known: _Known, metric: str, series: Series) -> int:
    """Return where the best value stands of those that are kept; -1 without any."""
    better = describe(metric).better
    if not better:
        return -1
    is_higher, values, pieces = (
        better == "higher",
        series.values,
        known.overview.pieces("step"),
    )
    if known.count and known.rewinds == pieces.rewinds:
        place = least(values[known.count :], known.count, highest=is_higher)
        places = [known.best, place]
    else:
        pyramid = known.overview.pyramid(metric, series)
        kept = [(piece.start, piece.stop) for piece in pieces.cut if piece.kept]
        places = [
            pyramid.extreme(values[:stop], start, highest=is_higher)
            for start, stop in series.before(np.array(kept)).tolist()
            if start < stop
        ]
    sign = -1 if is_higher else 1
    there = [place for place in places if place >= 0]
    return min(there, key=lambda place: sign * values[place], default=-1)
