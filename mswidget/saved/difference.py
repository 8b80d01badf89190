"""How far a curve is from that of a baseline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mswidget.records.curve import Curve

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
# A number that was printed and read again is half of its last bit off, at most.
_ULPS = 4 * np.finfo(np.float64).eps
_ULPS_OF_32 = 4 * float(np.finfo(np.float32).eps)
ERRORS = {
    "points": "int64",
    "mean_absolute": "float64",
    "max_absolute": "float64",
    "max_absolute_step": "Int64",
    "mean_relative": "float64",
    "max_relative": "float64",
    "nonfinite_apart": "int64",
    "first_step_beyond": "Int64",
    "rounding": "float64",
}
"""What `Difference.errors` tells, and its types in a table."""


@dataclass(frozen=True)
class Difference:
    """A run's values beside those of the baseline, all of shape (n,).

    ``x`` is where they are compared, ``steps`` the run's own steps there.
    ``rounding`` is how far the two numbers may be apart since they were printed.
    """

    x: Numbers
    steps: Numbers
    values: Numbers
    baseline: Numbers
    rounding: Numbers

    @property
    def absolute(self) -> Numbers:
        """Value - baseline; NaN where one of them is not finite."""
        with np.errstate(over="ignore", invalid="ignore"):
            apart = self.values - self.baseline
        finite = np.isfinite(self.values) & np.isfinite(self.baseline)
        return np.where(finite, apart, np.nan)

    @property
    def relative(self) -> Numbers:
        """(Value - baseline) / abs(baseline); NaN also where the baseline is 0."""
        size = np.where(self.baseline == 0, np.nan, np.abs(self.baseline))
        with np.errstate(over="ignore", invalid="ignore"):
            share: Numbers = self.absolute / size
        return share

    @property
    def nonfinite_apart(self) -> Flags:
        """Where one of both is not finite, and the other not the same."""
        run, base = self.values, self.baseline
        same = (run == base) | (np.isnan(run) & np.isnan(base))
        apart: Flags = ~same & ~(np.isfinite(run) & np.isfinite(base))
        return apart

    def beyond(self, tolerance: float | None) -> Flags:
        """Say where the run is farther off than a share of the baseline.

        What rounding can explain is not: ``abs(value - baseline) > tolerance *
        abs(baseline) + rounding``, with 4 units of the last bit of float64 more. None
        allows 4 units of the last bit of float32, of the largest of the baseline.
        """
        sizes = np.fmax(np.abs(self.values), np.abs(self.baseline))
        with np.errstate(over="ignore", invalid="ignore"):
            allowed = self._share(tolerance) + self.rounding + _ULPS * sizes
            far: Flags = self.nonfinite_apart | (np.abs(self.absolute) > allowed)
        return far

    def _share(self, tolerance: float | None) -> Numbers | float:
        sizes = np.abs(self.baseline)
        if tolerance is not None:
            return tolerance * sizes
        # Near its end a cosine is small: what its computing leaves over is not.
        return _ULPS_OF_32 * (_largest(sizes) or 0.0)

    def errors(self, tolerance: float | None) -> dict[str, object]:
        """Return the columns of `ERRORS`, None where there is nothing to tell."""
        absolute, relative = np.abs(self.absolute), np.abs(self.relative)
        compared = np.flatnonzero(np.isfinite(absolute))
        beyond = np.flatnonzero(self.beyond(tolerance))
        at = compared[np.argmax(absolute[compared])] if len(compared) else None
        return {
            "points": len(self.x),
            "mean_absolute": _mean(absolute),
            "max_absolute": _largest(absolute),
            "max_absolute_step": None if at is None else self.steps[at],
            "mean_relative": _mean(relative),
            "max_relative": _largest(relative),
            "nonfinite_apart": np.count_nonzero(self.nonfinite_apart),
            "first_step_beyond": self.steps[beyond[0]] if len(beyond) else None,
            "rounding": _largest(self.rounding),
        }


@dataclass(frozen=True)
class Placed:
    """A curve, where its values stand, rising, and how far each was rounded."""

    x: Numbers
    curve: Curve
    rounding: Numbers


def difference(run: Placed, baseline: Placed, *, between: bool) -> Difference:
    """Compare two curves.

    Parameters
    ----------
    run, baseline
        The curves.
    between
        Compare each value of the run, within the places of the baseline, to the
        straight line between the baseline's two neighbours. Else only places that
        both have are compared.
    """
    if np.array_equal(run.x, baseline.x):
        at = base_at = np.arange(len(run.x))
    elif between:
        return _from_line(run, baseline)
    else:
        _, at, base_at = np.intersect1d(run.x, baseline.x, return_indices=True)
    pair = run.curve.values[at], baseline.curve.values[base_at]
    rounding = run.rounding[at] + baseline.rounding[base_at]
    return Difference(run.x[at], run.curve.steps[at], *pair, rounding)


def _from_line(run: Placed, baseline: Placed) -> Difference:
    first, last = baseline.x.min(initial=np.inf), baseline.x.max(initial=-np.inf)
    at = np.flatnonzero((run.x >= first) & (run.x <= last))
    x = run.x[at]
    line, slack = (
        np.interp(x, baseline.x, held) if len(x) else x
        for held in (baseline.curve.values, baseline.rounding)
    )
    rounding = run.rounding[at] + slack
    return Difference(x, run.curve.steps[at], run.curve.values[at], line, rounding)


def _mean(values: Numbers) -> float | None:
    finite = values[np.isfinite(values)]
    return float(finite.mean()) if len(finite) else None


def _largest(values: Numbers) -> float | None:
    finite = values[np.isfinite(values)]
    return float(finite.max()) if len(finite) else None
