"""The rate of each group of an optimizer's parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, SupportsFloat, TypeAlias

import mindspore as ms
from mindspore import nn

from mswidget.collect.rates.schedule import Report, Schedule

Rate = Callable[[int], object]
"""Index of an update, counted by the optimizer from 0, to its rate or None."""

Holder: TypeAlias = "ms.Parameter | nn.Cell | Mapping[str, Any]"

# An optimizer puts a list, and a constant among schedules, into a cell of its own.
_WRAPPERS = {"_ConvertToCell", "_IteratorLearningRate"}


def find_rates(optimizer: nn.Cell | None, report: Report) -> dict[str, Rate]:
    """Return one rate for each parameter group, in their order, by metric name.

    Groups that share a rate, since none was given to them, count as one.
    """
    holders = rate_holders(optimizer)
    return {name: _rate(holder, report) for name, holder in holders.items()}


def rate_holders(optimizer: Any) -> dict[str, Holder]:  # noqa: ANN401 - of any kind
    """Return what holds the rate of each group, by metric name."""
    groups = getattr(optimizer, "param_groups", None)
    if groups is not None:
        return _named([(_first(group["params"]), group) for group in groups])
    rate = getattr(optimizer, "learning_rate", None)
    if rate is None:
        return {}
    if not getattr(optimizer, "is_group_lr", False):
        return {"lr": rate}
    # One entry a parameter; those of one group hold the same object.
    holders: dict[int, tuple[str, Holder]] = {}
    for own, parameter in zip(rate, optimizer.parameters, strict=True):
        holders.setdefault(id(own), (parameter.name, own))
    return _named([*holders.values()])


def held_rate(holder: Holder) -> object:
    """Return the constant, list or schedule that a holder has."""
    if isinstance(holder, Mapping):
        return holder["lr"]
    return holder.learning_rate if type(holder).__name__ in _WRAPPERS else holder


def _named(groups: Sequence[tuple[str, Holder]]) -> dict[str, Holder]:
    """Name groups by their number and first parameter."""
    if len(groups) == 1:
        return {"lr": groups[0][1]}
    numbered = enumerate(groups)
    return {f"lr/{number}:{first}": holder for number, (first, holder) in numbered}


def _first(parameters: Iterable[ms.Parameter]) -> str:
    return next((str(parameter.name) for parameter in parameters), "")


def _rate(holder: Holder, report: Report) -> Rate:
    if isinstance(holder, Mapping):
        return Constant(_Group(holder, report))
    held = held_rate(holder)
    if not isinstance(held, ms.Parameter):
        return Schedule(held, report)
    return Listed(held) if held.ndim else Constant(held.item)


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
        if not self._told and not math.isclose(used, current, rel_tol=1e-6):
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

    def has(self, index: int) -> bool:
        """Say whether an update has an entry."""
        return 0 <= index < len(self._table)

    def __call__(self, index: int) -> float | None:
        """Return an entry; None after the end, where MindSpore fails or repeats."""
        return self._table[index] if self.has(index) else None
