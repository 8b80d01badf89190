"""The rate of each group of an optimizer's parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, SupportsFloat

import mindspore as ms
import numpy as np
from mindspore import nn

from mswidget.collect.schedule import Report, Schedule

Rate = Callable[[int], object]
"""Index of an update, counted by the optimizer from 0, to its rate or None."""

# An optimizer puts a list, and a constant among schedules, into a cell of its own.
_HOLDERS = {"_ConvertToCell", "_IteratorLearningRate"}


def find_rates(optimizer: Any, report: Report) -> dict[str, Rate]:  # noqa: ANN401 - of any kind
    """Return one rate for each parameter group, in their order, by metric name.

    Groups that share a rate, since none was given to them, count as one.
    """
    groups = getattr(optimizer, "param_groups", None)
    if groups is not None:
        firsts = [_first(group["params"]) for group in groups]
        return _named(firsts, [Constant(_Group(group, report)) for group in groups])
    rate = getattr(optimizer, "learning_rate", None)
    if rate is None:
        return {}
    if not getattr(optimizer, "is_group_lr", False):
        return {"lr": _rate(rate, report)}
    # One entry a parameter; those of one group hold the same object.
    found: dict[int, tuple[str, ms.Parameter | nn.Cell]] = {}
    for own, parameter in zip(rate, optimizer.parameters, strict=True):
        found.setdefault(id(own), (parameter.name, own))
    firsts = [first for first, _ in found.values()]
    return _named(firsts, [_rate(own, report) for _, own in found.values()])


def _named(firsts: Sequence[str], rates: Sequence[Rate]) -> dict[str, Rate]:
    """Name groups by their number and first parameter."""
    if len(rates) == 1:
        return {"lr": rates[0]}
    names = [f"lr/{number}:{first}" for number, first in enumerate(firsts)]
    return dict(zip(names, rates, strict=True))


def _first(parameters: Iterable[ms.Parameter]) -> str:
    return next((str(parameter.name) for parameter in parameters), "")


def _rate(rate: ms.Parameter | nn.Cell, report: Report) -> Rate:
    held = rate.learning_rate if type(rate).__name__ in _HOLDERS else rate
    if not isinstance(held, ms.Parameter):
        return Schedule(held, report)
    return Listed(held) if held.ndim else Constant(held.asnumpy)


class _Group:
    """Reads the rate of a group of ``param_groups``.

    ``mint.optim.SGD`` of MindSpore 2.10 goes on with a copy that it made at first,
    whatever a scheduler sets.
    """

    def __init__(self, group: Mapping[str, Any], report: Report) -> None:
        self._group = group
        self._report = report
        self._told = False

    def __call__(self) -> float:
        current = float(self._group["lr"])
        used = float(self._group.get("lr_float", current))
        if not self._told and not np.isclose(used, current, rtol=1e-6):
            self._told = True
            self._report(
                f"the optimizer goes on with learning rate {used:g}, though it was set "
                f"to {current:g}: mint.optim.SGD heeds no scheduler"
            )
        return used


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
