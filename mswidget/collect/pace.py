"""How long a step takes, and how many samples pass."""

from __future__ import annotations

import time
from collections.abc import Callable

from mswidget.collect.moment import Moment
from mswidget.collect.source import Source, Subject
from mswidget.collect.steps import Params, batch_size


def pace(subject: Subject) -> Source:
    """Time the steps, and count what passes."""
    clock, size = Pace(), _BatchSize(subject.notice)
    tokens = subject.options.tokens

    def read(moment: Moment) -> dict[str, float]:
        found = clock.read(time.perf_counter(), size.of(moment.params))
        if tokens.per_sample is not None:
            found |= tokens.rates(found.get("samples_per_s"))
        return found

    return Source(
        read,
        epoch_begin=lambda moment: clock.resume(time.perf_counter()),  # noqa: ARG005
        step_end=lambda moment: clock.ended(moment.steps, time.perf_counter()),
    )


class _BatchSize:
    """The samples of one step, looked for once; 0 when nobody knows."""

    def __init__(self, notice: Callable[[str], None]) -> None:
        self._found: int | None = None
        self._notice = notice

    def of(self, params: Params) -> int:
        if self._found is None:
            self._found = self._find(params)
        return self._found

    def _find(self, params: Params) -> int:
        try:
            return batch_size(params) or 0
        except Exception as error:  # noqa: BLE001 - a user's dataset may do anything
            self._notice(
                "the batch size is unknown, so there are no samples/s "
                f"({type(error).__name__}: {error})"
            )
            return 0


class Pace:
    """Times steps from one reading to the next, so a reading may stand for many.

    The first step is left out: it compiles. So is all that lies between the end of
    an epoch and the `resume` of the next: evaluations, checkpoints.
    """

    def __init__(self) -> None:
        self._since_s: float | None = None
        self._steps = 0

    def resume(self, now_s: float) -> None:
        """Start anew; nothing before the first step has ended."""
        if self._since_s is not None:
            self._since_s, self._steps = now_s, 0

    def ended(self, steps: int, now_s: float) -> None:
        """Count steps that have just ended."""
        if self._since_s is None:
            self._since_s = now_s
        else:
            self._steps += steps

    def read(self, now_s: float, batch_size: int | None) -> dict[str, float]:
        """Return step time and rate since the last reading; empty without a step."""
        if self._since_s is None or not self._steps:
            return {}
        step_s = (now_s - self._since_s) / self._steps
        self._since_s, self._steps = now_s, 0
        if not batch_size or step_s <= 0:
            return {"step_time_ms": 1e3 * step_s}
        return {"step_time_ms": 1e3 * step_s, "samples_per_s": batch_size / step_s}
