"""All that is logged of a step, from each of its sources."""

from __future__ import annotations

from collections.abc import Sequence

from mswidget.collect.rates import learning_rate
from mswidget.collect.sources import (
    checkpoints,
    data_wait,
    device_memory,
    own_metrics,
    pace,
    returned,
    separate_losses,
)
from mswidget.collect.sources.source import Factory, Hook, Reading, Subject, ignore
from mswidget.collect.steps.moment import Moment
from mswidget.collect.weights import weights
from mswidget.guard import Guard

SOURCES: tuple[tuple[str, Factory], ...] = (
    ("the data wait", data_wait.data_wait),
    ("the learning rate", learning_rate.rates),
    ("reading the loss", returned.losses),
    ("the separate losses", separate_losses.separate_losses),
    ("the pace", pace.pace),
    ("the device memory", device_memory.device_memory),
    ("the checkpoints", checkpoints.checkpoints),
    ("weight statistics", weights.weights),
    ("the user's metrics", own_metrics.own_metrics),
)
"""Each source, and what the user is told failed when it does."""


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
        self._moment = subject.moment
        made = [(part, guard(part, make, subject)) for part, make in SOURCES]
        self._sources = [(part, source) for part, source in made if source is not None]
        self._find_hooks()

    def _find_hooks(self) -> None:
        self._epoch_begin = self._having("epoch_begin")
        self._step_begin = self._having("step_begin")
        self._step_end = self._having("step_end")
        self._step_left = self._having("step_left")
        self._read = self._having("read")
        self._read_late = self._having("read_late")
        self._facts = self._having("facts")

    def _having(self, hook: str) -> list[tuple[str, Reading]]:
        calls = [(part, getattr(source, hook)) for part, source in self._sources]
        return [(part, call) for part, call in calls if call is not ignore]

    def epoch_begin(self, moment: Moment) -> None:
        """Start an epoch."""
        self._call(self._epoch_begin, moment)

    def step_begin(self, moment: Moment) -> None:
        """Take what is gone when the step has ended."""
        self._call(self._step_begin, moment)

    def step_end(self, moment: Moment) -> None:
        """Count the steps that have just ended."""
        self._call(self._step_end, moment)

    def step_left(self, moment: Moment) -> None:
        """Let the training go on."""
        self._call(self._step_left, moment)

    def end(self, moment: Moment) -> None:
        """Look for the last time."""
        ends, self._sources = self._having("end"), []
        for part, call in ends:
            self._guard(part, call, moment)

    def read(self, moment: Moment) -> dict[str, object]:
        """Return the step's values by metric name; tensors stay unread."""
        return self._gather(self._read, moment)

    def read_late(self, moment: Moment) -> dict[str, object]:
        """Return what is still known of the step that ended last."""
        return self._gather(self._read_late, moment)

    def facts(self, moment: Moment) -> dict[str, object]:
        """Return what the record of the training's begin says."""
        return self._gather(self._facts, moment)

    def _call(self, hooks: Sequence[tuple[str, Hook]], moment: Moment) -> None:
        for part, call in hooks:
            try:
                call(moment)
            except Exception as error:  # noqa: BLE001, PERF203 - free if none
                self._turn_off(part, error)

    def _gather(
        self, readings: Sequence[tuple[str, Reading]], moment: Moment
    ) -> dict[str, object]:
        values: dict[str, object] = {}
        for part, read in readings:
            try:
                values.update(read(moment))
            except Exception as error:  # noqa: BLE001, PERF203 - free if none
                self._turn_off(part, error)
        return values

    def _turn_off(self, part: str, error: Exception) -> None:
        self._guard.turn_off(part, error)
        ends = [call for named, call in self._having("end") if named == part]
        self._sources = [source for source in self._sources if source[0] != part]
        self._find_hooks()
        for call in ends:  # what it has put into others' places must not stay there
            self._guard(f"ending {part}", call, self._moment)
