"""The operators that ran on the device, and where their time went."""

from __future__ import annotations

import re

import pandas as pd

from mswidget.profiler.files.frames import fitting, stack
from mswidget.profiler.times.cores import with_cores
from mswidget.profiler.times.intervals import nanoseconds
from mswidget.profiler.times.table_lookup import Tables, table_with_columns

_COMMUNICATION = ("HCCL", "COMMUNICATION")
# MindSpore writes the launching operator in front: Default/AllReduce-op1/hcom_...
_COLLECTIVE = re.compile(r"(?:^|/)hcom_")
_OP_SUMMARY = {
    "op_name": "name",
    "op_type": "type",
    "task_type": "accelerator_core",
    "task_start_time_ns": "start_time_ns",
    "task_duration_us": "duration_us",
    "task_wait_time_us": "wait_time_us",
}
_OP_STATISTIC = {
    "op_type": "type",
    "core_type": "accelerator_core",
    "total_time_us": "total_us",
    "avg_time_us": "mean_us",
    "max_time_us": "max_us",
}
# Kernels or tasks that take less of the measured time were cut out of the file.
WHOLE = 0.999
_AI_CPU = {
    "compute_time_us": "aicpu_compute_us",
    "memcpy_time_us": "aicpu_memcpy_us",
    "dispatch_time_us": "aicpu_dispatch_us",
}
# The rank is unknown in what msprof exports of several devices.
_DEVICE = ["rank", "device"]
_OP = [*_DEVICE, "type", "accelerator_core"]
_TIMES = [
    *("count", "total_us", "mean_us", "max_us", "share_pct", "mte_share"),
    *_AI_CPU.values(),
]
_KERNEL = [*_OP, "name", "start_time_ns", "duration_us", "wait_time_us", "step_id"]
_TASK = [*_DEVICE, "stream_id", "task_id"]


def kernel_table(tables: Tables) -> pd.DataFrame:
    """Return ``kernel_details``, or the same of msprof's ``op_summary``.

    The cores of level 0 are those that ``task_time`` tells. With ``end_ns`` (derived:
    start plus duration) and ``is_communication``: rows of the cores HCCL or
    COMMUNICATION, or of operators called ``hcom_*``. Their time is no computing.
    """
    name = "kernel_details" if "kernel_details" in tables else "op_summary"
    table = tables[name].rename(columns=_OP_SUMMARY) if name in tables else None
    kernels = table_with_columns(
        {} if table is None else {name: table}, name, _KERNEL
    ).dropna(subset=["start_time_ns", "duration_us"])
    kernels = with_cores(kernels, tables)
    core, names = kernels["accelerator_core"], kernels["name"]
    return kernels.assign(
        end_ns=kernels["start_time_ns"].astype("int64")
        + nanoseconds(kernels["duration_us"]),
        is_communication=core.isin(_COMMUNICATION)
        | fitting(names, lambda name: bool(_COLLECTIVE.search(name))),
    )


def op_times(tables: Tables) -> pd.DataFrame:
    """Return the time of each operator type, one row a rank, device, type and core.

    ``type`` is the kernel's name where no types were recorded (Level0). Where kernels
    were cut out of their file, or are in none, the times are those of ``op_statistic``.

    - ``count``, ``total_us``, ``mean_us``, ``max_us``: measured durations.
    - ``share_pct``: derived; of all computing of the rank and device.
    - ``mte_share``: derived; mean over time of the busiest pipe that moves data from
      or to global memory (the larger of the mte2 and mte3 ratios of each kernel). The
      pipes work side by side with the others, so it is no part of the duration.
    - ``aicpu_compute_us``, ``aicpu_memcpy_us``, ``aicpu_dispatch_us``: measured for AI
      CPU operators. What other operators copy or wait for is not recorded.

    Communication is left out: with it the sums would be several times the computing.
    """
    kernels = kernel_table(tables)
    times = _fuller(_of_kernels(tables, kernels), _of_statistic(tables, kernels))
    of_device = times.groupby(_DEVICE, dropna=False)["total_us"].transform("sum")
    times = times.assign(share_pct=100 * times["total_us"] / of_device)
    return times.sort_values("total_us", ascending=False)[[*_OP, *_TIMES]].reset_index(
        drop=True
    )


