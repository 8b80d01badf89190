"""A running average of a growing column, whose value at any place is soon found."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

_BLOCK = 64
_AT_ONCE = 2**17
_ROOM = 1.125
_SAME = 1e-12
_NOTHING = 1e-40
_FEW = 8


class Smooth:
    """A causal exponential moving average, divided by the weight that it has seen.

    It starts at the first value, and anew where a line begins. Values that are not
    finite leave it as it was. Its state is kept every 64 values.

    Parameters
    ----------
    weight
        Of the past, 0 to below 1.
    """

    def __init__(self, weight: float) -> None:
        self._weight = weight
        self._decay = weight ** np.arange(_BLOCK + 1.0)
        # After each block: the weighted sum, and the sum of the weights.
        self._states = np.zeros((2, 8))
        self._blocks = 0

    def extend(self, values: Floats, begins: Sequence[int] | Places) -> None:
        """Take in what has come since the last call.

        Parameters
        ----------
        values
            All there are.
        begins
            Rising places in them at which a line begins; also those of before.
        """
        lines = np.asarray(begins, np.int64)
        whole = len(values) // _BLOCK
        while self._blocks < whole:
            stop = min(self._blocks + _AT_ONCE // _BLOCK, whole)
            window = values[self._blocks * _BLOCK : stop * _BLOCK].reshape(-1, _BLOCK)
            ends = np.arange(self._blocks + 1, stop + 1) * _BLOCK - 1
            state = np.array(self._before(self._blocks))
            self._keep(_scanned(*self._blocks_of(window, ends, lines), state))

    def at(
        self, values: Floats, places: Places, begins: Sequence[int] | Places
    ) -> Floats:
        """Return the average at some places; NaN before the first finite value.

        Parameters
        ----------
        values, begins
            As given to `extend` the last time.
        places
            Where, shape (m,).
        """
        if not len(places) or places[-1] - places[0] < _FEW * _BLOCK:
            first = int(places.min(initial=len(values))) // _BLOCK * _BLOCK
            last = int(places.max(initial=first - 1)) + 1
            walked = self._walk(values, first, last, np.asarray(begins, np.int64))
            picked: Floats = np.array(walked)[places - first]
            return picked
        blocks = places // _BLOCK
        inside = np.arange(_BLOCK) + (blocks * _BLOCK)[:, None]
        window = values[np.minimum(inside, len(values) - 1)]
        counted, anew = _counted(window, places, np.asarray(begins, np.int64))
        kept, parts = self._fold(window, counted, anew)
        before = np.where(blocks, self._states[:, np.maximum(blocks, 1) - 1], 0.0)
        with np.errstate(invalid="ignore", over="ignore"):
            sums, masses = kept * before + parts
            found = np.where(masses > 0, sums / np.where(masses > 0, masses, 1), np.nan)
        return _steadied(found, window, counted)

    def state(
        self, values: Floats, stop: int, begins: Sequence[int] | Places
    ) -> Floats:
        """Return the weighted sum of the values before a place, and of the weights.

        Parameters
        ----------
        values, begins
            As given to `extend` the last time.
        stop
            The place.
        """
        block = stop // _BLOCK
        total, mass = self._before(block)
        begun = set(np.asarray(begins, np.int64).tolist())
        for place, value in enumerate(
            values[block * _BLOCK : stop].tolist(), block * _BLOCK
        ):
            if place in begun:
                total = mass = 0.0
            if math.isfinite(value):
                total = self._weight * total + (1 - self._weight) * value
                mass = self._weight * mass + 1 - self._weight
        return np.array([total, mass])

    def _walk(
        self, values: Floats, start: int, stop: int, lines: Places
    ) -> list[float]:
        """Average value by value from the begin of a block: of few the faster way."""
        total, mass = self._before(start // _BLOCK)
        weight, fresh = self._weight, 1 - self._weight
        begun = set(lines[np.searchsorted(lines, start) :].tolist())
        average = newest = math.nan
        averages = []
        for place, value in enumerate(values[start:stop].tolist(), start):
            if place in begun:
                total = mass = 0.0
                average = math.nan
            if math.isfinite(value):
                total, mass = weight * total + fresh * value, weight * mass + fresh
                average, newest = total / mass, value
            elif mass and average != average:  # noqa: PLR0124 - NaN: the first of a block
                average = total / mass
            is_same = abs(average - newest) <= _SAME * abs(newest)
            averages.append(newest if is_same else average)
        return averages

    @property
    def nbytes(self) -> int:
        """Memory in bytes."""
        return self._states.nbytes

    def _before(self, block: int) -> tuple[float, float]:
        """Return the state before a block."""
        if not block:
            return 0.0, 0.0
        total, mass = self._states[:, block - 1].tolist()
        return total, mass

    def _blocks_of(
        self, window: Floats, ends: Places, lines: Places
    ) -> tuple[Floats, Floats]:
        """Return of whole blocks what `_fold` does, and most of them fast."""
        with np.errstate(invalid="ignore", over="ignore"):
            sums = window @ ((1 - self._weight) * self._decay[:_BLOCK][::-1])
        kept = np.full(len(window), self._decay[_BLOCK])
        parts = np.stack([sums, np.full(len(window), 1 - self._decay[_BLOCK])])
        odd = ~np.isfinite(sums)
        begun = lines[np.searchsorted(lines, ends[0] - _BLOCK + 1) :]
        odd[(begun[begun <= ends[-1]] - ends[0] - 1) // _BLOCK + 1] = True
        if odd.any():
            counted, anew = _counted(window[odd], ends[odd], lines)
            kept[odd], parts[:, odd] = self._fold(window[odd], counted, anew)
        return kept, parts

    def _fold(
        self, window: Floats, counted: NDArray[np.bool_], anew: NDArray[np.bool_]
    ) -> tuple[Floats, Floats]:
        """Return how much of the state before is left, and what is added to it."""
        passed = counted.cumsum(1)
        counts = passed[:, -1]
        weights = self._decay[counts[:, None] - passed] * counted * (1 - self._weight)
        with np.errstate(over="ignore", invalid="ignore"):
            sums = (weights * np.where(counted, window, 0.0)).sum(1)
        left = self._decay[counts]
        return np.where(anew, 0.0, left), np.stack([sums, 1 - left])

    def _keep(self, states: Floats) -> None:
        stop = self._blocks + states.shape[1]
        if stop > self._states.shape[1]:
            grown = np.empty((2, max(stop, int(_ROOM * self._blocks) + 8)))
            grown[:, : self._blocks] = self._states[:, : self._blocks]
            self._states = grown
        self._states[:, self._blocks : stop] = states
        self._blocks = stop


def go_on(
    states: Floats, values: Floats, places: Places, weight: float
) -> tuple[Floats, Floats]:
    """Return averages of finite values of several columns that have just come.

    Parameters
    ----------
    states
        As of `Smooth.state`, shape (2, columns).
    values
        Shape (columns, values).
    places
        Of which the averages are wanted; the last is that of the last value.
    weight
        Of the past.

    Returns
    -------
    averages, states
        Shape (columns, places), and the states after the last.
    """
    powers = weight ** np.arange(values.shape[1] + 1.0)
    ages = places - np.arange(values.shape[1])[:, None]
    weights = np.where(ages >= 0, (1 - weight) * powers[np.maximum(ages, 0)], 0.0)
    left = powers[places + 1]
    with np.errstate(over="ignore", invalid="ignore"):
        sums = left * states[0][:, None] + values @ weights
        masses = left * states[1][:, None] + 1 - left
        averages = sums / masses
    newest = values[:, places]
    same = np.abs(averages - newest) <= _SAME * np.abs(newest)
    return np.where(same, newest, averages), np.stack([sums[:, -1], masses[:, -1]])


def _counted(
    window: Floats, ends: Places, lines: Places
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Say which values of blocks count up to their ends, and where a line begins."""
    starts = ends // _BLOCK * _BLOCK
    line = np.searchsorted(lines, ends, "right") - 1
    begins = np.where(line < 0, -1, np.append(lines, -1)[line])
    places = np.arange(_BLOCK) + starts[:, None]
    inside = (places >= begins[:, None]) & (places <= ends[:, None])
    return inside & np.isfinite(window), begins >= starts


