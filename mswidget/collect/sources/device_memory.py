"""Memory of the device, as MindSpore's own pool counts it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import mindspore as ms

from mswidget.collect.sources.source import Source, Subject

INTERVAL_S = 5.0
_MB = 2**20
_METRICS = {
    "total_allocated_memory": "device_memory_mb",
    "max_allocated_memory": "device_memory_peak_mb",
    "total_reserved_memory": "device_memory_reserved_mb",
}


def device_memory(subject: Subject) -> Source | None:  # noqa: ARG001 - one process, one device
    """Ask every few seconds; a version that cannot tell has none."""
    runtime = getattr(ms, "runtime", None)
    return Source(_EveryFewSeconds()) if hasattr(runtime, "memory_stats") else None


class _EveryFewSeconds:
    """Asks in the training's thread: MindSpore promises nothing of others."""

    def __init__(self) -> None:
        self._next_s = 0.0

    def __call__(self, moment: object) -> dict[str, float]:  # noqa: ARG002
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
