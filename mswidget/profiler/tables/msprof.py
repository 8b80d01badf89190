"""The tables that only msprof writes, in PROF_*/mindstudio_profiler_output."""

from __future__ import annotations

from mswidget.profiler.tables.columns import (
    DEVICE,
    KEEPS_PROF,
    KERNEL,
    LEVEL_1,
    LEVEL_2,
    MOMENT,
    MSPROF,
    NO_MODEL,
    OP_STATISTIC,
    STREAM,
    TASK,
    durations,
)
from mswidget.profiler.tables.spec import Column, Table

MSPROF_TABLES: tuple[Table, ...] = (
    Table(
        "op_summary",
        (
            Column("Op Name", "text"),
            Column("OP Type", "text"),
            Column("Task Type", "text"),
            Column("Task Start Time", "time", "ns", written_in="us"),
            *durations("Task Duration", "Task Wait Time"),
            *KERNEL,
        ),
        layouts=MSPROF,
        needs=(KEEPS_PROF,),
        msprof="--task-time=on",
    ),
    Table(
        "task_time",
        (
            DEVICE,
            Column("kernel_name", "text"),
            Column("kernel_type", "text"),
            STREAM,
            TASK,
            *durations("task_time"),
            Column("task_start", "time", "ns", written_in="us"),
            Column("task_stop", "time", "ns", written_in="us"),
        ),
        layouts=MSPROF,
        needs=(KEEPS_PROF,),
        msprof="--task-time=on",
    ),
    Table(
        "step_trace",
        (
            DEVICE,
            Column("Iteration ID", "integer"),
            Column("Model ID", "integer", none=NO_MODEL),
            *(
                Column(what, "time", "ns", written_in="us")
                for what in ("FP Start", "BP End", "Iteration End")
            ),
        ),
        layouts=MSPROF,
        needs=(KEEPS_PROF,),
        note="only graphs that run as whole iterations have it",
    ),
    Table(
        "communication_statistic",
        OP_STATISTIC,
        layouts=MSPROF,
        needs=(KEEPS_PROF, LEVEL_1),
        msprof="--hccl=on",
        aliases=("hccl_statistic",),
    ),
    Table(
        "aicpu_mi",
        (
            DEVICE,
            Column("Node Name", "text"),
            # Counted from the start of the device, not from 1970.
            Column("Start Time", "time", "ns", written_in="us"),
            Column("End Time", "time", "ns", written_in="us"),
            Column("Queue Size", "integer"),
        ),
        layouts=MSPROF,
        needs=(KEEPS_PROF, LEVEL_2),
        msprof="--aicpu=on",
        note="only data sink mode waits for a device queue",
    ),
    Table(
        "dp",
        (
            MOMENT,
            Column("Action", "text"),
            Column("Source", "text"),
            Column("Cached Buffer Size"),
        ),
        layouts=MSPROF,
        needs=(KEEPS_PROF,),
        note="only Ascend 910A has it",
    ),
    Table(
        "dvpp",
        (
            DEVICE,
            Column("Dvpp Id", "integer"),
            Column("Engine Type", "text"),
            Column("Engine ID", "integer"),
            Column("All Frame"),
        ),
        layouts=MSPROF,
        needs=(KEEPS_PROF,),
        note="collect with `msprof --dvpp-profiling=on`",
    ),
    *(
        Table(
            stem,
            (DEVICE, Column("Core ID", "text"), Column("*_rat[ie]*")),
            layouts=MSPROF,
            needs=(KEEPS_PROF,),
            note="collect with `msprof --aic-mode=sample-based`",
            repeats=(("core_id", "Average"),),
        )
        for stem in ("ai_core_utilization", "ai_vector_core_utilization")
    ),
    Table(
        "npu_mem",
        (
            DEVICE,
            Column("event", "text"),
            *(Column(what, unit="mb") for what in ("ddr", "hbm", "memory")),
            MOMENT,
        ),
        layouts=MSPROF,
        needs=(KEEPS_PROF,),
        msprof="--sys-hardware-mem=on",
    ),
)
