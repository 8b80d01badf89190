"""Which ranks left the others, and at which step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from mswidget.records.curve import Curve

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
_SPREADS = 8.0
_IN_A_ROW = 5
_WINDOW = 51
_LEAST = 1e-5
_FEWEST = 3
_CHUNK = 10_000
# From the median of absolute deviations to the standard deviation of normal noise.
_SIGMA = 1.4826


def divergences(curves: Sequence[Curve]) -> Numbers:
    """Return the step at which each curve left the others; NaN: it did not.

    It has left at the first step where its value is not finite while another's is,
    or where it begins to be far from the others, 5 of its steps in a row. Far is

    ``|x - median| > max(8 * 1.4826 * spread, 1e-5 * |median|)``

    where ``median`` is that of the finite values of the step, and ``spread`` the
    median of their distances to it: that of the step or, if larger, the median of
    the last 51 steps. A step counts when three have a finite value: of two nobody
    can say which one left. Noise that is alike on all is never far: normal or with
    tails as heavy as those of Student's t with 3 degrees of freedom, 5 in a row did
    not happen in 20,000 simulated steps of 3 to 64 ranks.
    """
    steps = _all_steps(curves)
    left = np.full(len(curves), np.nan)
    for start in range(0, len(steps), _CHUNK):
        stop = start + _CHUNK
        around = steps[max(0, start - _WINDOW) : stop + _WINDOW]
        first, last = steps[start], steps[min(stop, len(steps)) - 1]
        for rank, begins in _begins(around, curves):
            inside = begins[(begins >= first) & (begins <= last)]
            left[rank] = np.fmin(left[rank], inside.min(initial=np.inf))
    left[np.isinf(left)] = np.nan
    return left


def _all_steps(curves: Sequence[Curve]) -> Numbers:
    steps = np.empty(0)
    for curve in curves:
        # Ranks log the same steps, as a rule.
        if not np.array_equal(steps, curve.steps):
            steps = np.union1d(steps, curve.steps)
    return steps


def _begins(steps: Numbers, curves: Sequence[Curve]) -> Iterator[tuple[int, Numbers]]:
    """Yield each curve's number, and the steps at which it may have left."""
    table, present = _table(steps, curves)
    finite = np.isfinite(table)
    # Not finite, where another is.
    lost = present & ~finite & finite.any(axis=0)
    enough = finite.sum(axis=0) >= _FEWEST
    far = lost.copy()
    far[:, enough] |= _is_far(np.where(finite, table, np.nan)[:, enough])
    counted = present & (enough | lost)
    for rank in range(len(curves)):
        at = np.flatnonzero(counted[rank])
        begins = at[_runs(far[rank, at])]
        yield rank, steps[np.append(begins, np.flatnonzero(lost[rank]))]


def _table(steps: Numbers, curves: Sequence[Curve]) -> tuple[Numbers, Flags]:
    """Return values of shape (curves, steps), and where there is one."""
    table = np.full((len(curves), len(steps)), np.nan)
    present = np.zeros(table.shape, bool)
    for line, curve in enumerate(curves):
        begin, end = np.searchsorted(curve.steps, (steps[0], steps[-1] + 1))
        at = np.searchsorted(steps, curve.steps[begin:end])
        table[line, at] = curve.values[begin:end]
        present[line, at] = True
    return table, present


def _is_far(values: Numbers) -> Flags:
    """Say where values are far from their column's median; NaN never is."""
    with np.errstate(over="ignore", invalid="ignore"):
        centre = _medians(values)
        distances = np.abs(values - centre)
        spread = _SIGMA * _at_least_recent(_medians(distances))
        far: Flags = distances > np.fmax(_SPREADS * spread, _LEAST * np.abs(centre))
    return far


def _at_least_recent(spreads: Numbers) -> Numbers:
    count = min(_WINDOW, len(spreads))
    if not count:
        return spreads
    recent = np.median(sliding_window_view(spreads, count), axis=1)
    # The first steps share the first window.
    window = np.maximum(np.arange(len(spreads)) - count + 1, 0)
    larger: Numbers = np.fmax(spreads, recent[window])
    return larger


def _medians(values: Numbers) -> Numbers:
    """Return each column's median without its NaN: ten times as fast as nanmedian."""
    ordered = np.sort(values, axis=0)  # NaN last
    middle = np.count_nonzero(~np.isnan(values), axis=0) - 1
    both = np.take_along_axis(ordered, np.array([middle // 2, (middle + 1) // 2]), 0)
    medians: Numbers = both[0] / 2 + both[1] / 2
    return medians


def _runs(flags: Flags) -> NDArray[np.int64]:
    """Return where `_IN_A_ROW` flags in a row begin."""
    if len(flags) < _IN_A_ROW:
        return np.empty(0, np.int64)
    return np.flatnonzero(sliding_window_view(flags, _IN_A_ROW).all(axis=1))
