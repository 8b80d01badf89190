"""A learning-rate schedule, computed ahead."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import mindspore as ms
import numpy as np
from mindspore import nn
from numpy.typing import NDArray

Report = Callable[[str], None]

_CHUNK = 4096
_COST_SHARE = 50


class Schedule:
    """A ``LearningRateSchedule``, computed for thousands of steps in one call.

    One that cannot (its Python branches on the step) is called step by step, as
    rarely as keeps it below 2 % of the time.

    Parameters
    ----------
    schedule
        Maps a tensor of update indices to rates.
    report
        Is told when the schedule has to be called step by step.
    """

    def __init__(self, schedule: nn.Cell, report: Report) -> None:
        self._schedule = schedule
        self._report = report
        self._start = 0
        self._table: list[float] = []
        self._whole = True
        self._next_call_s = 0.0

    def __call__(self, index: int) -> float | None:
        """Return the rate of one update; None when it is not this one's turn."""
        if self._whole and not 0 <= index - self._start < len(self._table):
            self._fill(index)
        if self._whole:
            return self._table[index - self._start]
        return self._sparsely(index)

    def _fill(self, start: int) -> None:
        self._start = start
        try:
            self._table = self._tabulate(start)
        except Exception as error:  # noqa: BLE001 - a user's code, written for one step
            self._whole = False
            self._report(
                f"{type(self._schedule).__name__} cannot be computed ahead "
                f"({type(error).__name__}): the learning rate is read at some steps"
            )

    def _tabulate(self, start: int) -> list[float]:
        """Compute a chunk, and check it against single calls.

        Raises
        ------
        ValueError
            When the schedule computes something else for many steps at once.
        """
        table = self._values(range(start, start + _CHUNK))
        probes = [0, 1, _CHUNK - 1]
        single = [self._values([start + probe]) for probe in probes]
        if table.shape != (_CHUNK,) or not np.allclose(
            table[probes], np.ravel(single), rtol=1e-5, equal_nan=True
        ):
            message = "a whole table differs from single steps"
            raise ValueError(message)
        rates: list[float] = table.tolist()
        return rates

    def _values(self, indices: Iterable[int]) -> NDArray[np.float32]:
        steps = ms.Tensor(np.asarray(indices), ms.int32)
        rates: NDArray[np.float32] = self._schedule(steps).asnumpy()
        return rates

    def _sparsely(self, index: int) -> float | None:
        began = time.perf_counter()
        if began < self._next_call_s:
            return None
        value = float(np.ravel(self._values([index]))[0])
        ended = time.perf_counter()
        self._next_call_s = ended + _COST_SHARE * (ended - began)
        return value
