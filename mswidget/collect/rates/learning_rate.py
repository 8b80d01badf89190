"""The learning rate that a step used."""

from __future__ import annotations

from collections.abc import Mapping

from mindspore import nn

from mswidget.collect.rates.rates import Constant, Listed, find_rates
from mswidget.collect.rates.schedule import Report, Schedule
from mswidget.collect.rates.skips import LateRate, Skips
from mswidget.collect.steps.offset import global_step
from mswidget.guard import tell


class LearningRates:
    """Tells each step's learning rates, by metric name, for a loop of your own.

    MindSpore's own ``optimizer.get_lr()`` gives the *next* step's rate at the end of
    a step, and launches operators to do so.

    Parameters
    ----------
    optimizer
        Of ``mindspore.nn`` or with ``param_groups``, as those of
        ``mindspore.experimental.optim`` and ``mindspore.mint.optim``; None or another
        kind tells nothing.
    report
        Is told once how a schedule is read that cannot be computed ahead.
    watch
        Read constants again in every step, since somebody may set them.

    Examples
    --------
    >>> rates = mswidget.LearningRates(optimizer)
    >>> for step, batch in enumerate(data, start=1):
    ...     loss = train_step(*batch)
    ...     run.log({"loss": loss, **rates(step)}, step=step)
    ...     scheduler.step()
    """

    def __init__(
        self, optimizer: nn.Cell | None, report: Report = tell, *, watch: bool = True
    ) -> None:
        self._optimizer = optimizer
        self._rates = find_rates(optimizer, report)
        self._watch = watch
        self._first = global_step(optimizer)
        self._skips: Skips | None = None

    def __call__(self, step: int | None = None) -> Mapping[str, object]:
        """Return the rates that a step used; call it before the scheduler's step.

        Parameters
        ----------
        step
            Counted from 1 since this object was made. None asks the optimizer for the
            number of its last update, which may wait for the device.
        """
        if step is None:
            step = global_step(self._optimizer) - self._first
        return self.at(step)

    def sync(self, steps_done: int, *, may_skip: bool = False) -> None:
        """Take over the optimizer's own count, which skips overflowed steps.

        Parameters
        ----------
        steps_done
            Steps of this training so far. Reading the count waits for the device, so
            call this once an epoch.
        may_skip
            Updates may be skipped until the next call; tell `ended` of each step.
        """
        self._first = global_step(self._optimizer) - steps_done
        self._skips = Skips(steps_done) if may_skip else None
        self._read_constants()

    def at(self, step: int) -> dict[str, object]:
        """Return the rates that step ``step`` (from 1) is about to use."""
        if self._watch:
            self._read_constants()
        index = self._first + step - 1
        rates: dict[str, object] = {}
        for name, rate in self._rates.items():
            value = rate(index)
            skips = self._skips
            if skips and step <= skips.since and not isinstance(rate, Constant):
                value = None  # it may have been skipped itself
            elif skips and isinstance(rate, Listed | Schedule) and rate.has(index):
                value = LateRate(rate, index, skips, step)
            if value is not None:
                rates[name] = value
        return rates

    def ended(self, step: int, outputs: object) -> None:
        """Take note of what a step of a loss-scale cell returned, unread."""
        if self._skips is not None:
            self._skips.ended(step, outputs)

    def constants(self) -> dict[str, float]:
        """Read again what stays until somebody sets it."""
        self._read_constants()
        named = self._rates.items()
        return {name: rate(0) for name, rate in named if isinstance(rate, Constant)}

    def leave_out(self, name: str) -> None:
        """Ask no more for a rate that somebody else tells."""
        self._rates.pop(name, None)

    def _read_constants(self) -> None:
        for rate in self._rates.values():
            if isinstance(rate, Constant):
                rate.read()
