"""A page without a browser: what it holds of one metric, and what it should."""

import math

import numpy as np

from mswidget.records.history import History
from mswidget.records.pieces import Pieces
from mswidget.records.record import Record


def columns_of(header, buffer):
    """Return {name: values} of an extract."""
    names = ["keys"] if header["level"] is None else ["buckets"]
    names += ["steps"] if header["key"] != "step" else []
    if header["level"] is None:
        names.append("values")
    else:
        names += ["counts", "lows", "highs", "means", "lasts"]
        names += ["nans", "above", "below"] if header["nonfinite"] else []
    names += ["smooth"] if header["weight"] else []
    numbers = np.frombuffer(buffer, "<f8").reshape(len(names), -1)
    return dict(zip(names, numbers, strict=True))


class Client:
    """What a page holds of one metric of one track."""

    def __init__(self):
        self.header = None
        self.pieces = {}

    def take(self, header, buffer):
        """Take an extract in."""
        if not header["goes_on"]:
            self.pieces = {}
        elif self.header["level"] != header["level"]:
            self._coarsen(header["level"] - self.header["level"])
        self.header = header
        columns = columns_of(header, buffer)
        at = 0
        for piece in header["pieces"]:
            stop = at + piece["count"]
            part = {name: column[at:stop] for name, column in columns.items()}
            self._add(
                piece,
                [
                    dict(zip(part, row, strict=True))
                    for row in zip(*part.values(), strict=True)
                ],
            )
            at = stop
        assert at == len(next(iter(columns.values())))

    def _coarsen(self, levels):
        """Make larger buckets of those that are there."""
        for _, points in self.pieces.values():
            groups = {}
            for point in points:
                number = math.floor(point["buckets"] / 2**levels)
                groups.setdefault(number, []).append(point)
            points[:] = [_joined(number, held) for number, held in groups.items()]

    def _add(self, piece, points):
        told = (piece["kept"], piece["attempt"])
        known, held = self.pieces.setdefault(piece["row"], (told, []))
        assert known == told
        for point in points:
            if "buckets" in point and held and held[-1]["buckets"] == point["buckets"]:
                held.pop()
            held.append(
                {"nans": 0, "above": 0, "below": 0, **point}
                if "buckets" in point
                else point
            )


def _joined(number, points):
    sums = {
        name: sum(point[name] for point in points)
        for name in ("counts", "nans", "above", "below")
    }
    finite = [point for point in points if point["counts"]]
    total = sum(point["means"] * point["counts"] for point in finite)
    return {
        **points[-1],
        **sums,
        "buckets": number,
        "lows": min((point["lows"] for point in finite), default=math.nan),
        "highs": max((point["highs"] for point in finite), default=math.nan),
        "means": total / sums["counts"] if finite else math.nan,
    }


def records_of(rows):
    """Return records of rows as the examples hold them."""
    return [Record(rank=0, **row) for row in rows]


def history_of_rows(rows):
    """Return a history of (step, time, epoch, attempt, {metric: value})."""
    history = History()
    history.extend(Record(s, t, 0, a, values, e) for s, t, e, a, values in rows)
    return history


def seen(rows, want, metric, level):
    """Return what a page should hold of a metric, computed row by row."""
    history = history_of_rows(rows)
    pieces = Pieces(history, want["key"])
    pieces.extend(len(history))
    averages = _averages(rows, metric, want["weight"])
    held = {}
    for piece in pieces.cut:
        points = [
            {
                "keys": pieces.keys[row],
                "steps": rows[row][0],
                "values": rows[row][4][metric],
                "smooth": averages[row],
            }
            for row in range(piece.start, piece.stop)
            if metric in rows[row][4]
        ]
        points = _asked(
            points if level is None else _buckets(points, level), want, level
        )
        names = {"steps"} if want["key"] == "step" else set()
        names |= set() if want["weight"] else {"smooth"}
        if points:
            points = [{k: v for k, v in p.items() if k not in names} for p in points]
            held[piece.start] = ((piece.kept, piece.attempt), points)
    return held


def _asked(points, want, level):
    """Leave what is in the range, and its neighbours."""
    begin = -math.inf if want["begin"] is None else want["begin"]
    end = math.inf if want["end"] is None else want["end"]
    size = 1 if level is None else 2.0**level
    at = "keys" if level is None else "buckets"
    if level is not None:
        begin = begin if begin == -math.inf else math.floor(begin / size)
        end = end if end == math.inf else math.floor(end / size)
    inside = [i for i, point in enumerate(points) if begin <= point[at] <= end]
    before = [i for i, point in enumerate(points) if point[at] < begin][-1:]
    after = [i for i, point in enumerate(points) if point[at] > end][:1]
    if not inside and not (before and after):
        return []
    return [points[i] for i in (*before, *inside, *after)]


def _buckets(points, level):
    found = {}
    for point in points:
        found.setdefault(math.floor(point["keys"] / 2.0**level), []).append(point)
    return [_bucket(number, inside) for number, inside in found.items()]


def _bucket(number, points):
    values = np.array([point["values"] for point in points])
    finite = values[np.isfinite(values)]
    none = math.nan
    return {
        "buckets": number,
        "steps": points[-1]["steps"],
        "counts": len(finite),
        "lows": finite.min() if len(finite) else none,
        "highs": finite.max() if len(finite) else none,
        "means": finite.mean() if len(finite) else none,
        "lasts": points[-1]["values"],
        "nans": np.isnan(values).sum(),
        "above": (values == np.inf).sum(),
        "below": (values == -np.inf).sum(),
        "smooth": points[-1]["smooth"],
    }


def _averages(rows, metric, weight):
    total = mass = 0.0
    found = []
    for i, (step, _, _, attempt, values) in enumerate(rows):
        if i and (step < rows[i - 1][0] or attempt != rows[i - 1][3]):
            total = mass = 0.0
        value = values.get(metric, math.nan)
        if math.isfinite(value):
            total = weight * total + (1 - weight) * value
            mass = weight * mass + (1 - weight)
        found.append(total / mass if mass else math.nan)
    return found


def same(held, expected):
    """Compare what is held with what should be."""
    assert held.keys() == expected.keys()
    for row, (told, points) in held.items():
        assert told == expected[row][0]
        assert len(points) == len(expected[row][1])
        for point, other in zip(points, expected[row][1], strict=True):
            assert point.keys() == other.keys()
            for name, value in point.items():
                close = (
                    {"rtol": 1e-9, "atol": 1e-9}
                    if name in ("means", "smooth")
                    else {"rtol": 0}
                )
                np.testing.assert_allclose(value, other[name], err_msg=name, **close)
