"""All that is logged of a step, from each of its sources."""

from __future__ import annotations

from collections.abc import Callable

from mswidget.collect import (
    checkpoints,
    data_wait,
    device_memory,
    learning_rate,
    outputs,
    own_metrics,
    pace,
    separate_losses,
    weights,
)
from mswidget.collect.source import Factory, Source, Subject, ignore
from mswidget.collect.steps import Params
from mswidget.guard import Guard

_HOOKS = ("epoch_begin", "step_begin", "step_end", "step_left", "end")

SOURCES: tuple[tuple[str, Factory], ...] = (
    ("the data wait", data_wait.data_wait),
    ("the learning rate", learning_rate.rates),
    ("reading the loss", outputs.losses),
    ("the separate losses", separate_losses.separate_losses),
    ("the pace", pace.pace),
    ("the device memory", device_memory.device_memory),
    ("the checkpoints", checkpoints.checkpoints),
    ("weight statistics", weights.weights),
    ("the user's metrics", own_metrics.own_metrics),
)
"""Each source, and what the user is told failed when it does."""


class StepValues:
    """Collects a step's values, each kind guarded apart.

    Parameters
    ----------
    subject
        What is trained.
    guard
        Calls what may fail.
    """

    def __init__(self, subject: Subject, guard: Guard) -> None:
        self._guard = guard
        made = [(part, guard(part, make, subject)) for part, make in SOURCES]
        self._sources: list[tuple[str, Source]] = [
            (part, source) for part, source in made if source is not None
        ]
        self._hooks = {hook: self._having(hook) for hook in _HOOKS}
        self._outputs_before: object = None

    def epoch_begin(self, params: Params) -> None:
        """Start an epoch."""
        self._call("epoch_begin", params)

    def step_begin(self, params: Params) -> None:
        """Take what is gone when the step has ended."""
        self._outputs_before = params.get("net_outputs")
        self._call("step_begin", params)

    def step_end(self, steps: int, params: Params) -> None:
        """Count the steps that have just ended."""
        self._outputs_before = params.get("net_outputs")
        self._call("step_end", steps, params)

    def step_left(self, params: Params) -> None:
        """Let the training go on."""
        self._call("step_left", params)

    def end(self, params: Params) -> None:
        """Look for the last time."""
        self._call("end", params)

    def is_fresh(self, params: Params) -> bool:
        """Say whether a step has ended since the last begin or end that was seen."""
        outputs = params.get("net_outputs")
        return params.get("mode") == "train" and outputs is not self._outputs_before

    def read(self, params: Params) -> dict[str, object]:
        """Return the step's values by metric name; tensors stay unread."""
        values: dict[str, object] = {}
        for part, source in self._sources:
            values.update(self._guard(part, source.read, params) or {})
        return values

    def facts(self, params: Params) -> dict[str, object]:
        """Return what the record of the training's begin says."""
        facts: dict[str, object] = {}
        for part, source in self._sources:
            facts.update(self._guard(part, source.facts, params) or {})
        return facts

    def _having(self, hook: str) -> list[tuple[str, Callable[..., None]]]:
        calls = [(part, getattr(source, hook)) for part, source in self._sources]
        return [(part, call) for part, call in calls if call is not ignore]

    def _call(self, hook: str, *args: object) -> None:
        for part, call in self._hooks[hook]:
            self._guard(part, call, *args)
