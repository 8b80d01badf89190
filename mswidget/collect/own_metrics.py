"""Metrics that the user computes himself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mswidget.collect.source import Source, Subject
from mswidget.collect.steps import Params
from mswidget.guard import Guard


@dataclass(frozen=True)
class OwnMetric:
    """A function of the user's, called every so many steps; see `add_metric`."""

    name: str
    call: Callable[[Params], object]
    every: int


def own_metrics(subject: Subject) -> Source:
    """Call the user's functions; one that raises is off, and only that one."""
    return Source(_OwnMetrics(subject))


class _OwnMetrics:
    def __init__(self, subject: Subject) -> None:
        # Not a copy: the user may add one while the training runs.
        self._metrics: Sequence[OwnMetric] = subject.options.metrics
        self._step = subject.step
        self._guard = Guard(subject.notice)
        self._read_at = subject.step(subject.params)

    def __call__(self, params: Params) -> dict[str, object]:
        before, self._read_at = self._read_at, self._step(params)
        due = [m for m in self._metrics if self._read_at // m.every > before // m.every]
        found = {m.name: self._guard(f"metric {m.name}", m.call, params) for m in due}
        return {name: value for name, value in found.items() if value is not None}
