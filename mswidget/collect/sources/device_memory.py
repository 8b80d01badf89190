"""Memory of the device, as MindSpore's own pool counts it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import mindspore as ms
from typing_extensions import Self, override

from mswidget.collect.sources.source import Source, Subject
from mswidget.collect.steps.progress import Progress

INTERVAL_S = 5.0
_MB = 2**20
_METRICS = {
    "total_allocated_memory": "device_memory_mb",
    "max_allocated_memory": "device_memory_peak_mb",
    "total_reserved_memory": "device_memory_reserved_mb",
}


class DeviceMemory(Source):
    """Asks every few seconds.

    In the training's thread: MindSpore promises nothing of others.
    """

    def __init__(self) -> None:
        self._next_s = 0.0

    @classmethod
    def of(cls, subject: Subject) -> Self | None:  # noqa: ARG003 - a process, a device
        """Ask the device of this process; a version that cannot tell has none."""
        runtime = getattr(ms, "runtime", None)
        return cls() if hasattr(runtime, "memory_stats") else None

    @override
    def read(self, progress: Progress) -> dict[str, float]:
        now_s = time.monotonic()
        if now_s < self._next_s:
            return {}
        self._next_s = now_s + INTERVAL_S
        return memory(ms.runtime.memory_stats())


def memory(stats: Mapping[str, Any]) -> dict[str, float]:
    """Return values by metric name; empty on a CPU, where MindSpore says 0 of all."""
    if not stats.get("total_reserved_memory"):
        return {}
    return {
        metric: stats[key] / _MB for key, metric in _METRICS.items() if key in stats
    }
