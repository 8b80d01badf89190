"""What ran on the device, task by task: computing, copying, waiting, signalling."""

from __future__ import annotations

import pandas as pd

from mswidget.profiler.times.intervals import nanoseconds, total, union
from mswidget.profiler.times.table_lookup import Tables, table_with_columns

# Types of all chips, as the trace, task_time and the databases write them.
TASK_KINDS: dict[str, tuple[str, ...]] = {
    "copy": ("SDMA", "SDMA_SQE", "PCIE_DMA_SQE", "MEMCPY_ASYNC"),
    "sync": (
        *("EVENT_WAIT", "EVENT_WAIT_SQE", "EVENT_RECORD", "EVENT_RECORD_SQE"),
        *("NOTIFY_WAIT", "NOTIFY_WAIT_SQE", "NOTIFY_RECORD", "NOTIFY_RECORD_SQE"),
        *("WRITE_VALUE", "WRITE_VALUE_SQE", "PLACE_HOLDER_SQE"),
    ),
    "compute": (
        *("AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV", "AI_CPU"),
        *("KERNEL_AICORE", "KERNEL_AIVEC", "KERNEL_AICPU", "DSA_SQE", "AIV_SQE"),
        *("KERNEL_MIX_AIC", "KERNEL_MIX_AIV"),
    ),
    "dvpp": ("VPC_SQE", "JPEGD_SQE", "JPEGE_SQE"),
}
_KIND_OF = {task: kind for kind, tasks in TASK_KINDS.items() for task in tasks}
_TYPE = ["rank", "device", "kind", "task_type"]
_NEEDED = ("rank", "device", "kernel_type", "task_start_ns", "task_time_us")


def task_kind(task_type: str) -> str:
    """Return copy, sync, compute, dvpp, or other for a type that is not known."""
    return _KIND_OF.get(task_type.strip().upper().replace(" ", "_"), "other")


def device_tasks(tables: Tables) -> pd.DataFrame:
    """Return ``rank, device, task_type, kind, start_ns, end_ns`` of every task.

    Measured, from ``task_time``; empty without that table.
    """
    tasks = table_with_columns(tables, "task_time", _NEEDED)
    tasks = tasks.dropna(subset=["task_start_ns", "task_time_us"])
    start = tasks["task_start_ns"].astype("int64")
    task_type = tasks["kernel_type"].astype(object).fillna("unknown").astype(str)
    return pd.DataFrame(
        {
            "rank": tasks["rank"],
            "device": tasks["device"],
            "task_type": task_type,
            "kind": task_type.map(task_kind),
            "start_ns": start,
            "end_ns": start + nanoseconds(tasks["task_time_us"]),
        }
    )


def task_times(tasks: pd.DataFrame) -> pd.DataFrame:
    """Return the time of each task type, one row a rank, device and type.

    ``count`` and ``total_us`` are measured. ``busy_us`` is derived: how long at least
    one task of the type ran.
    """
    groups = tasks.groupby(_TYPE, observed=True, dropna=False)
    rows = [
        {
            **dict(zip(_TYPE, keys, strict=True)),
            "count": len(group),
            "total_us": (group["end_ns"] - group["start_ns"]).sum() / 1e3,
            "busy_us": total(union(group["start_ns"], group["end_ns"])) / 1e3,
        }
        for keys, group in groups
    ]
    return pd.DataFrame(rows, columns=[*_TYPE, "count", "total_us", "busy_us"])
