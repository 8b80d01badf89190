"""Buckets of several columns at once, of values that have just come."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mswidget.records.pyramid import Reduced

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

LOW, HIGH, SUM, COUNT, ODD = range(5)
"""Numbers of a bucket; from the last on, how many are NaN, +Inf and -Inf."""


def buckets_of(values: Floats, starts: Places) -> Floats:
    """Return the numbers of buckets, shape (7, columns, buckets).

    Parameters
    ----------
    values
        Shape (columns, values).
    starts
        At which values a bucket begins; the first at 0.
    """
    numbers = np.zeros((7, len(values), len(starts)))
    numbers[COUNT, :, :-1] = starts[1:] - starts[:-1]
    numbers[COUNT, :, -1] = values.shape[1] - starts[-1]
    lows = highs = finite = values
    is_finite = np.isfinite(values)
    if not is_finite.all():
        lows = np.where(is_finite, values, np.inf)
        highs = np.where(is_finite, values, -np.inf)
        finite = np.where(is_finite, values, 0.0)
        kinds = np.stack([np.isnan(values), values == np.inf, values == -np.inf])
        np.add.reduceat(kinds.astype(float), starts, axis=2, out=numbers[ODD:])
        numbers[COUNT] -= numbers[ODD:].sum(0)
    np.minimum.reduceat(lows, starts, axis=1, out=numbers[LOW])
    np.maximum.reduceat(highs, starts, axis=1, out=numbers[HIGH])
    with np.errstate(over="ignore", invalid="ignore"):
        np.add.reduceat(finite, starts, axis=1, out=numbers[SUM])
    return numbers


def numbers_of(reduced: Reduced) -> Floats:
    """Return the numbers of buckets that are reduced already, shape (7, buckets)."""
    none = reduced.counts == 0
    with np.errstate(over="ignore"):
        sums = np.where(none, 0.0, reduced.means * reduced.counts)
    lows, highs = (
        np.where(none, np.inf, reduced.lows),
        np.where(none, -np.inf, reduced.highs),
    )
    odd = (reduced.nans, reduced.above, reduced.below)
    return np.stack([lows, highs, sums, reduced.counts, *odd])


def join(into: Floats, before: Floats) -> None:
    """Add to some buckets what was in them before."""
    into[LOW] = np.minimum(into[LOW], before[LOW])
    into[HIGH] = np.maximum(into[HIGH], before[HIGH])
    with np.errstate(over="ignore", invalid="ignore"):
        into[SUM:] += before[SUM:]


def drawn(numbers: Floats) -> list[Floats]:
    """Return counts, lows, highs and means, NaN where there is no finite value."""
    low, high, total, count = numbers[:ODD]
    if count.all():
        return [count, low, high, _means(low, high, total, count)]
    none = count == 0
    means = _means(low, high, total, np.maximum(count, 1))
    return [count, *(np.where(none, np.nan, a) for a in (low, high, means))]


def _means(low: Floats, high: Floats, total: Floats, count: Floats) -> Floats:
    with np.errstate(invalid="ignore", over="ignore"):
        means = total / count
        # A sum may be too large for a number, or off by its last bits.
        if not np.isfinite(means).all():
            means = np.where(np.isfinite(means), means, low / 2 + high / 2)
        held: Floats = np.minimum(np.maximum(means, low), high)
    return held
