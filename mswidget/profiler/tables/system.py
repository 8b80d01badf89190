"""What msprof says of the system around the model: CPUs, memory, disks, caches."""

from __future__ import annotations

from mswidget.profiler.tables.columns import DEVICE, STREAM, TASK
from mswidget.profiler.tables.spec import Column, Table

_NAME = Column("Name", "text")
_PID = Column("PID", "integer")


def _sizes(*headers: str) -> tuple[Column, ...]:
    return tuple(Column(header, unit="kb") for header in headers)


def _shares(*headers: str) -> tuple[Column, ...]:
    return tuple(Column(header, unit="%") for header in headers)


def _rates(*headers: str) -> tuple[Column, ...]:
    return tuple(Column(header, unit="kb/s") for header in headers)


_COLUMNS: dict[str, tuple[Column, ...]] = {
    "cpu_usage": (
        Column("Cpu Type", "text"),
        *_shares("User", "Sys", "IoWait", "Irq", "Soft", "Idle"),
    ),
    "process_cpu_usage": (_PID, _NAME, *_shares("CPU")),
    "sys_mem": (
        *_sizes("Memory Total", "Memory Free", "Buffers", "Cached", "Share Memory"),
        *_sizes("Commit Limit", "Committed AS"),
    ),
    "process_mem": (_PID, _NAME),
    "ddr": (Column("Metric", "text"),),
    "llc_read_write": (Column("Mode", "text"), Column("Task", "text")),
    "soc_pmu": (STREAM, TASK, Column("TLB Miss Rate"), Column("Op Name", "text")),
    "host_cpu_usage": (Column("Total Cpu Numbers", "integer"),),
    "host_mem_usage": _sizes("Total Memory", "Peak Used Memory", "Recommend Memory"),
    "host_disk_usage": _rates("Peak Disk Read", "Peak Disk Write"),
    "host_network_usage": _rates("Netcard Speed", "Peak Used Speed"),
    "os_runtime_statistic": (
        *(Column(what, "integer") for what in ("Process ID", "Thread ID", "Count")),
        _NAME,
    ),
    "fusion_op": (
        Column("Model Name", "text"),
        *(Column(what, "text") for what in ("Fusion Op", "Original Ops")),
        *_sizes("Memory Total"),
    ),
}

# They are asked for one by one, so nobody misses them: no layout expects them.
SYSTEM_TABLES: tuple[Table, ...] = tuple(
    Table(stem, (DEVICE, *columns), layouts=()) for stem, columns in _COLUMNS.items()
)
