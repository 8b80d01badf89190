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
    MEMORY,
    MEMORY_TOTALS,
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
from mswidget.profiler.msprof_tables import MSPROF_TABLES
from mswidget.profiler.spec import Column, Need, Table

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
    Table("op_statistic", OP_STATISTIC, ALL, needs=(NPU, LEVEL_1)),
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
    # MindSpore takes 1000 KB for a MB here, torch_npu 1024; the figures are left as
    # they are written.
    Table(
        "memory_record",
        (
            DEVICE,
            Column("Component", "text"),
            MOMENT,
            *MEMORY_TOTALS,
            Column("Stream Ptr", "integer"),
            # Not the device: MindSpore writes the rank behind "NPU:".
            Column("Device Type", "text", aliases=("Device",)),
        ),
        needs=(NPU, MEMORY),
        repeats=(("component", "PTA+GE"), ("component", "MindSpore+GE")),
    ),
    Table(
        "operator_memory",
        (
            DEVICE,
            Column("Name", "text"),
            Column("Size", unit="kb"),
            *(
                Column(f"{what} Time", "time", "ns", written_in="us")
                for what in ("Allocation", "Release", "Active Release")
            ),
            *durations("Duration", "Active Duration"),
            *MEMORY_TOTALS,
            Column("Stream Ptr", "integer"),
            Column("Device Type", "text", aliases=("Device",)),
        ),
        needs=(NPU, MEMORY),
    ),
    Table(
        "npu_module_mem",
        (
            DEVICE,
            Column("Component", "text"),
            MOMENT,
            Column("Total Reserved", unit="mb"),
            Column("Device Type", "text", aliases=("Device",)),
        ),
        needs=(NPU, MEMORY),
    ),
    Table(
        "static_op_mem",
        (
            DEVICE,
            Column("Op Name", "text"),
            Column("Model Name", "text"),
            Column("Graph ID", "integer"),
            Column("Node Index Start", "integer"),
            Column("Node Index End", "integer"),
            Column("Size", unit="kb"),
        ),
        layouts=("mindspore",),
        needs=(NPU, MEMORY),
        note="only graph mode has statically planned memory",
    ),
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
        needs=(NPU, Need("l2_cache")),
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
        needs=(NPU, LEVEL_2),
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
    Table("hbm", LINK, layouts=("mindspore",), needs=(NPU, Need("hbm_ddr"))),
    Table("pcie", LINK, layouts=("mindspore",), needs=(NPU, Need("pcie"))),
    Table("hccs", LINK, needs=(NPU, Need("sys_interconnection"))),
    Table("nic", NETWORK, needs=(NPU, Need("sys_io"))),
    Table("roce", NETWORK, needs=(NPU, Need("sys_io"))),
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
