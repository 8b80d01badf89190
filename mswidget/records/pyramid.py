"""Ranges of a column reduced, at a cost that does not grow with the column."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
Odd = NDArray[np.int32]

BLOCK = 64
"""So many values are a block of the lowest level; each level pairs those below."""
_AT_ONCE = 2**17
_WAITING = 32
_FEW = 4
_ROOM = 1.125


@dataclass(frozen=True)
class Reduced:
    """What ranges of values are, each of shape (m,).

    ``counts`` are of finite values; ``lows``, ``highs`` and ``means`` are NaN where
    there are none. ``nans``, ``above`` (+Inf) and ``below`` (-Inf) count the others.
    """

    counts: Places
    lows: Floats
    highs: Floats
    means: Floats
    nans: Places
    above: Places
    below: Places


class Pyramid:
    """The least, greatest and sum of blocks of a growing column, and of pairs of them.

    It takes at most a fifth of the memory of the values. Used by one thread at a time;
    the column itself may grow meanwhile.
    """

    def __init__(self) -> None:
        self._levels: list[_Level] = []
        self._odd = np.zeros(3, np.int64)

    def extend(self, values: Floats) -> None:
        """Take in what has come since the last call; ``values`` are all there are."""
        done = self._whole
        whole = len(values) // BLOCK
        # Each call costs as much as some hundred values: those that come few by few
        # wait for more of them.
        if whole - done < (_WAITING if done else 1):
            return
        if not self._levels:
            self._levels.append(_Level())
        self._levels[0].reserve(whole)
        # Blocks that fit into the processor's cache are read from memory once.
        for start in range(done * BLOCK, whole * BLOCK, _AT_ONCE):
            stop = min(start + _AT_ONCE, whole * BLOCK)
            numbers, odd = _blocks(values[start:stop])
            self._levels[0].extend(numbers, odd)
            self._odd += 0 if odd is None else odd.sum(1)
        for depth in range(1, whole.bit_length()):
            self._pair(depth)

    def reduce(self, values: Floats, starts: Places, stops: Places) -> Reduced:
        """Return what the values at ``starts`` to ``stops`` are.

        Parameters
        ----------
        values
            As given to `extend` the last time.
        starts, stops
            Places in it, shape (m,), each stop at its start or later.
        """
        if 0 < len(starts) <= _FEW:
            ranges = zip(starts.tolist(), stops.tolist(), strict=True)
            with np.errstate(over="ignore"):
                rows = [self._one(values, start, stop) for start, stop in ranges]
            return Reduced(*map(np.array, zip(*rows, strict=True)))
        total = _Total(stops - starts)
        low, high = -(-starts // BLOCK), np.minimum(stops // BLOCK, self._whole)
        inner = np.minimum(low * BLOCK, stops)
        total.add_ragged(values, starts, inner)
        total.add_ragged(values, np.maximum(high * BLOCK, inner), stops)
        open_ = np.flatnonzero(low < high)
        low, high = low[open_], high[open_]
        for level in self._levels:
            if not len(open_):
                break
            at_low, at_high = (low & 1).astype(bool), (high & 1).astype(bool)
            total.add(open_[at_low], level, low[at_low])
            total.add(open_[at_high], level, high[at_high] - 1)
            low, high = (low + 1) >> 1, high >> 1
            left = low < high
            open_, low, high = open_[left], low[left], high[left]
        return total.reduced()

    def _one(
        self, values: Floats, start: int, stop: int
    ) -> tuple[int, float, float, float, int, int, int]:
        """Return what one range is, as `Reduced` has it: of few the faster way."""
        low, high = -(-start // BLOCK), min(stop // BLOCK, self._whole)
        odd = np.zeros(3, np.int64)
        parts: list[list[float]] = []
        inner = min(low * BLOCK, stop) if low < high else stop
        for part in (values[start:inner], values[max(high * BLOCK, inner) : stop]):
            finite = np.isfinite(part)
            if not finite.all():
                odd += _kinds(part).sum(1)
                part = part[finite]  # noqa: PLW2901 - the others are counted
            if len(part):
                parts.append([float(part.min()), float(part.max()), float(part.sum())])
        for level in self._levels:
            if low >= high:
                break
            for block in [low] * (low & 1) + [high - 1] * (high & 1):
                parts.append(level.numbers[:, block].tolist())
                odd += 0 if level.odd is None else level.odd[:, block]
            low, high = (low + 1) >> 1, high >> 1
        nans, above, below = odd.tolist()
        count = stop - start - nans - above - below
        if not count:
            return 0, math.nan, math.nan, math.nan, nans, above, below
        lows, highs, sums = zip(*parts, strict=True)
        least, most, mean = min(lows), max(highs), sum(sums) / count
        mean = mean if math.isfinite(mean) else least / 2 + most / 2
        return count, least, most, min(max(mean, least), most), nans, above, below

    @property
    def _whole(self) -> int:
        """How many blocks there are."""
        return self._levels[0].length if self._levels else 0

    def extreme(self, values: Floats, start: int, *, highest: bool) -> int:
        """Return the place of the first extreme from ``start`` on; -1 without any.

        Here ``values`` may end earlier than those given to `extend`.
        """
        first, stop = -(-start // BLOCK), min(self._whole, len(values) // BLOCK)
        if first >= stop:
            return least(values[start:], start, highest=highest)
        sign, level = -1.0 if highest else 1.0, self._levels[0]
        row = level.numbers[1 if highest else 0, first:stop]
        block = first + int(np.argmin(sign * row))
        places = [
            least(values[a:b], a, highest=highest)
            for a, b in (
                (start, first * BLOCK),
                (block * BLOCK, (block + 1) * BLOCK),
                (stop * BLOCK, len(values)),
            )
        ]
        known = [place for place in places if place >= 0]
        return min(known, key=lambda place: sign * values[place], default=-1)

    def nonfinite(self, values: Floats) -> Places:
        """Return how many of all values are NaN, +Inf and -Inf."""
        return self._odd + count_odd(values[self._whole * BLOCK :])

    @property
    def nbytes(self) -> int:
        """Memory in bytes."""
        return sum(level.nbytes for level in self._levels)

    def _pair(self, depth: int) -> None:
        below = self._levels[depth - 1]
        if depth == len(self._levels):
            self._levels.append(_Level())
        done, stop = self._levels[depth].length, below.length // 2
        if stop == done:
            return
        left, right = slice(2 * done, 2 * stop, 2), slice(2 * done + 1, 2 * stop, 2)
        first, second = below.numbers[:, left], below.numbers[:, right]
        with np.errstate(over="ignore", invalid="ignore"):
            sums = first[2] + second[2]
        lows = np.minimum(first[0], second[0])
        highs = np.maximum(first[1], second[1])
        odd = None if below.odd is None else below.odd[:, left] + below.odd[:, right]
        self._levels[depth].extend(np.stack([lows, highs, sums]), odd)


class _Level:
    """Blocks of one size: least, greatest and sum, and how many are not finite."""

    def __init__(self) -> None:
        self.length = 0
        self.numbers = np.empty((3, 8))
        self.odd: Odd | None = None

    def reserve(self, length: int) -> None:
        if length > self.numbers.shape[1]:
            room = max(length, int(self.numbers.shape[1] * _ROOM) + 8)
            self.numbers = _grown(self.numbers, self.length, room)
            if self.odd is not None:
                self.odd = _grown(self.odd, self.length, room)

    def extend(self, numbers: Floats, odd: Odd | None) -> None:
        stop = self.length + numbers.shape[1]
        self.reserve(stop)
        if odd is not None and self.odd is None:
            self.odd = np.zeros(self.numbers.shape, np.int32)
        self.numbers[:, self.length : stop] = numbers
        if self.odd is not None:
            self.odd[:, self.length : stop] = 0 if odd is None else odd
        self.length = stop

    @property
    def nbytes(self) -> int:
        return self.numbers.nbytes + (0 if self.odd is None else self.odd.nbytes)


class _Total:
    """Adds up ranges of some sizes, part by part."""

    def __init__(self, sizes: Places) -> None:
        count = len(sizes)
        self._sizes = sizes
        self._lows = np.full(count, np.inf)
        self._highs = np.full(count, -np.inf)
        self._sums = np.zeros(count)
        self._odd = np.zeros((3, count), np.int64)

    def add(self, at: Places, level: _Level, blocks: Places) -> None:
        """Add a block to each of some ranges."""
        if len(at):
            odd = None if level.odd is None else level.odd[:, blocks]
            self._put(at, level.numbers[:, blocks], odd)

    def add_ragged(self, values: Floats, starts: Places, stops: Places) -> None:
        """Add values at short stretches, one to each range."""
        at = np.flatnonzero(stops > starts)
        if not len(at):
            return
        sizes = stops[at] - starts[at]
        firsts = np.cumsum(sizes) - sizes
        places = np.arange(firsts[-1] + sizes[-1]) + np.repeat(
            starts[at] - firsts, sizes
        )
        found = values[places]
        finite = np.isfinite(found)
        if finite.all():
            self._put(at, _three(found, found, found, firsts), None)
            return
        lows, highs = np.where(finite, found, np.inf), np.where(finite, found, -np.inf)
        numbers = _three(lows, highs, np.where(finite, found, 0.0), firsts)
        self._put(at, numbers, np.add.reduceat(_kinds(found), firsts, axis=1))

    def reduced(self) -> Reduced:
        """Return what they are."""
        counts = self._sizes - self._odd.sum(0)
        none = counts == 0
        lows, highs = (np.where(none, np.nan, a) for a in (self._lows, self._highs))
        with np.errstate(invalid="ignore", over="ignore"):
            means = self._sums / np.maximum(counts, 1)
        # A sum may be too large for a number, or off by its last bits.
        lost = ~np.isfinite(means)
        means[lost] = (lows / 2 + highs / 2)[lost]
        means = np.clip(means, lows, highs)
        return Reduced(counts, lows, highs, means, *self._odd)

    def _put(self, at: Places, numbers: Floats, odd: Odd | None) -> None:
        self._lows[at] = np.minimum(self._lows[at], numbers[0])
        self._highs[at] = np.maximum(self._highs[at], numbers[1])
        with np.errstate(invalid="ignore", over="ignore"):
            self._sums[at] += numbers[2]
        if odd is not None:
            self._odd[:, at] += odd


def _three(lows: Floats, highs: Floats, sums: Floats, firsts: Places) -> Floats:
    with np.errstate(invalid="ignore", over="ignore"):
        total = np.add.reduceat(sums, firsts)
    least, most = np.minimum.reduceat(lows, firsts), np.maximum.reduceat(highs, firsts)
    return np.stack([least, most, total])


def _blocks(values: Floats) -> tuple[Floats, Odd | None]:
    """Return least, greatest and sum of each block, and what is not finite."""
    rows = values.reshape(-1, BLOCK)
    firsts = np.arange(0, len(values), BLOCK)
    with np.errstate(invalid="ignore", over="ignore"):
        sums = rows.sum(1)
        lows = np.minimum.reduceat(values, firsts)
        numbers = np.stack([lows, np.maximum.reduceat(values, firsts), sums])
    suspect = np.flatnonzero(~np.isfinite(numbers[2]))
    if not len(suspect):
        return numbers, None
    rows = rows[suspect]
    finite = np.isfinite(rows)
    numbers[0, suspect] = np.where(finite, rows, np.inf).min(1)
    numbers[1, suspect] = np.where(finite, rows, -np.inf).max(1)
    with np.errstate(invalid="ignore", over="ignore"):
        numbers[2, suspect] = np.where(finite, rows, 0.0).sum(1)
    if finite.all():
        return numbers, None
    odd = np.zeros((3, len(firsts)), np.int32)
    odd[:, suspect] = _kinds(rows).sum(-1)
    return numbers, odd


def _kinds(values: Floats) -> Odd:
    """Return 1 where a value is NaN, +Inf, -Inf, each in a layer of its own."""
    kinds = [np.isnan(values), values == np.inf, values == -np.inf]
    layers: Odd = np.stack(kinds).astype(np.int32)
    return layers


def count_odd(values: Floats) -> Places:
    """Return how many values are NaN, +Inf and -Inf."""
    if np.isfinite(values).all():
        return np.zeros(3, np.int64)
    counts: Places = _kinds(values).sum(1)
    return counts


def least(values: Floats, start: int, *, highest: bool) -> int:
    """Return the place of the first extreme finite value; -1 without any.

    Places are counted from ``start`` on.
    """
    finite = np.isfinite(values)
    if not finite.any():
        return -1
    worst = -np.inf if highest else np.inf
    held = values if finite.all() else np.where(finite, values, worst)
    return start + int(np.argmax(held) if highest else np.argmin(held))


def _grown(array: NDArray[Any], length: int, room: int) -> NDArray[Any]:
    grown = np.empty((len(array), room), array.dtype)
    grown[:, :length] = array[:, :length]
    return grown