def _scanned(kept: Floats, parts: Floats, state: Floats) -> Floats:
    """Return the state after each block, where it is ``kept * before + parts``."""
    if len(kept) <= _FEW:
        return _stepped(kept, parts, state)
    left, states = kept.copy(), parts.copy()
    states[:, 0] += left[0] * state
    left[0] = 0
    reach = 1
    while reach < len(left):
        left[left < _NOTHING] = 0
        if not left.any():
            break
        with np.errstate(over="ignore", invalid="ignore"):
            states[:, reach:] += left[reach:] * states[:, :-reach]
        left[reach:] = left[reach:] * left[:-reach]
        reach *= 2
    return states


def _stepped(kept: Floats, parts: Floats, state: Floats) -> Floats:
    """Return what `_scanned` does, one after the other."""
    total, mass = state.tolist()
    states = []
    for left, added, more in zip(*map(np.ndarray.tolist, (kept, *parts)), strict=True):
        total, mass = left * total + added, left * mass + more
        states.append((total, mass))
    return np.array(states).T


def _steadied(averages: Floats, window: Floats, counted: NDArray[np.bool_]) -> Floats:
    """Return the newest value in place of what differs from it by the last bits."""
    newest = np.where(counted, np.arange(_BLOCK), -1).max(1)
    values = window[np.arange(len(window)), newest]
    same = (newest >= 0) & (np.abs(averages - values) <= _SAME * np.abs(values))
    return np.where(same, values, averages)
