"""The learning rate that a step used."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import SupportsFloat

import mindspore as ms
from mindspore import nn

from mswidget.collect.schedule import Report, Schedule
from mswidget.collect.source import Source, Subject
from mswidget.collect.steps import Params, global_step

Rate = Callable[[int], float | None]
"""Index of an update, counted by the optimizer from 0, to its rate."""

_SETTERS = {"LearningRateScheduler", "ReduceLROnPlateau", "LambdaCallback"}


def rates(subject: Subject) -> Source:
    """Tell the rates that each step used."""
    watch = may_be_set(subject.params.get("list_callback") or ())
    found = LearningRates(subject.optimizer, subject.notice, watch=watch)
    # Asked for at a step's begin: its end is too late.
    of_step: dict[str, float] = {}

    def step_begin(params: Params) -> None:
        of_step.clear()
        of_step.update(found.at(params["cur_step_num"]))

    return Source(
        lambda params: of_step,  # noqa: ARG005 - those of the step's begin
        epoch_begin=lambda params: found.sync(params["cur_step_num"]),
        step_begin=step_begin,
    )


class LearningRates:
    """Tells each step's learning rates, by metric name.

    MindSpore's own ``optimizer.get_lr()`` gives the *next* step's rate at the end of
    a step, and launches operators to do so.

    Parameters
    ----------
    optimizer
        Of ``mindspore.nn`` or with ``param_groups``, as those of
        ``mindspore.experimental.optim``; None or another kind tells nothing.
    report
        Is told once when a schedule can be read at some steps only.
    watch
        Read constants again in every step, since somebody may set them.
    """

    def __init__(
        self, optimizer: nn.Cell | None, report: Report, *, watch: bool
    ) -> None:
        self._optimizer = optimizer
        rates = _rates(optimizer, report)
        names = ["lr"] if len(rates) == 1 else [f"lr/{i}" for i in range(len(rates))]
        self._rates = dict(zip(names, rates, strict=True))
        self._watch = watch
        self._first = 0

    def sync(self, steps_done: int) -> None:
        """Take over the optimizer's own count, which skips overflowed steps.

        Parameters
        ----------
        steps_done
            Steps of this training so far. Reading the count waits for the device, so
            call this once an epoch.
        """
        self._first = global_step(self._optimizer) - steps_done
        self._read_constants()

    def at(self, step: int) -> dict[str, float]:
        """Return the rates that step ``step`` (from 1) is about to use."""
        if self._watch:
            self._read_constants()
        index = self._first + step - 1
        found = {name: rate(index) for name, rate in self._rates.items()}
        return {name: value for name, value in found.items() if value is not None}

    def _read_constants(self) -> None:
        for rate in self._rates.values():
            if isinstance(rate, Constant):
                rate.read()


def may_be_set(callbacks: Iterable[object]) -> bool:
    """Say whether a callback may set the learning rate: some do, a user's may."""
    kinds = [type(callback) for callback in callbacks]
    return any(
        kind.__name__ in _SETTERS
        or not kind.__module__.startswith(("mindspore.", "mswidget."))
        for kind in kinds
    )


def _rates(optimizer: nn.Cell | None, report: Report) -> list[Rate]:
    """Return one rate for each parameter group, in their order."""
    if optimizer is None:
        return []
    if hasattr(optimizer, "param_groups"):
        return [Constant(partial(group.get, "lr")) for group in optimizer.param_groups]
    rate = getattr(optimizer, "learning_rate", None)
    if rate is None:
        return []
    if not getattr(optimizer, "is_group_lr", False):
        return [_rate(rate, report)]
    # One entry a parameter; those of one group hold the same object.
    groups = {id(rate): rate for rate in optimizer.learning_rate}
    return [_rate(rate, report) for rate in groups.values()]


def _rate(rate: ms.Parameter | nn.Cell, report: Report) -> Rate:
    # An optimizer puts a list, and a constant among schedules, into a cell of its own.
    inner = getattr(rate, "learning_rate", None)
    parameter = inner if isinstance(inner, ms.Parameter) else rate
    if not isinstance(parameter, ms.Parameter):
        return Schedule(rate, report)
    return Listed(parameter) if parameter.ndim else Constant(parameter.asnumpy)


class Constant:
    """A rate that stays until somebody sets it.

    Parameters
    ----------
    current
        Reads it from the optimizer.
    """

    def __init__(self, current: Callable[[], SupportsFloat]) -> None:
        self._current = current
        self.read()

    def read(self) -> None:
        """Take the value that the optimizer holds now."""
        self._value = float(self._current())

    def __call__(self, index: int) -> float:  # noqa: ARG002 - every update has the same
        """Return the value last read."""
        return self._value


class Listed:
    """A rate given as a list or array, one entry an update.

    Parameters
    ----------
    parameter
        The optimizer's copy of the list.
    """

    def __init__(self, parameter: ms.Parameter) -> None:
        self._table = parameter.asnumpy().tolist()

    def __call__(self, index: int) -> float | None:
        """Return an entry; None after the end, where MindSpore fails or repeats."""
        return self._table[index] if 0 <= index < len(self._table) else None
