"""How long a step waits for its data."""

from __future__ import annotations

import time

from mswidget.collect.source import Source, Subject


def data_wait(subject: Subject) -> Source | None:
    """Time what lies between the steps; in data-sink mode a device waits unseen."""
    if subject.params.get("dataset_sink_mode"):
        return None
    waits = Waits()
    return Source(
        lambda moment: waits.read(),  # noqa: ARG005
        epoch_begin=lambda moment: waits.begin(time.perf_counter()),  # noqa: ARG005
        step_begin=lambda moment: waits.end(time.perf_counter()),  # noqa: ARG005
        step_left=lambda moment: waits.begin(time.perf_counter()),  # noqa: ARG005
    )


class Waits:
    """Times waits from one reading to the next.

    A wait is from the moment when the monitor has done with a step, or with the begin
    of an epoch, to its begin of the next step. The time of callbacks behind the
    monitor at a step's end, and before it at a step's begin, is inside.
    """

    def __init__(self) -> None:
        self._since_s: float | None = None
        self._spent_s = 0.0
        self._count = 0

    def begin(self, now_s: float) -> None:
        """Begin to wait."""
        self._since_s = now_s

    def end(self, now_s: float) -> None:
        """Have the data."""
        if self._since_s is not None:
            self._spent_s += now_s - self._since_s
            self._count += 1
            self._since_s = None

    def read(self) -> dict[str, float]:
        """Return the mean wait since the last reading; empty without one."""
        if not self._count:
            return {}
        mean_s = self._spent_s / self._count
        self._spent_s, self._count = 0.0, 0
        return {"data_time_ms": 1e3 * mean_s}
