"""The time of a run."""

from __future__ import annotations

import math
import time


class Clock:
    """Tells Unix time that never goes back, though the system's clock may.

    A system clock that is set back goes on at its pace here; one that is set forward
    is followed: it was wrong before, or the machine has slept.
    """

    def __init__(self) -> None:
        self._epoch_s = -math.inf

    def __call__(self) -> float:
        """Return it in s."""
        # In this order: whatever comes between the two makes none of them too late.
        wall_s, steady_s = time.time(), time.monotonic()
        self._epoch_s = max(self._epoch_s, wall_s - steady_s)
        return steady_s + self._epoch_s
