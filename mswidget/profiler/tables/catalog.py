"""The tables of Ascend profiles: one entry per output of the profiler."""

from __future__ import annotations

from mswidget.profiler.tables.columns import (
    ALL,
    CPU,
    DEVICE,
    KERNEL,
    LEVEL_1,
    LEVEL_2,
    LINK,
    MOMENT,
    NETWORK,
    NPU,
    OP_STATISTIC,
    STEP,
    STREAM,
    TASK,
    durations,
)
from mswidget.profiler.tables.memory import MEMORY_TABLES
from mswidget.profiler.tables.mindspore import MINDSPORE_TABLES
from mswidget.profiler.tables.msprof import MSPROF_TABLES
from mswidget.profiler.tables.spec import Column, Need, Table
from mswidget.profiler.tables.system import SYSTEM_TABLES

_LINK = (
    *(Column(name, "integer") for name in ("step", "src_in_group", "dst_in_group")),
    *(Column(name, "text") for name in ("kind", "op", "group")),
    Column("Transport Type", "text"),
    Column("Op Name", "text"),
)

_STEP_TIMES = (
    Column("Step", "integer"),
    *durations("Computing", "Communication(Not Overlapped)", "Overlapped"),
    *durations("Communication", "Free", "Stage", "Bubble"),
    *durations("Communication(Not Overlapped and Exclude Receive)"),
    *durations("Preparing"),
)

TABLES: tuple[Table, ...] = (
    Table("step_trace_time", (DEVICE, *_STEP_TIMES), needs=(NPU,)),
    # msprof-analyze sums up the files of all ranks; only its own folder has it.
    Table(
        "cluster_step_trace_time",
        (
            Column("Type", "text"),
            Column("rank", "rank", aliases=("Index",)),
            *_STEP_TIMES,
        ),
        layouts=(),
        repeats=(("type", "stage"),),
    ),
    Table(
        "kernel_details",
        (
            STEP,
            Column("Name", "text"),
            Column("Type", "text"),
            Column("Accelerator Core", "text"),
            Column("Start Time", "time", "ns", written_in="us"),
            *durations("Duration", "Wait Time"),
            *KERNEL,
        ),
        needs=(NPU,),
    ),
    Table(
        "op_statistic",
        OP_STATISTIC,
        layouts=ALL,
        needs=(NPU, LEVEL_1),
        msprof="--task-time=on",
    ),
    Table(
        "api_statistic",
        (
            DEVICE,
            Column("Level", "text"),
            Column("API Name", "text"),
            *durations("Time", "Avg", "Min", "Max"),
            Column("Count", "integer"),
            Column("Variance"),
        ),
        layouts=ALL,
        needs=(LEVEL_1,),
        msprof="--ascendcl=on",
    ),
    Table(
        "operator_details",
        (
            Column("Name", "text"),
            Column("Input Shapes", "text"),
            Column("Call Stack", "text"),
        ),
        needs=(CPU, Need("record_shapes")),
    ),
    *MEMORY_TABLES,
    Table(
        "l2_cache",
        (
            DEVICE,
            STREAM,
            TASK,
            Column("Hit Rate"),
            Column("Victim Rate"),
            Column("Op Name", "text"),
        ),
        layouts=ALL,
        needs=(NPU, Need("l2_cache")),
        msprof="--l2=on",
    ),
    Table(
        "data_preprocess",
        (
            DEVICE,
            MOMENT,
            Column("Node", "text"),
            *durations("Compute_time", "Memcpy_time", "Task_time"),
            *durations("Dispatch_time", "Total_time"),
            STREAM,
            TASK,
        ),
        layouts=ALL,
        needs=(NPU, LEVEL_2),
        msprof="--aicpu=on",
        note="only AI CPU operators have rows",
        aliases=("aicpu",),
    ),
    *MINDSPORE_TABLES,
    Table(
        "hbm",
        LINK,
        layouts=("mindspore", "msprof"),
        needs=(NPU, Need("hbm_ddr")),
        msprof="--sys-hardware-mem=on",
    ),
    Table(
        "pcie",
        LINK,
        layouts=("mindspore", "msprof"),
        needs=(NPU, Need("pcie")),
        msprof="--sys-interconnection-profiling=on",
    ),
    Table(
        "hccs",
        LINK,
        layouts=ALL,
        needs=(NPU, Need("sys_interconnection")),
        msprof="--sys-interconnection-profiling=on",
    ),
    *(
        Table(
            stem,
            NETWORK,
            layouts=ALL,
            needs=(NPU, Need("sys_io")),
            msprof="--sys-io-profiling=on",
        )
        for stem in ("nic", "roce")
    ),
    Table(
        "communication",
        (
            Column("step", "integer"),
            *(Column(name, "text") for name in ("kind", "op_name", "group")),
            Column("Start Timestamp", "time", "ns", written_in="us"),
            *durations("Elapse Time", "Transit Time", "Wait Time"),
            *durations("Synchronization Time", "Idle Time"),
            Column("*_ratio"),
        ),
        needs=(NPU, LEVEL_1),
        note="only runs on several devices communicate",
        form="communication",
    ),
    Table(
        "communication_bandwidth",
        (
            Column("step", "integer"),
            *(
                Column(name, "text")
                for name in ("kind", "op_name", "group", "transport_type")
            ),
            Column("Large Packet Ratio"),
        ),
        needs=(NPU, LEVEL_1),
        note="only runs on several devices communicate",
        aliases=("communication",),
        form="bandwidth",
    ),
    Table(
        "communication_packets",
        (
            *(
                Column(name, "integer" if name == "step" else "text")
                for name in ("step", "kind", "op_name", "group", "transport_type")
            ),
            Column("packet_size", unit="mb"),
            Column("count", "integer"),
            *durations("total_time"),
        ),
        needs=(NPU, LEVEL_1),
        note="only runs on several devices communicate",
        aliases=("communication",),
        form="packets",
    ),
    Table(
        "communication_matrix",
        _LINK,
        needs=(NPU, LEVEL_1),
        note="only runs on several devices communicate",
        form="matrix",
    ),
    Table(
        "communication_matrix_samples",
        (*_LINK, Column("sample", "text")),
        needs=(NPU, LEVEL_1),
        note="only runs on several devices communicate",
        aliases=("communication_matrix",),
        form="samples",
    ),
    *MSPROF_TABLES,
    *SYSTEM_TABLES,
)

BY_STEM: dict[str, tuple[Table, ...]] = {}
for _table in TABLES:
    for _stem in (_table.stem, *_table.aliases):
        BY_STEM[_stem] = (*BY_STEM.get(_stem, ()), _table)
