"""When the steps of a run end, and how long one usually takes."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from statistics import median

_STEPS = 32
_LEAST = 4


class StepPace:
    """Takes note of steps in the thread that makes them; read in any."""

    def __init__(self) -> None:
        self._ends_s: deque[float] = deque(maxlen=_STEPS)

    def ended(self, time_s: float) -> None:
        """Note that a step has ended now."""
        self._ends_s.append(time_s)

    def forget(self) -> None:
        """Begin anew: what comes is another training."""
        self._ends_s.clear()

    @property
    def last_s(self) -> float | None:
        """When the last step ended; None before the first."""
        ends_s = self._ends_s.copy()
        return ends_s[-1] if ends_s else None

    @property
    def usual_s(self) -> float | None:
        """The median of the last steps' times; None while these are too few."""
        ends_s = self._ends_s.copy()
        if len(ends_s) < _LEAST:
            return None
        return median(after - before for before, after in pairwise(ends_s))
