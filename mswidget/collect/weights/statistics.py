"""What an array of numbers looks like, in a few numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mswidget.records.parameters import QUANTILES

SAMPLE = 2**13
_CHUNK = 2**13  # small enough for BLAS to stay in this thread
_SHARES = np.array(list(QUANTILES.values()))

Numbers = NDArray[np.generic]
"""Of any type that becomes float64, also ``bfloat16``."""


def statistics(array: Numbers) -> dict[str, float]:
    """Return mean, std, absmax, the share of zeros, and `QUANTILES`.

    NaN and the infinities make of mean, std and absmax what they are, are counted as
    ``nonfinite`` when there are any, and left out of the quantiles. Quantiles of more
    than `SAMPLE` numbers are those of a sample, evenly strided and the same each
    time; ``min`` and ``max`` are always exact.
    """
    flat = np.ravel(array)
    if not flat.size:
        return {}
    with np.errstate(all="ignore"):
        count, mean, squares, zeros, finite, low, high, absmax = np.array(
            [_summary(chunk) for chunk in _chunks(flat)]
        ).T
        whole = np.average(mean, weights=count)
        # Squares around the mean of all, from those around the mean of each chunk.
        spread = squares.sum() + count @ np.square(mean - whole)
    values = {
        "mean": float(whole),
        "std": math.sqrt(spread / flat.size),
        "absmax": float(absmax.max()),
        "zeros": float(zeros.sum()) / flat.size,
    }
    bad = flat.size - int(finite.sum())
    if bad:
        values["nonfinite"] = bad
    return values | _quantiles(flat, float(low.min()), float(high.max()))


def update_ratio(before: Numbers, after: Numbers) -> float | None:
    """Return ‖after - before‖ / ‖before‖; None when ``before`` is all zeros."""
    moved = norm = 0.0
    with np.errstate(all="ignore"):
        pairs = zip(_chunks(np.ravel(before)), _chunks(np.ravel(after)), strict=True)
        for old, new in pairs:
            norm += float(old @ old)
            change = new - old
            moved += float(change @ change)
    return None if norm == 0 else math.sqrt(moved / norm)


def _chunks(flat: Numbers) -> Iterator[NDArray[np.float64]]:
    for start in range(0, flat.size, _CHUNK):
        yield flat[start : start + _CHUNK].astype(np.float64)


def _summary(chunk: NDArray[np.float64]) -> tuple[float, ...]:
    """Return what `statistics` puts together; overwrites the chunk."""
    low, high, zeros = chunk.min(), chunk.max(), chunk.size - np.count_nonzero(chunk)
    absmax = max(-low, high)
    finite = chunk.size
    if not math.isfinite(absmax):
        usual = chunk[np.isfinite(chunk)]
        absmax, finite = np.abs(chunk).max(), usual.size
        low, high = usual.min(initial=math.inf), usual.max(initial=-math.inf)
    mean = chunk.mean()
    chunk -= mean
    squares = float(chunk @ chunk)
    return chunk.size, mean, squares, zeros, finite, low, high, absmax


def _quantiles(flat: Numbers, low: float, high: float) -> dict[str, float]:
    """Return the quantiles of the finite numbers; empty without any."""
    sample = flat[:: _stride(flat.size)].astype(np.float64)
    sample = sample[np.isfinite(sample)]
    if not sample.size:
        return {}
    places = _SHARES * (sample.size - 1)
    below = places.astype(np.int64)
    above = np.minimum(below + 1, sample.size - 1)
    # Sorts no more than is asked for.
    sample.partition(np.union1d(below, above))
    values = sample[below] + (places - below) * (sample[above] - sample[below])
    return dict(zip(QUANTILES, values.tolist(), strict=True)) | {
        "min": low,
        "max": high,
    }


def _stride(size: int) -> int:
    """Return a step that keeps at most `SAMPLE`, and favours no column of a matrix."""
    stride = -(-size // SAMPLE)
    while math.gcd(stride, size) > 1:
        stride += 1
    return stride
