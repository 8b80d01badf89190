"""The learning rate that a step used."""

from __future__ import annotations

from collections.abc import Mapping

from mindspore import nn

from mswidget.collect.rates import Constant, find_rates
from mswidget.collect.schedule import Report
from mswidget.collect.setters import may_be_set, set_early, set_late
from mswidget.collect.source import Source, Subject
from mswidget.collect.steps import Params, global_step
from mswidget.guard import tell


def rates(subject: Subject) -> Source:
    """Tell the rates that each step used."""
    callbacks = list(subject.params.get("list_callback") or ())
    found = LearningRates(
        subject.optimizer, subject.notice, watch=may_be_set(callbacks)
    )
    late, early = set_late(callbacks), set_early(callbacks)
    of_step: dict[str, object] = {}

    def step_begin(params: Params) -> None:
        of_step.clear()
        of_step.update(found.at(params["cur_step_num"]))

    def step_end(steps: int, params: Params) -> None:  # noqa: ARG001 - a source's
        if not late:
            return
        now = found.at(params["cur_step_num"])
        if early and now != of_step:
            subject.notice(
                "the learning rate may be shown a step late: callbacks before and "
                "behind TrainMonitor may set it; put TrainMonitor last"
            )
        elif not early:
            of_step.update(now)

    return Source(
        lambda params: of_step,  # noqa: ARG005 - those of the step at hand
        epoch_begin=lambda params: found.sync(params["cur_step_num"]),
        # Before the step: at its end, another callback may have set the next one's.
        step_begin=step_begin,
        step_end=step_end,
    )


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

    def at(self, step: int) -> dict[str, object]:
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
