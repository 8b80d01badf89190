"""The tables of Ascend profiles: one entry per output of the profiler."""

from __future__ import annotations

from mswidget.profiler.columns import (
    ALL,
    CPU,
    DATA,
    DEVICE,
    KERNEL,
    LEVEL_1,
    LEVEL_2,
    LINK,
    MOMENT,
    NETWORK,
    NO_SCHEDULE,
    NPU,
    OP_STATISTIC,
    STEP,
    STREAM,
    TASK,
    durations,
)
from mswidget.profiler.memory_tables import MEMORY_TABLES
from mswidget.profiler.msprof_tables import MSPROF_TABLES
from mswidget.profiler.spec import Column, Need, Table
from mswidget.profiler.system_tables import SYSTEM_TABLES

TABLES: tuple[Table, ...] = (
    Table(
        "step_trace_time",
        (
            DEVICE,
            Column("Step", "integer"),
            *durations("Computing", "Communication(Not Overlapped)", "Overlapped"),
            *durations("Communication", "Free", "Stage", "Bubble"),
            *durations("Communication(Not Overlapped and Exclude Receive)"),
            *durations("Preparing"),
        ),
        needs=(NPU,),
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
    Table(
        "dataset",
        (
            Column("Operation", "text"),
            Column("Stage", "text"),
            Column("Occurrences", "integer"),
            *durations("Avg. time"),
            Column("Custom Info", "text"),
        ),
        layouts=("mindspore",),
        needs=(CPU, DATA, NO_SCHEDULE),
    ),
    Table(
        "minddata_pipeline_raw",
        (
            *(Column(name, "integer") for name in ("op_id", "num_workers")),
            *(Column(name, "text") for name in ("op_type", "output_queue_size")),
            Column("output_queue_average_size"),
            Column("output_queue_length", "integer"),
            Column("output_queue_usage_rate"),
            Column("sample_interval", unit="us", written_in="ms"),
            Column("parent_id", "integer"),
            Column("children_id", "text"),
        ),
        layouts=("mindspore",),
        needs=(DATA, NO_SCHEDULE),
    ),
    Table(
        "minddata_pipeline_summary",
        (
            *(Column(name, "integer") for name in ("op_id", "num_workers")),
            *(Column(name, "text") for name in ("op_name", "pipeline_op")),
            Column("queue_average_size"),
            *(Column(f"queue_{what}_pct") for what in ("utilization", "empty_freq")),
            Column("parent_id", "integer", none=("-1",)),
            Column("children_ids", "text"),
            Column("avg_cpu_pct"),
            Column("avg_cpu_pct_per_worker"),
            *(
                Column(f"per_{what}_time", unit="us", written_in="ms")
                for what in ("pipeline", "push_queue", "batch")
            ),
        ),
        layouts=("mindspore",),
        needs=(DATA, NO_SCHEDULE),
        form="pipeline",
    ),
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
        "communication_matrix",
        (
            *(Column(name, "integer") for name in ("step", "src_rank", "dst_rank")),
            *(Column(name, "text") for name in ("kind", "op", "group")),
            Column("Transport Type", "text"),
            Column("Op Name", "text"),
        ),
        needs=(NPU, LEVEL_1),
        note="only runs on several devices communicate",
        form="matrix",
    ),
    *MSPROF_TABLES,
    *SYSTEM_TABLES,
    Table(
        "cpu_op_type_info",
        (
            Column("op_type", "text"),
            Column("type_occurrences", "integer"),
            Column("execution_frequency(per-step)"),
            Column("total_compute_time", unit="us", written_in="ms"),
            Column("percent"),
        ),
        layouts=("cpu",),
    ),
    Table(
        "cpu_op_detail_info",
        (
            *(Column(f"op_{what}", "text") for what in ("side", "type", "name")),
            Column("full_op_name", "text"),
            Column("op_occurrences", "integer"),
            Column("total_proportion"),
            Column("subgraph", "text"),
            Column("pid", "integer"),
        ),
        layouts=("cpu",),
    ),
)

BY_STEM: dict[str, tuple[Table, ...]] = {}
for _table in TABLES:
    for _stem in (_table.stem, *_table.aliases):
        BY_STEM[_stem] = (*BY_STEM.get(_stem, ()), _table)
