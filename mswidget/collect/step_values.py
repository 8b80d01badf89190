"""All that is logged of a step, from each of its sources."""

from __future__ import annotations

from mswidget.collect import learning_rate, outputs, own_metrics, pace
from mswidget.collect.source import Factory, Source, Subject
from mswidget.collect.steps import Params
from mswidget.guard import Guard

SOURCES: tuple[tuple[str, Factory], ...] = (
    ("the learning rate", learning_rate.rates),
    ("reading the loss", outputs.losses),
    ("the pace", pace.pace),
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
        self._outputs_before: object = None

    def epoch_begin(self, params: Params) -> None:
        """Start an epoch."""
        for part, source in self._sources:
            self._guard(part, source.epoch_begin, params)

    def step_begin(self, params: Params) -> None:
        """Take what is gone when the step has ended."""
        self._outputs_before = params.get("net_outputs")
        for part, source in self._sources:
            self._guard(part, source.step_begin, params)

    def step_end(self, steps: int, params: Params) -> None:
        """Count the steps that have just ended."""
        for part, source in self._sources:
            self._guard(part, source.step_end, steps, params)

    def is_fresh(self, params: Params) -> bool:
        """Say whether the outputs are those of the step that began last."""
        outputs = params.get("net_outputs")
        return params.get("mode") == "train" and outputs is not self._outputs_before

    def read(self, params: Params) -> dict[str, object]:
        """Return the step's values by metric name; tensors stay unread."""
        values: dict[str, object] = {}
        for part, source in self._sources:
            values.update(self._guard(part, source.read, params) or {})
        return values
