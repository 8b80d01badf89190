"""Fewer rows of a series that still show every spike and every non-finite value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def envelope(values: NDArray[np.float64], buckets: int) -> NDArray[np.int64]:
    """Return the positions that stand for a series when it must be made smaller.

    Parameters
    ----------
    values : (n,) float64
        One metric, in the order it was logged.
    buckets
        How many equal buckets; at least 1.

    Returns
    -------
    (m,) int64, rising
        Of each bucket the first, last, least and greatest finite value, and the
        first value of each non-finite kind: m <= 7 * buckets. All positions when
        that is not fewer.
    """
    n = len(values)
    if n <= 4 * buckets:
        return np.arange(n)
    edges = np.linspace(0, n, buckets + 1).astype(np.int64)
    starts, stops = edges[:-1], edges[1:]
    keep = np.zeros(n, dtype=bool)
    keep[starts] = keep[stops - 1] = True
    finite = np.isfinite(values)
    keep[_extreme(np.where(finite, values, np.inf), starts, stops)] = True
    keep[_extreme(np.where(finite, -values, np.inf), starts, stops)] = True
    bad = np.flatnonzero(~finite)
    if len(bad):
        keep[bad[_first_of_kind(values[bad], np.searchsorted(stops, bad, "right"))]] = 1
    return np.flatnonzero(keep)


def forward(steps: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Say which rows no later one logs again: a curve never runs backwards."""
    lowest_after = np.minimum.accumulate(steps[:0:-1])[::-1]
    return np.append(steps[:-1] < lowest_after, True)[: len(steps)]


def _extreme(
    values: NDArray[np.float64],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
) -> NDArray[np.int64]:
    least = np.minimum.reduceat(values, starts)
    hits = np.flatnonzero(values == np.repeat(least, stops - starts))
    bucket = np.searchsorted(stops, hits, "right")
    first: NDArray[np.int64] = np.unique(bucket, return_index=True)[1]
    return hits[first]


def _first_of_kind(
    values: NDArray[np.float64], bucket: NDArray[np.int64]
) -> NDArray[np.int64]:
    kind = np.where(np.isnan(values), 0, np.where(values > 0, 1, 2))
    first: NDArray[np.int64] = np.unique(bucket * 3 + kind, return_index=True)[1]
    return first
