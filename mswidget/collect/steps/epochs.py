"""True epochs: in data-sink mode MindSpore calls every sink an epoch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mswidget.collect.steps.params import Params, dataset_size


@dataclass(frozen=True)
class Epochs:
    """Tells the epoch of a step.

    Parameters
    ----------
    length
        Steps of one pass through the data; None when nobody knows.
    called
        Steps of what MindSpore calls an epoch; None when nobody knows.
    """

    length: int | None
    called: int | None

    @cached_property
    def differ(self) -> bool:
        """Whether MindSpore's epochs are none: a sink of another size."""
        return bool(self.length and self.called and self.length != self.called)

    def of(self, step: int, called: int | None) -> int | None:
        """Return the epoch, from 1, of a step.

        Parameters
        ----------
        step
            Counted through the whole training, from 1.
        called
            The epoch that MindSpore says it is.
        """
        if not self.differ or not self.length:
            return called
        return (step - 1) // self.length + 1

    def total(self, called: int | None, steps: int | None) -> int | None:
        """Return how many epochs there will be.

        Parameters
        ----------
        called
            How many MindSpore says, with those before this training.
        steps
            Of the whole training.
        """
        if not self.differ or not self.length:
            return called
        return None if steps is None else -(-steps // self.length)

    def ended(self, step: int, stride: int, called: int | None) -> int | None:
        """Return the epoch that ended last in ``stride`` steps to ``step``, if any.

        Parameters
        ----------
        step
            Counted through the whole training, from 1.
        stride
            Steps since MindSpore's epoch before this ended.
        called
            The epoch that MindSpore says has ended.
        """
        if not self.differ or not self.length:
            return called
        done = step // self.length
        return done if done > (step - stride) // self.length else None


def find_epochs(params: Params) -> Epochs:
    """Return how many steps an epoch has, and what MindSpore calls one.

    On a CPU ``sink_size`` has no effect, but ``batch_num`` tells it all the same.
    """
    length = dataset_size(params)
    batches = params.get("batch_num")
    sink = params.get("dataset_sink_mode") or length is None
    return Epochs(length or batches, batches if sink else length)
