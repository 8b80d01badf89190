"""Statistics of weights and gradients in a loop of your own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindspore import nn

from mswidget.collect.options.weight_options import INTERVAL, WeightOptions
from mswidget.collect.weights.watched_parameters import WatchedParameters
from mswidget.guard import Guard
from mswidget.run.session import Run

_PART = "weight statistics"


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
        options = WeightOptions(watch, interval, gradients)
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
        values: dict[str, float] = {}
        if self._begun_for is None or step % self._interval == 0:
            if self._begun_for not in {None, step}:
                watched.forget()
            values = watched.end()
        self._begun_for = step + 1
        if self._begun_for % self._interval == 0:
            watched.begin()
        return values
