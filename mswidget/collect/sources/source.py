"""Where values of a step come from: one entry a kind, each guarded apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mindspore import nn

from mswidget.collect.options.options import Options
from mswidget.collect.outputs.share import Share
from mswidget.collect.steps.moment import Moment
from mswidget.collect.steps.steps import Params
from mswidget.records.parameters import Parameter

Hook = Callable[[Moment], object]
Reading = Callable[[Moment], Mapping[str, object]]


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
    moment
        Where the training is, now and later.
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
    moment: Moment
    notice: Callable[[str], None]
    event: Callable[..., None]
    set_parameters: Callable[[Sequence[Parameter]], None]


def ignore(moment: Moment) -> Mapping[str, object]:  # noqa: ARG001 - a hook's
    """Stand for what a source does not care about; it is never called."""
    return {}


@dataclass(frozen=True)
class Source:
    """Values of one kind. A source pays in a step only for the hooks it has.

    Parameters
    ----------
    read
        Returns a step's values by metric name, at its end; tensors stay unread.
        Called for the steps that are logged.
    read_late
        Returns what it still knows of the step that ended last, when another has begun
        or an epoch has: nothing more will come, and ``read`` was not called for it.
    epoch_begin, step_begin
        Called at every epoch's and step's begin.
    step_end
        Called at every step's end, before ``read``.
    step_left
        Called when all is done with a step's end, and the training goes on.
    end
        Called when the training has ended, also by an exception, or when the source
        has failed: then nothing else is called any more.
    facts
        Returns what stands in the ``train_begin`` line, which is written when the
        first step has ended.
    """

    read: Reading = ignore
    read_late: Reading = ignore
    epoch_begin: Hook = ignore
    step_begin: Hook = ignore
    step_end: Hook = ignore
    step_left: Hook = ignore
    end: Hook = ignore
    facts: Reading = ignore


Factory = Callable[[Subject], "Source | None"]
"""Makes a source for what is trained; None when it has nothing to tell."""
