"""The rate of a step when updates before it may have been skipped.

With a loss scale an update that overflowed is left out, and the optimizer does not
count it: the next step uses the same entry of its schedule. Whether it overflowed is on
the device, so it is asked for when the step's values are read anyway.
"""

from __future__ import annotations

import threading
from bisect import bisect_left, insort
from collections import deque
from dataclasses import dataclass
from typing import Protocol

from mswidget.records.values import BadValueError, to_float


class KnownRates(Protocol):
    """Rates of updates, computed already."""

    def has(self, index: int) -> bool:
        """Say whether an update's rate is known."""

    def __call__(self, index: int) -> object:
        """Return an update's rate."""


class Skips:
    """Counts skipped updates since the optimizer's own count was read.

    Parameters
    ----------
    since
        The last step before that.
    """

    def __init__(self, since: int) -> None:
        self.since = since
        self._waiting: deque[tuple[int, object]] = deque()
        self._skipped: list[int] = []
        # The worker and the training may read values at the same time.
        self._lock = threading.Lock()

    def ended(self, step: int, outputs: object) -> None:
        """Keep the flag, unread, of a step of a loss-scale cell."""
        if isinstance(outputs, tuple | list) and len(outputs) > 1:
            self._waiting.append((step, outputs[1]))

    def before(self, step: int) -> int:
        """Return how many updates before ``step`` were skipped; reads their flags."""
        with self._lock:
            while self._waiting and self._waiting[0][0] < step:
                at, flag = self._waiting[0]
                if _is_set(flag):
                    insort(self._skipped, at)
                self._waiting.popleft()
            return bisect_left(self._skipped, step)


@dataclass(frozen=True)
class LateRate:
    """A rate out of a table, looked up when the flags of the steps before are read.

    Parameters
    ----------
    table
        Index of an update to its rate.
    index
        Of this step's update if none was skipped.
    skips
        Knows those that were.
    step
        The step, as ``skips`` counts.
    """

    table: KnownRates
    index: int
    skips: Skips
    step: int

    def asnumpy(self) -> object:
        """Look it up; where the table does not reach, as if none was skipped."""
        index = self.index - self.skips.before(self.step)
        return self.table(index if self.table.has(index) else self.index)


def _is_set(flag: object) -> bool:
    try:
        return to_float(flag) != 0
    except BadValueError:
        return False
