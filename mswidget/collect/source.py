"""Where values of a step come from: one entry a kind, each guarded apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mindspore import nn

from mswidget.collect.options import Options
from mswidget.collect.share import Share
from mswidget.collect.steps import Params
from mswidget.store.parameters import Parameter


@dataclass(frozen=True)
class Subject:
    """What is trained, and what the user wants to know of it.

    Parameters
    ----------
    params
        MindSpore's, at the begin of the first epoch.
    options
        What the user gave to `TrainMonitor`.
    network
        The cell that ``Model`` calls in each step.
    optimizer
        None when nobody knows.
    share
        What the loss that the train step returns stands for.
    step
        Returns the step of the whole training that ``params`` is at, from 1.
    notice
        Tells the user something, once.
    event
        Writes an event of the last step, and marks it.
    set_parameters
        Is given what is known of the network's parameters.
    """

    params: Params
    options: Options
    network: nn.Cell
    optimizer: nn.Cell | None
    share: Share
    step: Callable[[Params], int]
    notice: Callable[[str], None]
    event: Callable[..., None]
    set_parameters: Callable[[Sequence[Parameter]], None]


def ignore(*_: object) -> None:
    """Stand for what a source does not care about."""


def _nothing(params: Params) -> Mapping[str, object]:  # noqa: ARG001 - a source's
    return {}


@dataclass(frozen=True)
class Source:
    """Values of one kind.

    Parameters
    ----------
    read
        Returns a step's values by metric name, at its end; tensors stay unread.
        Called for the steps that are logged.
    epoch_begin, step_begin
        Called at every epoch's and step's begin.
    step_end
        Called at every step's end, before ``read``, with how many steps ended: in
        data-sink mode one callback stands for a whole sink.
    step_left
        Called when all is done with a step's end, and the training goes on.
    end
        Called when the training has ended, also by an exception.
    facts
        Returns what stands in the ``train_begin`` line, which is written when the
        first step has ended.
    """

    read: Callable[[Params], Mapping[str, object]]
    epoch_begin: Callable[[Params], None] = ignore
    step_begin: Callable[[Params], None] = ignore
    step_end: Callable[[int, Params], None] = ignore
    step_left: Callable[[Params], None] = ignore
    end: Callable[[Params], None] = ignore
    facts: Callable[[Params], Mapping[str, object]] = _nothing


Factory = Callable[[Subject], "Source | None"]
"""Makes a source for what is trained; None when it has nothing to tell."""
