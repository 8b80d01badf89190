"""Statistics of weights and gradients, at one step in many."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from mindspore import nn

from mswidget.collect.options.selection import INTERVAL, Allowance, Turns, Watch
from mswidget.collect.sources.source import Source, Subject
from mswidget.collect.steps.moment import Moment
from mswidget.collect.weights.watched_parameters import WatchedParameters
from mswidget.guard import Guard
from mswidget.run.session import Run

_PART = "weight statistics"


def weights(subject: Subject) -> Source | None:
    """Watch the parameters of the network that is trained."""
    options = subject.options
    watched = WatchedParameters(
        subject.network,
        options.watch,
        subject.notice,
        subject.set_parameters,
        optimizer=subject.optimizer,
    )
    if not watched.names:
        return None
    interval, before = options.watch.interval or INTERVAL, subject.moment.step
    turns = Turns(interval, options.log_interval, before)
    allowance = Allowance(options.watch.share)
    begun = False
    values: dict[str, float] = {}

    def step_begin(moment: Moment) -> None:
        nonlocal begun, values
        if begun:
            begun, values = False, {}
        if turns.is_due(moment.step) and allowance.allows(time.perf_counter()):
            begun = True
            watched.begin(moment.steps)

    def step_end(moment: Moment) -> None:  # noqa: ARG001 - as begun
        nonlocal values
        if begun:
            values = watched.end()
            allowance.spend(watched.spent_s, time.perf_counter())

    return Source(
        lambda moment: values,  # noqa: ARG005 - those of the step at hand
        step_begin=step_begin,
        step_end=step_end,
        end=lambda moment: watched.forget(),  # noqa: ARG005
    )


class WeightWatcher:
    """Takes statistics of weights in a hand-written loop, at one step in many.

    ``TrainMonitor`` does so by itself.

    Parameters
    ----------
    network
        What is trained: a network, or the cell that makes the steps. A
        `MonitoredTrainStep` can give gradients.
    run
        Is told of the parameters, for `Run.parameters`.
    watch, interval, gradients
        As ``watch``, ``watch_interval`` and ``watch_gradients`` of `TrainMonitor`.

    Raises
    ------
    ValueError
        For an option that makes no sense.

    Examples
    --------
    >>> watcher = WeightWatcher(network, run)
    >>> for step, batch in enumerate(dataset, start=1):
    ...     loss = train_step(*batch)
    ...     run.log({"loss": loss, **watcher.values(step)}, step=step)
    """

    def __init__(
        self,
        network: nn.Cell,
        run: Run,
        *,
        watch: bool | str | Sequence[str] = True,
        interval: int = INTERVAL,
        gradients: bool = False,
    ) -> None:
        options = Watch(watch, interval, gradients)
        self._interval = interval
        self._guard = Guard(run.notice)
        self._watched = self._guard(
            _PART, WatchedParameters, network, options, run.notice, run.set_parameters
        )
        # None: for the first step, whatever its number.
        self._begun_for: int | None = None
        if self._watched is not None:
            self._guard(_PART, self._watched.begin)

    def values(self, step: int) -> Mapping[str, float]:
        """Return the statistics at the first step and at one in ``interval``.

        Empty at the others; never raises. Call it after every step: what a step
        changes can be told only when the step before it was seen.
        """
        if self._watched is None:
            return {}
        return self._guard(_PART, self._values, self._watched, step) or {}

    def _values(self, watched: WatchedParameters, step: int) -> dict[str, float]:
        found: dict[str, float] = {}
        if self._begun_for is None or step % self._interval == 0:
            if self._begun_for not in {None, step}:
                watched.forget()
            found = watched.end()
        self._begun_for = step + 1
        if self._begun_for % self._interval == 0:
            watched.begin()
        return found
