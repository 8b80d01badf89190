"""How long a step waits for its data."""

from __future__ import annotations

import time
from collections.abc import Callable

from mswidget.collect.sources.source import Source, Subject
from mswidget.collect.steps.moment import Moment


def data_wait(subject: Subject) -> Source | None:
    """Time what lies between the steps; in data-sink mode a device waits unseen."""
    if subject.params.get("dataset_sink_mode"):
        return None
    waits = Waits()
    return Source(
        waits.read,
        epoch_begin=waits.begin,
        step_begin=waits.end,
        step_left=waits.begin,
    )


class Waits:
    """Times waits from one reading to the next.

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

    def begin(self, moment: Moment) -> None:  # noqa: ARG002 - a source's
        """Begin to wait."""
        self._since_s = self._clock()

    def end(self, moment: Moment) -> None:  # noqa: ARG002 - a source's
        """Have the data."""
        if self._since_s is not None:
            self._spent_s += self._clock() - self._since_s
            self._count += 1
            self._since_s = None

    def read(self, moment: Moment) -> dict[str, float]:  # noqa: ARG002 - a source's
        """Return the mean wait since the last reading; empty without one."""
        if not self._count:
            return {}
        mean_s = self._spent_s / self._count
        self._spent_s, self._count = 0.0, 0
        return {"data_time_ms": 1e3 * mean_s}
