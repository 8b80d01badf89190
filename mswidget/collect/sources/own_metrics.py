"""Metrics that the user computes himself."""

from __future__ import annotations

from typing_extensions import override

from mswidget.collect.sources.source import Source, Subject
from mswidget.collect.steps.progress import Progress
from mswidget.guard import Guard


class OwnMetrics(Source):
    """Calls the user's functions; one that raises is off, and only that one."""

    def __init__(self, subject: Subject) -> None:
        # Not a copy: the user may add one while the training runs.
        self._metrics = subject.metrics
        self._guard = Guard(subject.notice)

    @override
    def read(self, progress: Progress) -> dict[str, object]:
        values: dict[str, object] = {}
        for metric in self._metrics:
            if progress.step // metric.every > progress.logged // metric.every:
                part = f"metric {metric.name}"
                value = self._guard(part, metric.call, progress.params)
                if value is not None:
                    values[metric.name] = value
        return values
