"""The learning rates that the steps of a training used."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override

from mswidget.collect.outputs.naming import tells_rate
from mswidget.collect.rates.learning_rate import LearningRates
from mswidget.collect.rates.setters import may_be_set, set_early, set_late
from mswidget.collect.sources.source import Source, Subject
from mswidget.collect.steps.progress import Progress
from mswidget.collect.train_step.networks import find_layout


def step_rates(subject: Subject) -> Source:
    """Tell the rates that each step used."""
    callbacks = list(subject.params.get("list_callback") or ())
    if may_be_set(callbacks) or find_layout(subject.network):
        return ChangingRates(subject, callbacks)
    return ScheduledRates(subject)


class ScheduledRates(Source):
    """Asks for rates at any time: they are what the schedule says."""

    def __init__(self, subject: Subject) -> None:
        self._rates = LearningRates(subject.optimizer, subject.notice, watch=False)

    @override
    def epoch_begin(self, progress: Progress) -> None:
        self._rates.sync(progress.params["cur_step_num"])

    @override
    def read(self, progress: Progress) -> dict[str, object]:
        return self._rates.at(progress.params["cur_step_num"])

    @override
    def read_late(self, progress: Progress) -> dict[str, object]:
        return self._rates.at(progress.seen)


class ChangingRates(Source):
    """Asks for rates when they are those of the step: they may be set, or skipped.

    What a callback may set is asked for before the step: at its end, another callback
    may have set the next step's. One that sets them at the begin, and stands behind
    the monitor, is seen at the end only. A step with a loss scale may skip its update.
    """

    def __init__(self, subject: Subject, callbacks: Sequence[object]) -> None:
        self._may_be_set = may_be_set(callbacks)
        self._set_late = set_late(callbacks)
        self._set_early = set_early(callbacks)
        self._layout = find_layout(subject.network)
        self._notice = subject.notice
        self._rates = LearningRates(
            subject.optimizer, subject.notice, watch=self._may_be_set
        )
        self._at_hand: dict[str, object] = {}

    @override
    def epoch_begin(self, progress: Progress) -> None:
        called = progress.params["cur_step_num"]
        self._rates.sync(called, may_skip=self._layout is not None)

    @override
    def step_begin(self, progress: Progress) -> None:
        if self._may_be_set:
            self._at_hand = self._rates.at(progress.params["cur_step_num"])

    @override
    def step_end(self, progress: Progress) -> None:
        if self._set_late:
            self._look_again()
        if self._layout is not None:
            outputs = progress.params.get("net_outputs")
            self._rates.ended(progress.params["cur_step_num"], outputs)
            if tells_rate(self._layout, outputs):
                self._rates.leave_out("lr")

    @override
    def read(self, progress: Progress) -> dict[str, object]:
        if self._may_be_set:
            return self._at_hand
        return self._rates.at(progress.params["cur_step_num"])

    @override
    def read_late(self, progress: Progress) -> dict[str, object]:
        # What a callback may have set by now is not known of an earlier step.
        unknown = self._rates.constants() if self._may_be_set else {}
        rates = self._rates.at(progress.seen)
        return {name: rate for name, rate in rates.items() if name not in unknown}

    def _look_again(self) -> None:
        now = self._rates.constants()
        if not self._set_early:
            self._at_hand.update(now)
        elif any(self._at_hand[name] != value for name, value in now.items()):
            self._notice(
                "the learning rate may be shown a step late: callbacks before and "
                "behind TrainMonitor may set it; put TrainMonitor last"
            )