def _of_kernels(tables: Tables, kernels: pd.DataFrame) -> pd.DataFrame:
    computing = kernels[~kernels["is_communication"]]
    computing = _with_device(_with_type(computing), kernels)
    ratios = computing.filter(regex=r"mte[23]_ratio$").max(axis=1)
    computing = computing.assign(
        mte_us=ratios * computing["duration_us"],
        known_us=computing["duration_us"].where(ratios.notna()),
    )
    groups = computing.groupby(_OP, observed=True, dropna=False)
    times = groups["duration_us"].agg(
        count="count", total_us="sum", mean_us="mean", max_us="max"
    )
    sums = groups[["mte_us", "known_us"]].sum(min_count=1)
    times = times.assign(mte_share=sums["mte_us"] / sums["known_us"])
    if "data_preprocess" in tables:
        times = times.join(_ai_cpu(tables, computing))
    return times.reset_index()


def _of_statistic(tables: Tables, kernels: pd.DataFrame) -> pd.DataFrame:
    names = {**_OP_STATISTIC, "rank": "rank", "device": "device", "count": "count"}
    statistic = table_with_columns(tables, "op_statistic", [*names])
    times = statistic[[*names]].rename(columns=names)
    computing = times[~times["accelerator_core"].isin(_COMMUNICATION)]
    return _with_device(computing, kernels)


def _fuller(of_kernels: pd.DataFrame, of_statistic: pd.DataFrame) -> pd.DataFrame:
    """Return the times of each device by its kernels, or by op_statistic."""
    ours, theirs = (
        dict(list(rows.groupby([rows[key].fillna(-1) for key in _DEVICE])))
        for rows in (of_kernels, of_statistic)
    )
    none = of_kernels.iloc[:0]
    parts = [none]
    for device in {**ours, **theirs}:
        own, other = ours.get(device, none), theirs.get(device)
        if other is None or own["total_us"].sum() >= WHOLE * other["total_us"].sum():
            parts.append(own)
        else:
            kept = own.reindex(columns=[*_OP[2:], "mte_share", *_AI_CPU.values()])
            parts.append(other.merge(kept, how="left", on=_OP[2:]))
    return stack(parts).reindex(columns=[*_OP, *_TIMES])


def _with_device(rows: pd.DataFrame, kernels: pd.DataFrame) -> pd.DataFrame:
    """Name the device where the rank is unknown, unless the kernels do not name it."""
    rank, device = (rows[key].astype("Int64") for key in _DEVICE)
    is_named = kernels.empty or bool(kernels["device"].notna().any())
    return rows.assign(rank=rank, device=device.where(rank.isna() & is_named))


def _with_type(kernels: pd.DataFrame) -> pd.DataFrame:
    """Call the type of a kernel by its name where none was recorded."""
    types, names = kernels["type"], kernels["name"]
    if types.notna().all():
        return kernels
    return kernels.assign(type=types.astype(object).fillna(names.astype(object)))


def _ai_cpu(tables: Tables, kernels: pd.DataFrame) -> pd.DataFrame:
    """Return what the AI CPU says of its operators, joined by stream and task."""
    tasks = table_with_columns(tables, "data_preprocess", [*_TASK, *_AI_CPU])
    tasks = _with_device(tasks, kernels).rename(columns=_AI_CPU)
    joined = kernels.reindex(columns=[*_OP, *_TASK[2:]]).merge(
        tasks[[*_TASK, *_AI_CPU.values()]], on=_TASK
    )
    groups = joined.groupby(_OP, observed=True, dropna=False)
    return groups[[*_AI_CPU.values()]].sum()
