"""The time of a run."""

from __future__ import annotations

import math
import time

_LOOK_S = 0.05


class Clock:
    """Tells Unix time that never goes back, though the system's clock may.

    A system clock that is set back goes on at its pace here; one that is set forward
    is followed: it was wrong before, or the machine has slept.
    """

    def __init__(self) -> None:
        self._epoch_s = -math.inf
        self._next_look_s = -math.inf

    def __call__(self) -> float:
        """Return it in s."""
        steady_s = time.monotonic()
        if steady_s >= self._next_look_s:  # not at each step: that would cost
            self._next_look_s = steady_s + _LOOK_S
            self._look()
        return steady_s + self._epoch_s

    def _look(self) -> None:
        # In this order: what comes between the two makes the difference no larger.
        wall_s = time.time()
        self._epoch_s = max(self._epoch_s, wall_s - time.monotonic())
