"""Gradients of single steps, taken out of a step that gives none in the others."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import cast

import mindspore as ms
from mindspore import Tensor, nn

from mswidget.collect.train_step.networks import find_monitored
from mswidget.collect.train_step.train_step import MonitoredTrainStep


class Gradients:
    """Lets single steps of a `MonitoredTrainStep` give out gradients.

    These steps are made by a second cell, with the same network and optimizer. In
    graph mode it is compiled once, when first needed; all other steps cost nothing.

    Parameters
    ----------
    step
        Called by Python: in data-sink mode of graph mode, or inside of another cell,
        it gives no gradients.
    names
        Parameters whose gradients are wanted; those that are not trained have none.
    notice
        Told when a step with gradients failed; the plain one is made then.
    """

    def __init__(
        self,
        step: MonitoredTrainStep,
        names: Sequence[str],
        notice: Callable[[str], None],
    ) -> None:
        index = {weight.name: at for at, weight in enumerate(step.weights)}
        self._names = [name for name in names if name in index]
        self._step = step
        self._cell = step.keeping(tuple(index[name] for name in self._names))
        self._notice = notice
        self._kept: Sequence[Tensor] = ()
        self._failed = False
        self._compiled = False

    def ask(self) -> None:
        """Let the next step give its gradients."""
        self._kept = ()
        if self._names and not self._failed:
            self._step.detour = self._make_step

    def take(self) -> dict[str, Tensor]:
        """Return, once, the gradients of the step asked for; empty without any."""
        if self._step.detour is not None:
            self._notice(
                "no gradients of a step in which MindSpore, not Python, calls the "
                "MonitoredTrainStep: in data-sink mode, or inside of another cell"
            )
        kept = self._kept
        self.forget()
        return dict(zip(self._names, kept, strict=False))

    def forget(self) -> None:
        """Let go of what was asked for."""
        self._step.detour = None
        self._kept = ()

    def _make_step(self, *inputs: Tensor) -> tuple[object, ...]:
        self._step.detour = None
        self._cell.set_train(self._step.training)
        try:
            outputs: tuple[object, ...] = self._cell(*inputs)
        except Exception as error:  # noqa: BLE001 - a second graph may lack memory
            self._failed = True
            self._notice(
                "a step with gradients failed and was made without; none are taken "
                f"from now on ({type(error).__name__}: {error})"
            )
            plain: tuple[object, ...] = self._step(*inputs)
            return plain
        self._compile_plain_step(*inputs)
        self._kept = cast("tuple[Tensor, ...]", outputs[-1])
        return outputs[:-1]

    def _compile_plain_step(self, *inputs: Tensor) -> None:
        """Compile both graphs in one step, so that no later one takes that long."""
        if not self._compiled and ms.get_context("mode") == ms.GRAPH_MODE:
            # The next step tells what is wrong.
            with contextlib.suppress(Exception):
                self._step.compile(*inputs)
        self._compiled = True


def find_gradients(
    network: nn.Cell, names: Sequence[str], notice: Callable[[str], None]
) -> Gradients | None:
    """Return what gives gradients of these parameters; None, and says why, if none."""
    step = find_monitored(network)
    if step is None:
        notice(
            f"no gradients: {type(network).__name__} keeps them to itself, "
            "Model(MonitoredTrainStep(network, optimizer)) gives them"
        )
        return None
    if type(step).construct is not MonitoredTrainStep.construct:
        notice(f"no gradients: {type(step).__name__} has a construct of its own")
        return None
    return Gradients(step, names, notice)
