"""What a page sees of one metric: exactly, or bucket by bucket (see `protocol`)."""

from __future__ import annotations

import functools
import json
import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mswidget.records.overview import HistoryOverview
from mswidget.records.pieces import Pieces, RowPiece, Version
from mswidget.widget.protocol import Extract, Piece, Want

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

MOST_BUCKETS = 4096
"""A range is cut into so many at most: else the level is a higher one."""
MOST_PIECES = 200
"""So many pieces that are kept, and so many that are not, are looked at."""
FLOAT_BYTES = 8
_LEAST_CUT = 64
_HAIR = 1e-15
_LEAST_HAIR = 1e-300
_HEADER = 300
_PIECE = 80
_NONE = np.empty(0, np.int64)


class Reach(NamedTuple):
    """How far a page has been told of a metric.

    ``values`` of it there were, in pieces of a ``version``; ``told`` points or buckets
    were sent, of which the last begins at the place ``tail``; -1 where the newest value
    is not among them. What is ``closed`` gets no more. What that last bucket held then,
    and the average, are known once they have gone on (see `growth`).
    """

    values: int
    version: Version
    level: int | None
    told: int
    tail: int
    closed: bool
    left: int
    bucket: Floats | None = None
    average: Floats | None = None


@dataclass(frozen=True)
class Extracted:
    """An extract, its columns (see `protocol`), and what it has told."""

    header: Extract
    columns: Floats
    mark: Reach

    @property
    def buffer(self) -> bytes:
        """The columns as they are sent."""
        return self.columns.astype("<f8").tobytes()

    @cached_property
    def nbytes(self) -> int:
        """At most so many bytes."""
        return FLOAT_BYTES * self.columns.size + self.header_bytes

    @cached_property
    def header_bytes(self) -> int:
        """At most so many bytes say what the columns are."""
        header, pieces = self.header, self.header["pieces"]
        names = [header["track"], header["metric"], *(p["attempt"] for p in pieces)]
        return sum(map(_length, names)) + _HEADER + _PIECE * len(pieces)


@functools.lru_cache(maxsize=4096)
def _length(name: str) -> int:
    return len(json.dumps(name))


def extract(overview: HistoryOverview, want: Want, metric: str) -> Extracted:
    """Return what a page sees of a metric.

    Parameters
    ----------
    overview
        Of the track's history.
    want
        What the page asked; of its metrics this is one.
    metric
        Its name; a track that has not got it has no pieces of it.
    """
    return _Extraction(overview, want, metric).whole()


def cut(extracted: Extracted, room: int) -> tuple[Extracted | None, Extracted | None]:
    """Return what of an extract fits into so many bytes, and what is left of it."""
    if extracted.nbytes <= room:
        return extracted, None
    rows, count = extracted.columns.shape
    at = (room - extracted.header_bytes) // (FLOAT_BYTES * rows)
    if at < min(_LEAST_CUT, count):
        return None, extracted
    header = extracted.header
    rest = extracted.columns[:, at:]
    begin = float(rest[0].min()) * 2.0 ** (header["level"] or 0)
    first: Extract = {**header, "pieces": _within(header["pieces"], 0, at)}
    first["end"] = min(max(header["begin"], _below(begin)), header["end"])
    pieces = _within(header["pieces"], at, count)
    second: Extract = {**header, "pieces": pieces, "goes_on": True}
    told = Extracted(first, extracted.columns[:, :at], extracted.mark)
    return told, Extracted(second, rest, extracted.mark)


def _below(key: float) -> float:
    """Return a key that is lower, also where it is rounded up."""
    return key - max(_HAIR * abs(key), _LEAST_HAIR)


def _within(pieces: list[Piece], start: int, stop: int) -> list[Piece]:
    """Return the pieces that have points from ``start`` to ``stop``."""
    ends = np.cumsum([piece["count"] for piece in pieces])
    counts = np.diff(np.clip(ends, start, stop), prepend=start).tolist()
    return [{**p, "count": n} for p, n in zip(pieces, counts, strict=True) if n]


class _Stretch(NamedTuple):
    """A piece as places of a metric's values; what is asked is ``a`` to ``b``."""

    piece: RowPiece
    low: int
    a: int
    b: int
    high: int

    @property
    def is_seen(self) -> bool:
        """Whether a line of it crosses the range."""
        return self.a < self.b or self.low < self.a < self.high


