"""What the train step returned: losses and whatever stands beside them."""

from __future__ import annotations

from collections.abc import Mapping

from mswidget.collect.losses import Naming, OutputNamer
from mswidget.collect.networks import find_namer, trains_on_all
from mswidget.collect.source import Source, Subject
from mswidget.collect.steps import Params


def losses(subject: Subject) -> Source:
    """Name what the train step returned."""
    namer = find_namer(subject.network, subject.options.parts)
    if not isinstance(namer, OutputNamer):
        return Source(lambda params: namer.named(params["net_outputs"]))
    return Source(_Outputs(namer, subject))


class _Outputs:
    """Names outputs, and explains once where they come from."""

    def __init__(self, namer: OutputNamer, subject: Subject) -> None:
        self._namer = namer
        self._subject = subject
        self._explained = False

    def __call__(self, params: Params) -> Mapping[str, object]:
        outputs = params["net_outputs"]
        if not self._explained:
            self._explained = True
            naming = self._namer.naming(outputs)
            for text in _explain(naming):
                self._subject.notice(text)
            if len(naming.names) > 1 and trains_on_all(self._subject.network):
                step = self._subject.step(params)
                self._subject.event("alert", step, **_trained(len(naming.names)))
        return self._namer(outputs)


def _explain(naming: Naming) -> list[str]:
    """Return what the user should know about where the losses come from."""
    texts = [naming.problem] if naming.problem else []
    if naming.terms and len(naming.names) > 1:
        terms = " + ".join(naming.names[index] for index in naming.terms)
        texts.append(f"loss is derived: {terms}; the train step returned no loss")
    return texts


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
