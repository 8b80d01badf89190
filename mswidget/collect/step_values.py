"""All that is logged of a step, from each of its sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from mswidget.collect.rates.step_rates import step_rates
from mswidget.collect.sources.checkpoints import Checkpoints
from mswidget.collect.sources.data_wait import DataWait
from mswidget.collect.sources.device_memory import DeviceMemory
from mswidget.collect.sources.own_metrics import OwnMetrics
from mswidget.collect.sources.pace import Pace
from mswidget.collect.sources.returned import Returned
from mswidget.collect.sources.separate_losses import SeparateLosses
from mswidget.collect.sources.source import Factory, Source, Subject
from mswidget.collect.steps.progress import Progress
from mswidget.collect.weights.weight_statistics import WeightStatistics
from mswidget.guard import Guard

SOURCES: tuple[tuple[str, Factory], ...] = (
    ("the data wait", DataWait.of),
    ("the learning rate", step_rates),
    ("reading the loss", Returned),
    ("the separate losses", SeparateLosses.of),
    ("the pace", Pace.of),
    ("the device memory", DeviceMemory.of),
    ("the checkpoints", Checkpoints.of),
    ("weight statistics", WeightStatistics.of),
    ("the user's metrics", OwnMetrics),
)
"""Each source, and what the user is told failed when it does."""

T = TypeVar("T")
Hooks = Sequence[tuple[str, Callable[[Progress], T]]]


class StepValues:
    """Collects a step's values; a source that raises is off, and only that one.

    Parameters
    ----------
    subject
        What is trained.
    guard
        Is told of what failed.
    """

    def __init__(self, subject: Subject, guard: Guard) -> None:
        self._guard = guard
        self._progress = subject.progress
        made = [(part, guard(part, make, subject)) for part, make in SOURCES]
        self._sources = [(part, source) for part, source in made if source is not None]
        self._find_hooks()

    def _find_hooks(self) -> None:
        self._epoch_begin = self._overridden(Source.epoch_begin)
        self._step_begin = self._overridden(Source.step_begin)
        self._step_end = self._overridden(Source.step_end)
        self._step_left = self._overridden(Source.step_left)
        self._read = self._overridden(Source.read)
        self._read_late = self._overridden(Source.read_late)
        self._facts = self._overridden(Source.facts)

    def _overridden(self, empty: Callable[[Source, Progress], T]) -> Hooks[T]:
        """Return this hook of the sources that have one of their own."""
        name = empty.__name__
        return [
            (part, getattr(source, name))
            for part, source in self._sources
            if getattr(type(source), name) is not empty
        ]

    def epoch_begin(self, progress: Progress) -> None:
        """Start an epoch."""
        self._call(self._epoch_begin, progress)

    def step_begin(self, progress: Progress) -> None:
        """Take what is gone when the step has ended."""
        self._call(self._step_begin, progress)

    def step_end(self, progress: Progress) -> None:
        """Count the steps that have just ended."""
        self._call(self._step_end, progress)

    def step_left(self, progress: Progress) -> None:
        """Let the training go on."""
        self._call(self._step_left, progress)

    def end(self, progress: Progress) -> None:
        """Look for the last time."""
        sources, self._sources = self._sources, []
        for part, source in sources:
            self._guard(part, source.end, progress)

    def read(self, progress: Progress) -> dict[str, object]:
        """Return the step's values by metric name; tensors stay unread."""
        return self._gather(self._read, progress)

    def read_late(self, progress: Progress) -> dict[str, object]:
        """Return what is still known of the step that ended last."""
        return self._gather(self._read_late, progress)

    def facts(self, progress: Progress) -> dict[str, object]:
        """Return what the record of the training's begin says."""
        return self._gather(self._facts, progress)

    def _call(self, hooks: Hooks[None], progress: Progress) -> None:
        for part, call in hooks:
            try:
                call(progress)
            except Exception as error:  # noqa: BLE001, PERF203 - free if none
                self._turn_off(part, error)

    def _gather(
        self, hooks: Hooks[Mapping[str, object]], progress: Progress
    ) -> dict[str, object]:
        values: dict[str, object] = {}
        for part, read in hooks:
            try:
                values.update(read(progress))
            except Exception as error:  # noqa: BLE001, PERF203 - free if none
                self._turn_off(part, error)
        return values

    def _turn_off(self, part: str, error: Exception) -> None:
        self._guard.turn_off(part, error)
        failed = [source for named, source in self._sources if named == part]
        self._sources = [entry for entry in self._sources if entry[0] != part]
        self._find_hooks()
        for source in failed:  # what it has put into others' places must not stay there
            self._guard(f"ending {part}", source.end, self._progress)
