"""Statistics of weights and gradients in a training, at one step in many."""

from __future__ import annotations

import time

from typing_extensions import Self, override

from mswidget.collect.options.weight_options import INTERVAL
from mswidget.collect.sources.source import Source, Subject
from mswidget.collect.steps.progress import Progress
from mswidget.collect.weights.allowance import Allowance
from mswidget.collect.weights.turns import Turns
from mswidget.collect.weights.watched_parameters import WatchedParameters


class WeightStatistics(Source):
    """Takes statistics when it is their turn and the time allows.

    Parameters
    ----------
    parameters
        Whom they are of.
    turns
        Says at which steps.
    allowance
        Says whether they may take the time.
    """

    def __init__(
        self, parameters: WatchedParameters, turns: Turns, allowance: Allowance
    ) -> None:
        self._parameters = parameters
        self._turns = turns
        self._allowance = allowance
        self._begun = False
        self._values: dict[str, float] = {}

    @classmethod
    def of(cls, subject: Subject) -> Self | None:
        """Watch the parameters of the network that is trained."""
        options = subject.options
        parameters = WatchedParameters(
            subject.network,
            options.weights,
            subject.notice,
            subject.set_parameters,
            optimizer=subject.optimizer,
        )
        if not parameters.names:
            return None
        interval, progress = options.weights.interval or INTERVAL, subject.progress
        turns = Turns(interval, progress.log_interval, progress.step)
        return cls(parameters, turns, Allowance(options.weights.share))

    @override
    def step_begin(self, progress: Progress) -> None:
        if self._begun:
            self._begun, self._values = False, {}
        self._turns.log_interval = progress.log_interval
        due = self._turns.is_due(progress.step)
        if due and self._allowance.allows(time.perf_counter()):
            self._begun = True
            self._parameters.begin(progress.steps)

    @override
    def step_end(self, progress: Progress) -> None:
        if self._begun:
            self._values = self._parameters.end()
            self._allowance.spend(self._parameters.spent_s, time.perf_counter())

    @override
    def read(self, progress: Progress) -> dict[str, float]:
        return self._values

    @override
    def end(self, progress: Progress) -> None:
        self._parameters.forget()
