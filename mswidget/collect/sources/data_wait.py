"""How long a step waits for its data."""

from __future__ import annotations

import time
from collections.abc import Callable

from typing_extensions import Self, override

from mswidget.collect.sources.source import Source, Subject
from mswidget.collect.steps.progress import Progress


class DataWait(Source):
    """Tells the mean wait of the steps from one reading to the next.

    A wait is from the moment when the monitor has done with a step, or with the begin
    of an epoch, to its begin of the next step. The time of callbacks behind the
    monitor at a step's end, and before it at a step's begin, is inside.

    Parameters
    ----------
    clock
        Returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._since_s: float | None = None
        self._spent_s = 0.0
        self._count = 0

    @classmethod
    def of(cls, subject: Subject) -> Self | None:
        """Time a training's waits; in data-sink mode a device waits unseen."""
        return None if subject.params.get("dataset_sink_mode") else cls()

    @override
    def epoch_begin(self, progress: Progress) -> None:
        self._since_s = self._clock()

    @override
    def step_left(self, progress: Progress) -> None:
        self._since_s = self._clock()

    @override
    def step_begin(self, progress: Progress) -> None:
        if self._since_s is not None:
            self._spent_s += self._clock() - self._since_s
            self._count += 1
            self._since_s = None

    @override
    def read(self, progress: Progress) -> dict[str, float]:
        if not self._count:
            return {}
        mean_s = self._spent_s / self._count
        self._spent_s, self._count = 0.0, 0
        return {"data_time_ms": 1e3 * mean_s}
