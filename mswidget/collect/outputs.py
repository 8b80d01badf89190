"""What the train step returned: losses and whatever stands beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mindspore import nn

from mswidget.collect.losses import Naming, OutputNamer
from mswidget.collect.networks import find_namer, trains_on_all
from mswidget.collect.source import Source, Subject
from mswidget.collect.steps import Params


def losses(subject: Subject) -> Source:
    """Name what the train step returned."""
    namer = find_namer(subject.network, subject.options.parts)
    if not isinstance(namer, OutputNamer):
        return Source(lambda params: namer.named(params["net_outputs"]))
    return Source(_Outputs(namer, subject.network, subject.notice))


class _Outputs:
    """Names outputs, and explains once where they come from."""

    def __init__(
        self, namer: OutputNamer, network: nn.Cell, notice: Callable[[str], None]
    ) -> None:
        self._namer = namer
        self._network = network
        self._notice = notice
        self._explained = False

    def __call__(self, params: Params) -> Mapping[str, object]:
        outputs = params["net_outputs"]
        if not self._explained:
            self._explained = True
            for text in _explain(self._namer.naming(outputs), self._network):
                self._notice(text)
        return self._namer(outputs)


def _explain(naming: Naming, network: nn.Cell) -> list[str]:
    """Return what the user should know about where the losses come from."""
    texts = [naming.problem] if naming.problem else []
    if naming.terms and len(naming.names) > 1:
        terms = " + ".join(naming.names[index] for index in naming.terms)
        texts.append(f"loss is derived: {terms}; the train step returned no loss")
    if len(naming.names) > 1 and trains_on_all(network):
        texts.append(
            f"the network returns {len(naming.names)} values and MindSpore's "
            "TrainOneStepCell trains on the sum of them all, also on those that are "
            "only meant to be watched; MonitoredTrainStep trains on the first alone"
        )
    return texts
