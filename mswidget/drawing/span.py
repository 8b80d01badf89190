"""Which values a static picture spans; the page does so in ``js/src/draw/span.js``."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

FLAT = 1e-9
"""What spans less than this share of its size is drawn as flat: it is rounding."""
ROOM = 0.1
"""Of a flat curve so much of its size is seen on each side."""
FIRST = 3
"""A training may begin with so many values that are out of all proportion."""
OUT = 1 / 20
"""They are, where the others would be seen on less than this share of the height."""
LEAST = 10
"""Fewer other values are no measure."""

Floats = NDArray[np.float64]


def outside(values: Floats) -> NDArray[np.bool_]:
    """Say which of a curve's first values are left out of its picture."""
    out = np.zeros(len(values), np.bool_)
    finite = np.flatnonzero(np.isfinite(values))
    first, rest = finite[:FIRST], values[finite[FIRST:]]
    if len(rest) < LEAST:
        return out
    low, high = rest.min(), rest.max()
    with np.errstate(over="ignore"):
        height = ROOM * _size(low, high) if _is_flat(low, high) else high - low
        beyond = np.maximum(values[first] - high, low - values[first])
    out[first] = (height > 0) & (beyond > height / OUT)
    return out


def span(values: Floats) -> tuple[float, float]:
    """Return the lowest and the highest value that a picture of finite ones shows."""
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if not _is_flat(low, high):
        return low, high
    room = ROOM * _size(low, high) or 0.5
    most = sys.float_info.max
    return max(low - room, -most), min(high + room, most)


def _size(low: float, high: float) -> float:
    return max(abs(low), abs(high))


def _is_flat(low: float, high: float) -> bool:
    return high - low <= FLAT * _size(low, high)
