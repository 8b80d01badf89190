"""A metric's values in blocks, each reduced to a few robust numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
BLOCK = 16
"""So many values of a metric are reduced together."""
# From the median of absolute deviations to the standard deviation of normal noise.
_SIGMA = 1.4826
_MOST = 4096
_NOTHING = np.array([0, 0, 0, 0, 0, np.inf, 0, np.inf])


class Digest:
    """Grows with the values of one metric, at a cost that does not grow with them.

    All numbers are of the finite values of a block; NaN where it has none.

    Parameters
    ----------
    values
        Returns all values so far.
    """

    def __init__(self, values: Callable[[], Numbers]) -> None:
        self._values = values
        self._columns = np.empty((8, 16))
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def extend(self) -> None:
        """Reduce the blocks that have become whole."""
        values = self._values()
        whole = len(values) // BLOCK
        # What a long run has logged is not copied at once.
        for start in range(self._count, whole, _MOST):
            stop = min(start + _MOST, whole)
            self._add(values[start * BLOCK : stop * BLOCK].reshape(-1, BLOCK))

    @property
    def medians(self) -> Numbers:
        """The median of each block."""
        return self._column(0)

    @property
    def spreads(self) -> Numbers:
        """The standard deviation of a block, by its median deviation."""
        return self._column(1)

    @property
    def lowest(self) -> Numbers:
        """The lowest value of each block."""
        return self._column(2)

    @property
    def highest(self) -> Numbers:
        """The highest value of each block."""
        return self._column(3)

    @property
    def sums(self) -> Numbers:
        """The sum of the medians up to each block."""
        return self._column(4)

    @property
    def best(self) -> Numbers:
        """The lowest median up to each block, as two neighbours have it."""
        return self._column(5)

    @property
    def best_at(self) -> NDArray[np.int64]:
        """The later of these two neighbours."""
        return self._column(6).astype(np.int64)

    @property
    def calmest(self) -> Numbers:
        """The least spread up to each block that four in a row kept to."""
        return self._column(7)

    def _column(self, number: int) -> Numbers:
        return self._columns[number, : self._count]

    def _add(self, blocks: Numbers) -> None:
        start, stop = self._count, self._count + len(blocks)
        if stop > self._columns.shape[1]:
            grown = np.empty((len(self._columns), 2 * stop))
            grown[:, :start] = self._columns[:, :start]
            self._columns = grown
        columns = self._columns[:, start:stop]
        columns[:4] = _reduced(blocks)
        self._count = stop
        self._accumulate(start, columns)

    def _accumulate(self, start: int, columns: Numbers) -> None:
        """Fill in what depends on the blocks before."""
        before = self._columns[:, start - 1] if start else _NOTHING
        columns[4] = before[4] + np.cumsum(np.nan_to_num(columns[0]))
        pairs = self._kept_to(0, start, 2)
        columns[5] = _lowest(before[5], pairs)
        fresh = columns[5] < np.append(before[5], columns[5][:-1])
        numbers = np.where(fresh, np.arange(start, self._count), 0)
        columns[6] = np.maximum.accumulate(np.append(before[6], numbers))[1:]
        columns[7] = _lowest(before[7], self._kept_to(1, start, 4))

    def _kept_to(self, column: int, start: int, blocks: int) -> Numbers:
        """Return the highest of each block and some before it; infinite if unknown."""
        held = self._columns[column, max(start - blocks + 1, 0) : self._count]
        missing = max(blocks - 1 - start, 0)
        held = np.append(
            np.full(missing, np.inf), np.where(np.isnan(held), np.inf, held)
        )
        highest: Numbers = sliding_window_view(held, blocks).max(axis=1)
        return highest


def _lowest(before: float, numbers: Numbers) -> Numbers:
    lowest: Numbers = np.minimum.accumulate(np.append(before, numbers))[1:]
    return lowest


def _reduced(blocks: Numbers) -> Numbers:
    finite = np.isfinite(blocks)
    if finite.all():
        return _numbers(blocks, np.median)
    numbers = np.full((4, len(blocks)), np.nan)
    some = finite.any(axis=1)
    held = np.where(finite, blocks, np.nan)[some]
    numbers[:, some] = _numbers(held, np.nanmedian)
    return numbers


def _numbers(blocks: Numbers, median: Callable[..., Numbers]) -> Numbers:
    with np.errstate(over="ignore", invalid="ignore"):
        middle = median(blocks, axis=1)
        spread = _SIGMA * median(np.abs(blocks - middle[:, None]), axis=1)
    low, high = np.fmin.reduce(blocks, axis=1), np.fmax.reduce(blocks, axis=1)
    return np.stack([middle, spread, low, high])
