"""Those parameters of a network that are watched, before and after a step."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from mindspore import nn

from mswidget.collect.options.weight_options import WeightOptions
from mswidget.collect.train_step.gradients import find_gradients
from mswidget.collect.train_step.networks import find_optimizer
from mswidget.collect.weights.parameters import facts_of, find_parameters
from mswidget.collect.weights.selection import choose, explain
from mswidget.collect.weights.statistics import Numbers, statistics, update_ratio
from mswidget.records.parameters import Parameter, metric_name


class WatchedParameters:
    """The parameters of a network that are watched.

    Parameters
    ----------
    network
        The cell that makes the steps, or what it trains.
    options
        What the user wants to know.
    notice
        Tells the user something, once.
    tell
        Is given all parameters.
    optimizer
        Whose own parameters are none of the network's. Default: the cell's own.
    """

    def __init__(
        self,
        network: nn.Cell,
        options: WeightOptions,
        notice: Callable[[str], None],
        tell: Callable[[Sequence[Parameter]], None],
        *,
        optimizer: nn.Cell | None = None,
    ) -> None:
        parameters = find_parameters(network, find_optimizer(optimizer, network))
        chosen = choose([*map(facts_of, parameters.values())], options)
        tell(chosen)
        for text in explain(chosen, options):
            notice(text)
        self._parameters = {
            each.name: parameters[each.name] for each in chosen if each.watched
        }
        watched = self._parameters.values()
        self._smallest = min(watched, key=lambda each: each.size, default=None)
        self._before: dict[str, Numbers] = {}
        wanted = self.names if options.gradients else []
        self._gradients = find_gradients(network, wanted, notice) if wanted else None
        self._notice = notice
        self.spent_s = 0.0
        """What the last step cost, without the wait for a device that lags behind."""

    @property
    def names(self) -> list[str]:
        """Whom statistics are taken of."""
        return list(self._parameters)

    def begin(self, steps: int = 1) -> None:
        """Keep what the coming step will change.

        Parameters
        ----------
        steps
            How many will have been made at the `end`; what several have changed is
            not what one changes.
        """
        start_s = self._catch_up()
        if steps == 1:
            # MindSpore's array is its live memory: the step changes it.
            self._before = {
                name: parameter.asnumpy().copy()
                for name, parameter in self._parameters.items()
            }
        else:
            self._notice(
                "no update_ratio: it is that of a single step, which a data sink "
                "does not show"
            )
        if self._gradients is not None:
            self._gradients.ask()
        self.spent_s = time.perf_counter() - start_s

    def end(self) -> dict[str, float]:
        """Return the statistics by metric name, of the step that has ended."""
        if not self._parameters:
            return {}
        start_s = self._catch_up()
        values: dict[str, float] = {}
        for name, parameter in self._parameters.items():
            now = parameter.asnumpy()
            values |= _named("weight", name, now)
            ratio = update_ratio(self._before[name], now) if self._before else None
            if ratio is not None:
                values[f"update_ratio/{name}"] = ratio
        if self._gradients is not None:
            for name, gradient in self._gradients.take().items():
                values |= _named("grad", name, gradient.asnumpy())
        self._before = {}
        self.spent_s += time.perf_counter() - start_s
        return values | {"watch_time_ms": 1e3 * self.spent_s}

    def forget(self) -> None:
        """Let go of the step that was begun."""
        self._before = {}
        if self._gradients is not None:
            self._gradients.forget()

    def _catch_up(self) -> float:
        """Wait for all steps so far; return the time then."""
        if self._smallest is not None:
            self._smallest.asnumpy()
        return time.perf_counter()


def _named(kind: str, parameter: str, array: Numbers) -> dict[str, float]:
    return {
        metric_name(kind, statistic, parameter): value
        for statistic, value in statistics(array).items()
    }
