"""Which core a kernel ran on, where only its task says so."""

from __future__ import annotations

import pandas as pd

from mswidget.profiler.times.table_lookup import Tables, table_with_columns

# What older tools call them in task_time, and what kernels call the same.
_CORES = {
    "KERNEL_AICORE": "AI_CORE",
    "KERNEL_AIVEC": "AI_VECTOR_CORE",
    "KERNEL_AICPU": "AI_CPU",
    "KERNEL_MIX_AIC": "MIX_AIC",
    "KERNEL_MIX_AIV": "MIX_AIV",
}
_ID = ["rank", "device", "stream_id", "task_id"]
_AT = [*_ID, "start_ns"]


def with_cores(kernels: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Name the core of kernels that have none, as ``task_time`` does.

    msprof's ``op_summary`` of level 0 says ``N/A``. Kernel and task are the same where
    stream, task and start are; ids are given again after a while.

    Parameters
    ----------
    kernels
        As of `kernels.kernel_table`.
    tables
        With ``task_time``, else the kernels stay as they are.
    """
    core = kernels["accelerator_core"]
    if core.notna().all() or "task_time" not in tables:
        return kernels
    types = _task_types(tables)
    places = pd.MultiIndex.from_frame(
        kernels.rename(columns={"start_time_ns": "start_ns"}).reindex(columns=_AT)
    )
    told = pd.Series(types.reindex(places).to_numpy(), kernels.index)
    cores = core.astype(object).where(core.notna(), told.map(_CORES).fillna(told))
    return kernels.assign(accelerator_core=cores.astype("category"))


def _task_types(tables: Tables) -> pd.Series[str]:
    """Return the type of each task by place, stream, task and start."""
    tasks = table_with_columns(tables, "task_time", [*_ID, "task_start_ns"])
    tasks = tasks.rename(columns={"task_start_ns": "start_ns"})
    tasks = tasks.assign(kernel_type=tasks["kernel_type"].astype(object))
    return tasks.drop_duplicates(_AT).set_index(_AT)["kernel_type"]
