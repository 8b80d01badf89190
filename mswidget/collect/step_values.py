"""All that is logged of a step: losses, learning rate, pace."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from mindspore import nn

from mswidget.collect.learning_rate import LearningRates, may_be_set
from mswidget.collect.losses import Naming, OutputNamer
from mswidget.collect.networks import find_namer, find_optimizer, trains_on_all
from mswidget.collect.pace import Pace
from mswidget.collect.steps import Params, batch_size
from mswidget.guard import Guard


class StepValues:
    """Collects a step's values, each kind guarded apart.

    Parameters
    ----------
    params
        At the begin of the first epoch.
    parts
        The user's names for a tuple's values.
    guard
        Calls what may fail.
    notice
        Is told what the user should know about the values.
    """

    def __init__(
        self,
        params: Params,
        parts: Sequence[str] | None,
        guard: Guard,
        notice: Callable[[str], None],
    ) -> None:
        self._guard = guard
        self._notice = notice
        self._network = params["train_network"]
        self._namer = find_namer(self._network, parts)
        self._explained = False
        optimizer = find_optimizer(params.get("optimizer"), self._network)
        watch = may_be_set(params.get("list_callback") or ())
        self._rates = guard(
            "the learning rate", LearningRates, optimizer, notice, watch=watch
        )
        self._rate_of_step: dict[str, float] = {}
        self._outputs_before: object = None
        self._pace = Pace()
        self._batch_size: int | None = None

    def epoch_begin(self, params: Params) -> None:
        """Start an epoch."""
        self._pace.resume(time.perf_counter())
        if self._rates is not None:
            self._guard("the learning rate", self._rates.sync, params["cur_step_num"])

    def step_begin(self, params: Params) -> None:
        """Take what is gone when the step has ended."""
        self._outputs_before = params.get("net_outputs")
        if self._rates is not None:
            found = self._guard(
                "the learning rate", self._rates.at, params["cur_step_num"]
            )
            self._rate_of_step = found or {}

    def step_end(self, steps: int, params: Params) -> None:
        """Count the steps that have just ended."""
        if self._batch_size is None:
            self._batch_size = self._guard("the batch size", batch_size, params) or 0
        self._pace.ended(steps, time.perf_counter())

    def is_fresh(self, params: Params) -> bool:
        """Say whether the outputs are those of the step that began last."""
        outputs = params.get("net_outputs")
        return params.get("mode") == "train" and outputs is not self._outputs_before

    def read(self, params: Params) -> dict[str, object]:
        """Return the step's values by metric name; tensors stay unread."""
        losses = self._guard("reading the loss", self._losses, params["net_outputs"])
        pace = self._pace.read(time.perf_counter(), self._batch_size)
        return {**self._rate_of_step, **(losses or {}), **pace}

    def _losses(self, outputs: Any) -> dict[str, object]:  # noqa: ANN401 - of any shape
        if not isinstance(self._namer, OutputNamer):
            return self._namer.named(outputs)
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
