"""Statistics of weights and gradients, at one step in many."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import mindspore as ms
from mindspore import nn

from mswidget.collect.gradients import Gradients, why_no_gradients
from mswidget.collect.networks import cells, find_optimizer
from mswidget.collect.source import Source, Subject
from mswidget.collect.statistics import Numbers, statistics, update_ratio
from mswidget.collect.steps import Params
from mswidget.collect.train_step import MonitoredTrainStep
from mswidget.collect.watch import Turns, Watch, choose, explain
from mswidget.guard import Guard
from mswidget.session import Run
from mswidget.store.parameters import Parameter, metric_name

_PART = "weight statistics"


def weights(subject: Subject) -> Source | None:
    """Watch the parameters of the network that is trained."""
    options = subject.options
    watched = Watched(
        subject.network,
        options.watch,
        subject.notice,
        subject.set_parameters,
        optimizer=subject.optimizer,
    )
    if not watched.names:
        return None
    before = subject.step(subject.params)
    turns = Turns(options.watch.interval, options.log_interval, before)
    begun = 0
    values: dict[str, float] = {}

    def step_begin(params: Params) -> None:
        nonlocal begun
        values.clear()
        begun = turns.steps(subject.step(params))
        if begun:
            watched.begin(begun)

    def step_end(steps: int, params: Params) -> None:  # noqa: ARG001 - as begun
        if begun:
            values.update(watched.end())

    return Source(
        lambda params: values,  # noqa: ARG005 - those of the step at hand
        step_begin=step_begin,
        step_end=step_end,
        end=lambda params: watched.forget(),  # noqa: ARG005
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
        interval: int = 50,
        gradients: bool = False,
    ) -> None:
        options = Watch(watch, interval, gradients)
        self._interval = interval
        self._guard = Guard(run.notice)
        self._watched = self._guard(
            _PART, Watched, network, options, run.notice, run.set_parameters
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

    def _values(self, watched: Watched, step: int) -> dict[str, float]:
        found: dict[str, float] = {}
        if self._begun_for is None or step % self._interval == 0:
            if self._begun_for not in {None, step}:
                watched.forget()
            found = watched.end()
        self._begun_for = step + 1
        if self._begun_for % self._interval == 0:
            watched.begin()
        return found


class Watched:
    """The parameters of a network that are watched.

    Parameters
    ----------
    network
        The cell that makes the steps, or what it trains.
    watch
        What the user wants.
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
        watch: Watch,
        notice: Callable[[str], None],
        tell: Callable[[Sequence[Parameter]], None],
        *,
        optimizer: nn.Cell | None = None,
    ) -> None:
        found = find_parameters(network, find_optimizer(optimizer, network))
        chosen = choose([_fact(one) for one in found.values()], watch)
        tell(chosen)
        for text in explain(chosen, watch):
            notice(text)
        self._parameters = {one.name: found[one.name] for one in chosen if one.watched}
        self._before: dict[str, Numbers] = {}
        self._gradients = _gradients(network, watch, self.names, notice)
        self._notice = notice
        self._spent_s = 0.0

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
        start_s = time.perf_counter()
        if steps == 1:
            # MindSpore's array is its live memory: the step changes it.
            self._before = {
                name: one.asnumpy().copy() for name, one in self._parameters.items()
            }
        else:
            self._notice(
                "no update_ratio: it is that of a single step, which a data sink "
                "does not show"
            )
        if self._gradients is not None:
            self._gradients.ask()
        self._spent_s = time.perf_counter() - start_s

    def end(self) -> dict[str, float]:
        """Return the statistics by metric name, of the step that has ended."""
        start_s = time.perf_counter()
        values: dict[str, float] = {}
        for name, one in self._parameters.items():
            now = one.asnumpy()
            values |= _named("weight", name, now)
            ratio = update_ratio(self._before[name], now) if self._before else None
            if ratio is not None:
                values[f"update_ratio/{name}"] = ratio
        if self._gradients is not None:
            for name, gradient in self._gradients.take().items():
                values |= _named("grad", name, gradient.asnumpy())
        self._before = {}
        spent_s = self._spent_s + time.perf_counter() - start_s
        return values | {"watch_time_ms": 1e3 * spent_s}

    def forget(self) -> None:
        """Let go of the step that was begun."""
        self._before = {}
        if self._gradients is not None:
            self._gradients.forget()


def find_parameters(
    network: nn.Cell, optimizer: nn.Cell | None
) -> dict[str, ms.Parameter]:
    """Return a network's parameters by name, without the optimizer's own."""
    trained = {id(one) for one in getattr(optimizer, "parameters", ())}
    every = [] if optimizer is None else optimizer.get_parameters()
    own = {id(one) for one in every} - trained
    return {one.name: one for one in network.get_parameters() if id(one) not in own}


def _fact(parameter: ms.Parameter) -> Parameter:
    return Parameter(
        parameter.name,
        tuple(parameter.shape),
        str(parameter.dtype).lower(),
        bool(parameter.requires_grad),
    )


def _gradients(
    network: nn.Cell,
    watch: Watch,
    names: Sequence[str],
    notice: Callable[[str], None],
) -> Gradients | None:
    if not watch.gradients or not names:
        return None
    steps = list(cells(network))
    why = why_no_gradients(steps)
    if why:
        notice(f"watch_gradients: no gradients, since {why}")
        return None
    step = next(cell for cell in steps if isinstance(cell, MonitoredTrainStep))
    return Gradients(step, names, notice)


def _named(kind: str, parameter: str, array: Numbers) -> dict[str, float]:
    return {
        metric_name(kind, statistic, parameter): value
        for statistic, value in statistics(array).items()
    }
