"""What the train step returned: losses and whatever stands beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from typing_extensions import override

from mswidget.collect.outputs.losses import OutputNamer, leaves, structure
from mswidget.collect.outputs.naming import has_flag
from mswidget.collect.sources.source import Source, Subject
from mswidget.collect.steps.progress import Progress
from mswidget.collect.train_step.networks import (
    find_layout,
    find_monitored,
    has_mindformers,
    trains_on_all,
)

Namer = Callable[[Any], Mapping[str, object]]


class Returned(Source):
    """Names what the train step returned, and explains once where it comes from."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        share = self._share = subject.share
        self._as_returned = not share.why_no_loss and share.divisor == 1
        self._name: Namer | None = None
        self._form = ""
        self._warned = False
        if share.notice:
            subject.notice(share.notice)

    @override
    def read(self, progress: Progress) -> Mapping[str, object]:
        values = self._values(progress.returned)
        if not self._warned:
            self._warned = True
            self._warn(progress)
        return values

    @override
    def read_late(self, progress: Progress) -> Mapping[str, object]:
        return self.read(progress)

    @override
    def facts(self, progress: Progress) -> Mapping[str, object]:
        share, params = self._share, progress.params
        facts: dict[str, object] = {"loss_valid": not share.why_no_loss}
        if share.why_no_loss:
            facts["loss_invalid_because"] = share.why_no_loss
        if share.divisors:
            facts |= {"loss_divisor": share.divisor, "loss_divisors": share.divisors}
        if "net_outputs" in params:
            facts["structure"] = structure(params["net_outputs"])
            facts["curves"] = [*self._values(params["net_outputs"])]
        return {"outputs": facts}

    def _values(self, outputs: object) -> Mapping[str, object]:
        if self._name is None:
            self._name = self._choose(outputs)
        values = self._name(outputs)
        return values if self._as_returned else self._share.of(values)

    def _choose(self, outputs: object) -> Namer:
        network, options = self._subject.network, self._subject.options
        monitored = find_monitored(network)
        if monitored is not None and not options.outputs:
            return monitored.named
        layout = None if options.parts else find_layout(network)
        if not has_flag(outputs) and not has_mindformers(network):
            layout = None  # made from such a step, it may return what it likes
        return OutputNamer(
            options.parts,
            options.outputs or layout,
            self._explain,
            summed=trains_on_all(network),
        )

    def _explain(self, outputs: object, explained: Sequence[str]) -> None:
        """Tell where the values come from; later, also that they came otherwise."""
        before, self._form = self._form, structure(outputs)
        if not before:
            for text in explained:
                self._subject.notice(text)
            return
        words = "; ".join(explained) or "its values are taken as they are"
        self._subject.notice(
            f"at step {self._subject.progress.last_step} the train step returned "
            f"{self._form}, and {before} before: {words}"
        )

    def _warn(self, progress: Progress) -> None:
        """Alert when what was only to be watched is trained on."""
        count = sum(1 for _ in leaves(progress.returned))
        if count > 1 and trains_on_all(self._subject.network):
            self._subject.event("alert", progress.last_step, **_trained(count))


def _trained(count: int) -> dict[str, str]:
    """Return the alert that what was only to be watched is trained on."""
    return {
        "rule": "trained_on_parts",
        "severity": "warning",
        "metric": "loss",
        "message": f"the network returns {count} values and MindSpore's "
        "TrainOneStepCell trains on the sum of them all, also on those that are only "
        "meant to be watched",
        "advice": "MonitoredTrainStep trains on the first alone",
    }
