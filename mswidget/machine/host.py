"""Memory and processors of the host, and this process's share of them."""

from __future__ import annotations

import psutil

_MB = 2**20  # as npu-smi counts


class Host:
    """Reads numbers of the host; in a container too they are the whole machine's.

    A share of time is that since the reading before, so make one per thread that
    reads: psutil keeps it apart by thread.
    """

    def __init__(self) -> None:
        self._process = psutil.Process()
        self.read()

    def read(self) -> dict[str, float]:
        """Return values by metric name.

        ``cpu_pct`` is of all processors, ``process_cpu_pct`` of one: this process has
        more than 100 when it keeps several busy. Data workers are other processes.
        """
        memory = psutil.virtual_memory()
        return {
            "cpu_pct": psutil.cpu_percent(),
            "process_cpu_pct": self._process.cpu_percent(),
            "host_memory_mb": (memory.total - memory.available) / _MB,
            "process_memory_mb": self._process.memory_info().rss / _MB,
        }