class _Extraction:
    """One metric of one track, as a page wants to see it."""

    def __init__(self, overview: HistoryOverview, want: Want, metric: str) -> None:
        self.want = want
        self.metric = metric
        self.overview = overview
        self.pieces = overview.pieces(want["key"])
        self.column = overview.column(metric)

    def whole(self) -> Extracted:
        """Return all that is asked."""
        held, left = self._held()
        begin = -math.inf if self.want["begin"] is None else self.want["begin"]
        end = math.inf if self.want["end"] is None else self.want["end"]
        level = self._level(held, begin, end)
        closed = self._is_closed(held, end, 2.0**level)
        if not closed:
            end, level = math.inf, self._level(held, begin, math.inf)
        stretches = self._stretches(held, begin, np.nextafter(end, math.inf))
        told = sum(s.b - s.a for s in stretches)
        is_exact = told <= self.want["points"]
        if is_exact:
            counts, starts, stops = _one_by_one(stretches)
        else:
            size = 2.0**level
            edges = (_aligned(begin, 0, size), _aligned(end, 1, size))
            counts, starts, stops = self._bucketed(self._stretches(held, *edges), size)
            told = len(starts)
        tail, drawn = self._tail(held, starts, stops), None if is_exact else level
        mark = self._mark(drawn, told, tail, closed=closed, left=left)
        pieces = [(piece, n) for (piece, *_), n in zip(held, counts, strict=True) if n]
        return self._extracted(pieces, starts, stops, mark)

    def _held(self) -> tuple[list[tuple[RowPiece, int, int]], int]:
        """Return the newest pieces with their places, and how much is in others."""
        pieces = self.pieces.cut
        ends = np.array([(piece.start, piece.stop) for piece in pieces], np.int64)
        places = self.column.before(ends.reshape(-1, 2)).tolist()
        room = {True: MOST_PIECES, False: MOST_PIECES}
        held, left = [], 0
        for piece, (low, high) in zip(reversed(pieces), reversed(places), strict=True):
            if low == high:
                continue
            room[piece.kept] -= 1
            if room[piece.kept] >= 0:
                held.append((piece, low, high))
            else:
                left += high - low
        return held[::-1], left

    def _is_closed(
        self, held: list[tuple[RowPiece, int, int]], end: float, size: float
    ) -> bool:
        """Say whether what comes in the last piece is beyond all that is asked."""
        if end == math.inf or not held or held[-1][0] is not self.pieces.cut[-1]:
            return False
        # The first bucket after the range is there too, and has to be complete.
        (after,) = self._stretches(held[-1:], _aligned(end, 1, size), math.inf)
        return (
            after.a < after.high and self._bucket(after, after.a, size)[1] < after.high
        )

    def _tail(
        self, held: list[tuple[RowPiece, int, int]], starts: Places, stops: Places
    ) -> int:
        """Return where the newest value's bucket starts, if it is in the last piece."""
        is_there = len(stops) > 0 and stops[-1] == len(self.column.values)
        is_last = is_there and held[-1][0] is self.pieces.cut[-1]
        return int(starts[-1]) if is_last and self.pieces.version.is_open else -1

    def _level(
        self, held: list[tuple[RowPiece, int, int]], begin: float, end: float
    ) -> int:
        """Return the level of buckets: the wanted one, if that is not too fine."""
        keys = self.pieces.keys
        ends = [(keys[piece.start], keys[piece.stop - 1]) for piece, *_ in held]
        spans = (min(end, high) - max(begin, low) for low, high in ends)
        span = sum(float(span) for span in spans if span > 0)
        least = math.ceil(math.log2(span / MOST_BUCKETS)) if span else -1024
        return max(self.want["level"], least)

    def _stretches(
        self, held: list[tuple[RowPiece, int, int]], begin: float, end: float
    ) -> list[_Stretch]:
        """Return the pieces, and which of their places hold ``begin <= key < end``."""
        keys = self.pieces.keys
        found = []
        for piece, low, high in held:
            edges = np.searchsorted(keys[piece.start : piece.stop], (begin, end))
            a, b = self.column.before(piece.start + edges).tolist()
            a = min(max(a, low), high)
            found.append(_Stretch(piece, low, a, min(max(a, b), high), high))
        return found

    def _bucketed(
        self, stretches: list[_Stretch], size: float
    ) -> tuple[list[int], Places, Places]:
        """Return how many buckets each has, and where these start and stop."""
        edges = [self._buckets(s, size) for s in stretches]
        starts = np.concatenate([_NONE, *(places[:-1] for places in edges)])
        stops = np.concatenate([_NONE, *(places[1:] for places in edges)])
        return [max(len(places) - 1, 0) for places in edges], starts, stops

    def _buckets(self, s: _Stretch, size: float) -> Places:
        """Return the places that part the buckets of a stretch."""
        if not s.is_seen:
            return _NONE
        low = self._bucket(s, s.a - 1, size)[0] if s.a > s.low else s.a
        high = self._bucket(s, s.b, size)[1] if s.b < s.high else s.b
        inside = self._edges(s, size) if s.a < s.b else _NONE
        edges: Places = np.unique(np.concatenate([[low, s.a], inside, [s.b, high]]))
        return edges

    def _edges(self, s: _Stretch, size: float) -> Places:
        """Return the places inside a range at which a bucket ends."""
        ends = np.floor(self._keys(np.array([s.a, s.b - 1])) / size)
        return self._before(s, np.arange(ends[0] + 1, ends[1] + 1) * size)

    def _bucket(self, s: _Stretch, place: int, size: float) -> tuple[int, int]:
        """Return where the bucket of the value at a place starts, and stops."""
        bucket = math.floor(self._keys(np.array([place]))[0] / size)
        edges = np.array([bucket, bucket + 1]) * size
        start, stop = np.clip(self._before(s, edges), s.low, s.high).tolist()
        return start, stop

    def _before(self, s: _Stretch, keys: Floats) -> Places:
        """Return how many values stand before some keys in a piece."""
        inside = self.pieces.keys[s.piece.start : s.piece.stop]
        return self.column.before(s.piece.start + np.searchsorted(inside, keys))

    def _keys(self, places: Places) -> Floats:
        return self.pieces.keys[self.column.rows(places)]

    def _mark(
        self, level: int | None, told: int, tail: int, *, closed: bool, left: int
    ) -> Reach:
        values = len(self.column.values)
        return Reach(values, self.pieces.version, level, told, tail, closed, left)

    def _columns(
        self, starts: Places, stops: Places, level: int | None
    ) -> list[Floats]:
        """Return the columns up to the average; see `protocol`."""
        newest = stops - 1
        keys, values = self._keys(newest), self.column.values[newest]
        rows = self.column.rows(newest)
        steps = [] if self.want["key"] == "step" else [self.pieces.steps[rows]]
        if level is None:
            return [keys, *steps, values]
        found = self.overview.reduce(self.metric, self.column, starts, stops)
        columns = [np.floor(keys / 2.0**level), *steps]
        columns += [found.counts, found.lows, found.highs, found.means, values]
        if (found.counts != stops - starts).any():
            columns += [found.nans, found.above, found.below]
        return columns

    def _extracted(
        self,
        pieces: list[tuple[RowPiece, int]],
        starts: Places,
        stops: Places,
        mark: Reach,
    ) -> Extracted:
        """Return values or buckets with what a page has to know of them."""
        columns, plain = self._columns(starts, stops, mark.level), 6
        weight, key = self.want["weight"], self.want["key"]
        header = header_of(self.want, self.metric, self.pieces, mark)
        header["nonfinite"] = len(columns) > plain + (key != "step")
        header["pieces"] = [
            {"row": p.start, "kept": p.kept, "attempt": p.attempt, "count": n}
            for p, n in pieces
        ]
        if weight:
            newest = stops - 1
            smooth = self.overview.smooth(self.metric, self.column, weight, newest)
            columns.append(smooth)
        return Extracted(header, np.stack(columns), mark)


def header_of(want: Want, metric: str, pieces: Pieces, mark: Reach) -> Extract:
    """Return what a page has to know of an extract, which has no pieces yet."""
    low, high = pieces.extent or (0.0, 0.0)
    begin = low if want["begin"] is None else want["begin"]
    end = begin if want["end"] is None else want["end"]
    return {
        "track": want["track"],
        "metric": metric,
        "key": want["key"],
        "weight": want["weight"],
        "level": mark.level,
        "begin": begin,
        "end": end if mark.closed else max(begin, high),
        "goes_on": False,
        "nonfinite": False,
        "pieces": [],
        "left_out": mark.left,
    }


def _one_by_one(stretches: list[_Stretch]) -> tuple[list[int], Places, Places]:
    """Return how many values each has, with neighbours, and their places."""
    places = [
        np.arange(s.a - (s.a > s.low), s.b + (s.b < s.high)) if s.is_seen else _NONE
        for s in stretches
    ]
    starts = np.concatenate([_NONE, *places])
    return [len(held) for held in places], starts, starts + 1


def _aligned(key: float, more: int, size: float) -> float:
    """Return where the bucket that holds a key begins, or one that many after it."""
    return key if math.isinf(key) else (math.floor(key / size) + more) * size
