"""What is new of metrics that a page has been told of before.

Metrics that stand in the same rows go on as one: numpy costs as much for few numbers
as for many, so ten of them cost little more than one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mswidget.records.buckets import ODD, buckets_of, drawn, join, numbers_of
from mswidget.records.history import Series
from mswidget.records.overview import HistoryOverview
from mswidget.records.pieces import Pieces
from mswidget.records.smooth import go_on
from mswidget.widget.extract import MOST_BUCKETS, Extracted, Reach, extract, header_of
from mswidget.widget.protocol import Extract, Piece, Want

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
_MOST_WEIGHTS = 2**18


class _Going(NamedTuple):
    """A metric, and how far a page was told of it."""

    metric: str
    mark: Reach
    column: Series


def grown(
    overview: HistoryOverview, want: Want, marks: Mapping[str, Reach]
) -> dict[str, Extracted | Reach]:
    """Return what is new of some metrics; only how far one is where nothing is.

    Parameters
    ----------
    overview
        Of the track's history.
    want
        What the page asked, of these metrics among others. Its level may be a higher
        one than before: the page makes its buckets from those that it has.
    marks
        How far the page was told, by metric.
    """
    pieces = overview.pieces(want["key"])
    version = pieces.version
    found: dict[str, Extracted | Reach] = {}
    alike: dict[tuple[object, ...], list[_Going]] = {}
    for metric, told in marks.items():
        column = overview.column(metric)
        count = len(column.values)
        is_same = told.version == version
        if is_same and (told.closed or count == told.values):
            found[metric] = told._replace(values=count)
        elif not is_same or told.tail < 0:
            again = extract(overview, want, metric)
            is_news = again.columns.size or told.told
            found[metric] = again if is_news else again.mark
        else:
            curve = _Going(metric, _at_level(told, want, pieces, column), column)
            alike.setdefault(_likeness(curve), []).append(curve)
    for curves in alike.values():
        found |= _Together(overview, want, pieces, curves).grown()
    return found


def _at_level(mark: Reach, want: Want, pieces: Pieces, column: Series) -> Reach:
    """Return how far a page was told, in buckets of the level that is wanted now."""
    if mark.level is None or mark.level >= want["level"]:
        return mark
    piece, size = pieces.cut[-1], 2.0 ** want["level"]
    keys = pieces.keys[piece.start : piece.stop]
    row = int(column.rows(np.array(mark.tail))) - piece.start
    begin = np.searchsorted(keys, np.floor(keys[row] / size) * size)
    tail = int(column.before(np.array(piece.start + begin)))
    told = (mark.told >> (want["level"] - mark.level)) + len(pieces.cut)
    return mark._replace(level=want["level"], told=told, tail=tail, bucket=None)


def _likeness(curve: _Going) -> tuple[object, ...]:
    """Return what is the same for metrics that go on together."""
    mark, column = curve.mark, curve.column
    rows: object = column.first
    if column.sparse is not None:
        rows = column.sparse[mark.values - 1 : len(column.values)].tobytes()
    return len(column.values), rows, mark._replace(bucket=None, average=None)


class _Together:
    """Metrics with new values in the same rows, of which as much was told."""

    def __init__(
        self,
        overview: HistoryOverview,
        want: Want,
        pieces: Pieces,
        curves: Sequence[_Going],
    ) -> None:
        self._overview = overview
        self._want = want
        self._pieces = pieces
        self._curves = curves
        self._mark = mark = curves[0].mark
        column = curves[0].column
        self._count = len(column.values)
        self._rows = column.rows(np.arange(mark.values - 1, self._count))
        self._values = np.stack([c.column.values[mark.values :] for c in curves])

    def grown(self) -> dict[str, Extracted | Reach]:
        """Return an extract of each that goes on, or all of it where it got long."""
        level, most = self._mark.level, 2 * self._want["points"]
        starts, joins = self._starts()
        told = self._mark.told + len(starts) - joins
        if told > (most if level is None else 2 * MOST_BUCKETS):
            names = [curve.metric for curve in self._curves]
            return {name: extract(self._overview, self._want, name) for name in names}
        tail = self._mark.values + int(starts[-1])
        if joins and len(starts) == 1:
            tail = self._mark.tail
        mark = self._mark._replace(values=self._count, told=told, tail=tail)
        return dict(self._extracts(mark, starts, joins=joins))

    def _starts(self) -> tuple[Places, bool]:
        """Return which new values begin a point or a bucket.

        Also whether the first ones go on with the last bucket that was told.
        """
        if self._mark.level is None:
            return np.arange(self._values.shape[1]), False
        buckets = np.floor(self._pieces.keys[self._rows] / 2.0**self._mark.level)
        begins = buckets[1:] != buckets[:-1]
        joins = not begins[0]
        begins[0] = True
        return np.flatnonzero(begins), joins

    def _extracts(
        self, mark: Reach, starts: Places, *, joins: bool
    ) -> Iterator[tuple[str, Extracted]]:
        lasts = np.append(starts[1:], self._values.shape[1]) - 1
        buckets: Floats | None = None
        averages: Floats | None = None
        columns = [*self._keys(lasts), self._values[:, lasts]]
        odd = np.zeros(len(self._curves), bool)
        if mark.level is not None:
            buckets = self._buckets(starts, joins=joins)
            odd = buckets[ODD:].any((0, 2))
            columns[-1:-1] = drawn(buckets)
            columns += list(buckets[ODD:]) if odd.any() else []
        is_smooth = self._want["weight"] > 0
        if is_smooth:
            smooth, averages = self._smooth(lasts)
            columns.append(smooth)
        table = np.empty((len(self._curves), len(columns), len(lasts)))
        for i, column in enumerate(columns):
            table[:, i] = column
        header = self._header(mark, len(lasts))
        for i, curve in enumerate(self._curves):
            told = mark._replace(
                bucket=None if buckets is None else buckets[:, i, -1],
                average=None if averages is None else averages[:, i],
            )
            own, numbers = header.copy(), table[i]
            own["metric"], own["nonfinite"] = curve.metric, bool(odd[i])
            if odd.any() and not odd[i]:
                numbers = np.delete(
                    numbers, np.s_[-3 - is_smooth : len(columns) - is_smooth], axis=0
                )
            yield curve.metric, Extracted(own, numbers, told)

    def _keys(self, lasts: Places) -> list[Floats]:
        """Return keys or numbers of buckets, and the steps where these are no keys."""
        rows = self._rows[1:][lasts]
        keys = self._pieces.keys[rows]
        if self._mark.level is not None:
            keys = np.floor(keys / 2.0**self._mark.level)
        is_step = self._want["key"] == "step"
        return [keys] if is_step else [keys, self._pieces.steps[rows]]

    def _buckets(self, starts: Places, *, joins: bool) -> Floats:
        """Return the buckets that have new values, whole."""
        buckets = buckets_of(self._values, starts)
        if joins:
            before = [self._told_bucket(curve) for curve in self._curves]
            join(buckets[:, :, 0], np.stack(before, axis=1))
        return buckets

    def _told_bucket(self, curve: _Going) -> Floats:
        """Return the last bucket that was told, as it was then."""
        mark = curve.mark
        if mark.bucket is not None:
            return mark.bucket
        ends = np.array([mark.tail]), np.array([mark.values])
        return numbers_of(self._overview.reduce(curve.metric, curve.column, *ends))[
            :, 0
        ]

    def _smooth(self, lasts: Places) -> tuple[Floats, Floats | None]:
        """Return the averages at some new values, and the state after all of them."""
        weight, count = self._want["weight"], self._values.shape[1]
        if not np.isfinite(self._values).all() or count * len(lasts) > _MOST_WEIGHTS:
            places = self._mark.values + lasts
            averages = [
                self._overview.smooth(curve.metric, curve.column, weight, places)
                for curve in self._curves
            ]
            return np.stack(averages), None
        states = [self._told_average(curve) for curve in self._curves]
        return go_on(np.stack(states, axis=1), self._values, lasts, weight)

    def _told_average(self, curve: _Going) -> Floats:
        """Return the state of the average at the last value that was told."""
        mark = curve.mark
        if mark.average is not None:
            return mark.average
        weight = self._want["weight"]
        return self._overview.average(curve.metric, curve.column, weight, mark.values)

    def _header(self, mark: Reach, count: int) -> Extract:
        piece = self._pieces.cut[-1]
        header = header_of(self._want, "", self._pieces, mark)
        header["goes_on"] = True
        told: Piece = {
            "row": piece.start,
            "kept": piece.kept,
            "attempt": piece.attempt,
            "count": count,
        }
        header["pieces"] = [told]
        return header
