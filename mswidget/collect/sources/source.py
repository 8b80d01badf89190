"""Where values of a step come from: one class a kind, each guarded apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mindspore import nn

from mswidget.collect.options.options import Options
from mswidget.collect.options.own_metric import OwnMetric
from mswidget.collect.outputs.share import Share
from mswidget.collect.steps.params import Params
from mswidget.collect.steps.progress import Progress
from mswidget.records.parameters import Parameter


@dataclass(frozen=True)
class Subject:
    """What is trained, and what the user wants to know of it.

    Parameters
    ----------
    params
        MindSpore's, at the begin of the first epoch.
    options
        What the user gave to `TrainMonitor`.
    metrics
        The user's own; more may be added later.
    network
        The cell that ``Model`` calls in each step.
    optimizer
        None when nobody knows.
    share
        What the loss that the train step returns stands for.
    progress
        How far the training is, now and later.
    notice
        Tells the user something, once.
    event
        Writes an event of the last step, and marks it.
    set_parameters
        Is given what is known of the network's parameters.
    """

    params: Params
    options: Options
    metrics: Sequence[OwnMetric]
    network: nn.Cell
    optimizer: nn.Cell | None
    share: Share
    progress: Progress
    notice: Callable[[str], None]
    event: Callable[..., None]
    set_parameters: Callable[[Sequence[Parameter]], None]


class Source:
    """Tells values of one kind: a class of its own overrides the hooks that it needs.

    A step pays only for those. What they raise turns the source off, and no other.
    """

    def epoch_begin(self, progress: Progress) -> None:
        """Take note that an epoch begins."""

    def step_begin(self, progress: Progress) -> None:
        """Take note that a step begins."""

    def step_end(self, progress: Progress) -> None:
        """Take note that a step has ended, before `read`."""

    def read(self, progress: Progress) -> Mapping[str, object]:  # noqa: ARG002 - a hook's
        """Return a step's values by metric name, at its end; tensors stay unread.

        Called for the steps that are logged.
        """
        return {}

    def read_late(self, progress: Progress) -> Mapping[str, object]:  # noqa: ARG002
        """Return what is still known of the step that ended last.

        Called when another step or epoch has begun and nothing more will come, if
        `read` was not called for it.
        """
        return {}

    def step_left(self, progress: Progress) -> None:
        """Take note that all is done with a step's end, and the training goes on."""

    def facts(self, progress: Progress) -> Mapping[str, object]:  # noqa: ARG002
        """Return what stands in the ``train_begin`` line.

        It is written when the first step has ended.
        """
        return {}

    def end(self, progress: Progress) -> None:
        """Look for the last time: nothing else is called any more.

        The training has ended, also by an exception, or the source has failed.
        """


Factory = Callable[[Subject], Source | None]
"""Makes a source for what is trained; None when it has nothing to tell."""
