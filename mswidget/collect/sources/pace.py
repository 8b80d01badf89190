"""How long a step takes, and how many samples pass."""

from __future__ import annotations

import time
from collections.abc import Callable

from typing_extensions import Self, override

from mswidget.collect.options.tokens import Tokens
from mswidget.collect.sources.source import Source, Subject
from mswidget.collect.steps.params import Params, batch_size
from mswidget.collect.steps.progress import Progress


class Pace(Source):
    """Times steps from one reading to the next, so a reading may stand for many.

    The first step is left out: it compiles. So is all that lies between the end of
    an epoch and the begin of the next: evaluations, checkpoints.

    Parameters
    ----------
    find_size
        Returns the samples of one step; 0 when nobody knows.
    tokens
        What the user knows of them.
    clock
        Returns seconds.
    """

    def __init__(
        self,
        find_size: Callable[[Params], int],
        tokens: Tokens,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._find_size = find_size
        self._tokens = tokens
        self._clock = clock
        self._size: int | None = None
        self._since_s: float | None = None
        self._steps = 0

    @classmethod
    def of(cls, subject: Subject) -> Self:
        """Time a training's steps."""

        def find_size(params: Params) -> int:
            try:
                return batch_size(params) or 0
            except Exception as error:  # noqa: BLE001 - a user's dataset may do anything
                subject.notice(
                    "the batch size is unknown, so there are no samples/s "
                    f"({type(error).__name__}: {error})"
                )
                return 0

        return cls(find_size, subject.options.tokens)

    @override
    def epoch_begin(self, progress: Progress) -> None:
        if self._since_s is not None:
            self._since_s, self._steps = self._clock(), 0

    @override
    def step_end(self, progress: Progress) -> None:
        if self._since_s is None:
            self._since_s = self._clock()
        else:
            self._steps += progress.steps

    @override
    def read(self, progress: Progress) -> dict[str, float]:
        if self._size is None:
            self._size = self._find_size(progress.params)
        if self._since_s is None or not self._steps:
            return {}
        now_s = self._clock()
        step_s = (now_s - self._since_s) / self._steps
        self._since_s, self._steps = now_s, 0
        values = {"step_time_ms": 1e3 * step_s}
        if self._size and step_s > 0:
            values["samples_per_s"] = self._size / step_s
            if self._tokens.per_sample is not None:
                values |= self._tokens.rates(values["samples_per_s"])
        return values
