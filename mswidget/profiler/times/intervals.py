"""Sets of moments: merged, sorted intervals of int64 nanoseconds, shape (n, 2)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

Intervals = NDArray[np.int64]

_FIRST, _LAST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


def nanoseconds(microseconds: pd.Series[Any]) -> pd.Series[Any]:
    """Return durations as whole nanoseconds."""
    return (microseconds * 1000).round().astype("int64")


def union(starts: ArrayLike, ends: ArrayLike) -> Intervals:
    """Merge intervals that overlap or touch; empty ones vanish."""
    pairs = np.column_stack([np.asarray(starts), np.asarray(ends)]).astype(np.int64)
    pairs = pairs[pairs[:, 1] > pairs[:, 0]]
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    if not len(pairs):
        return pairs
    reach = np.maximum.accumulate(pairs[:, 1])
    first = np.append(True, pairs[1:, 0] > reach[:-1])
    last = np.append(first[1:], True)
    return np.column_stack([pairs[first, 0], reach[last]])


def total(intervals: Intervals) -> int:
    """Return how many nanoseconds the intervals cover."""
    return int((intervals[:, 1] - intervals[:, 0]).sum())


def intersect(left: Intervals, right: Intervals) -> Intervals:
    """Return what is in both."""
    low = np.searchsorted(right[:, 1], left[:, 0], side="right")
    high = np.searchsorted(right[:, 0], left[:, 1], side="left")
    counts = np.maximum(high - low, 0)
    mine = np.repeat(np.arange(len(left)), counts)
    before = np.repeat(np.cumsum(counts) - counts, counts)
    theirs = np.arange(counts.sum()) - before + np.repeat(low, counts)
    return np.column_stack(
        [
            np.maximum(left[mine, 0], right[theirs, 0]),
            np.minimum(left[mine, 1], right[theirs, 1]),
        ]
    )


def subtract(left: Intervals, right: Intervals) -> Intervals:
    """Return what is in ``left`` only."""
    edges = np.concatenate([[_FIRST], right.ravel(), [_LAST]]).reshape(-1, 2)
    return intersect(left, edges)
