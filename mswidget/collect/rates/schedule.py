"""A learning-rate schedule, computed ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import mindspore as ms
import numpy as np
from mindspore import nn
from numpy.typing import NDArray

Report = Callable[[str], None]

_CHUNK = 4096
_BACK = 256
_PROBES = (0, 1, 2, 7, 100, 1000, 2047, _CHUNK - 1)


class Schedule:
    """A ``LearningRateSchedule``, computed for thousands of steps in one call.

    One that cannot (its Python branches on the step) is called for each step that is
    asked for; the tensor it returns stays unread.

    Parameters
    ----------
    schedule
        Maps a tensor of update indices to rates.
    report
        Is told when the schedule has to be called step by step, or not at all.
    """

    def __init__(self, schedule: nn.Cell, report: Report) -> None:
        self._schedule = schedule
        self._name = type(schedule).__name__
        self._report = report
        self._start = 0
        self._table: list[float] = []
        self._rate: Callable[[int], object] = self._first

    def __call__(self, index: int) -> object:
        """Return the rate of one update; None when nobody can tell it."""
        at = index - self._start
        if 0 <= at < len(self._table):
            return self._table[at]
        return self._rate(index) if index >= 0 else None

    def _first(self, index: int) -> object:
        """Find out in which way to ask this schedule."""
        if _changes(self._schedule):
            self._report(
                f"{self._name} changes its own parameters when it is called, so the "
                "learning rate is left out: asking for it would change the training"
            )
            self._rate = _unknown
        else:
            self._rate = self._compute
        return self._rate(index)

    def has(self, index: int) -> bool:
        """Say whether the rate of an update is in the table already."""
        return 0 <= index - self._start < len(self._table)

    def _compute(self, index: int) -> object:
        try:
            # Some before it too: skipped updates lead back.
            self._fill(max(0, index - _BACK))
        except Exception as error:  # noqa: BLE001 - a user's code, for one step
            self._report(
                f"{self._name} cannot be computed ahead ({type(error).__name__}), "
                "so it is called for each step that is logged"
            )
            self._rate = self._call
            return self._call(index)
        return self._table[index - self._start]

    def _fill(self, start: int) -> None:
        """Compute a chunk, and check it against single calls.

        Raises
        ------
        ValueError
            When the schedule computes something else for many steps at once.
        """
        table = self._values(range(start, start + _CHUNK))
        probes = list(_PROBES)
        single = [self._values([start + probe]) for probe in probes]
        if table.shape != (_CHUNK,) or not np.allclose(
            table[probes], np.ravel(single), rtol=1e-5, equal_nan=True
        ):
            message = "a whole table differs from single steps"
            raise ValueError(message)
        self._start, self._table = start, table.tolist()

    def _values(self, indices: Iterable[int]) -> NDArray[np.float32]:
        steps = ms.Tensor(np.asarray(indices), ms.int32)
        rates: NDArray[np.float32] = self._schedule(steps).asnumpy()
        return rates

    def _call(self, index: int) -> object:
        # As the optimizer does: one step in an array.
        return self._schedule(ms.Tensor([index], ms.int32))


def _changes(schedule: nn.Cell) -> bool:
    """Say whether a call changes the schedule's own parameters; put them back."""
    parameters = list(schedule.get_parameters())
    if not parameters:
        return False
    before = [parameter.asnumpy().copy() for parameter in parameters]
    schedule(ms.Tensor([0], ms.int32))
    after = [parameter.asnumpy() for parameter in parameters]
    if all(map(np.array_equal, before, after)):
        return False
    for parameter, value in zip(parameters, before, strict=True):
        parameter.set_data(ms.Tensor(value))
    return True


def _unknown(index: int) -> None:
    """Stand for a schedule that must not be asked."""
