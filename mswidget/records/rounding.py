"""How far numbers that were printed with some digits may be from the full ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
# The logarithm of a power of ten may come out as a little less.
_SLACK = 1e-12


@dataclass(frozen=True)
class Rounding:
    """How the numbers of a metric were rounded: each to the coarser of both.

    Parameters
    ----------
    digits
        How many significant ones, at most.
    place
        The decimal place of the last one, at most; None when it follows the size of
        the number, as in ``1.250000E-05``.
    """

    digits: int
    place: int | None = None

    def of(self, values: Numbers) -> Numbers:
        """Return how far each value may be from the full one."""
        with np.errstate(divide="ignore", invalid="ignore"):
            power = np.floor(np.log10(np.abs(values)) + _SLACK)
            half: Numbers = 0.5 * 10.0 ** (power - self.digits + 1)
        return half if self.place is None else np.fmax(half, 0.5 * 10.0**-self.place)

    def __str__(self) -> str:
        """Say it after the name of a metric."""
        if self.place is None:
            return f"to {self.digits} digits"
        return f"± {0.5 * 10.0**-self.place:.0e}"
