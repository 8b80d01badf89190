"""The tables of Ascend profiles: one entry per output of the profiler."""

from __future__ import annotations

from mswidget.profiler.spec import Column, Layout, Need, Table

_LEVEL_1 = Need("profiler_level", ("Level1", "Level2"))
_LEVEL_2 = Need("profiler_level", ("Level2",))
_NPU = Need("activities", ("NPU",))
_CPU = Need("activities", ("CPU",))
_MEMORY = Need("profile_memory")
_DATA = Need("data_process")
_NO_SCHEDULE = Need("schedule", ("False",))
_KEEPS_PROF = Need("data_simplification", ("False",))

_ALL: tuple[Layout, ...] = ("mindspore", "pytorch", "ascend", "msprof")
# MindSpore and torch_npu leave these in PROF_*/mindstudio_profiler_output.
_MSPROF: tuple[Layout, ...] = ("mindspore", "pytorch", "msprof")

_NO_MODEL = ("4294967295",)
_DEVICE = Column("Device_id", "device", aliases=("Device id", "Device Id"))
_STEP = Column("Step Id", "integer", aliases=("Step ID", "Step"))
_STREAM = Column("Stream ID", "integer", aliases=("Stream Id", "stream_id"))
_TASK = Column("Task ID", "integer", aliases=("Task Id", "task_id"))
_MOMENT = Column("Timestamp", "time", "ns", written_in="us")

_KERNEL = (
    _DEVICE,
    Column("Model ID", "integer", none=_NO_MODEL),
    _TASK,
    _STREAM,
    Column("OP State", "text"),
    Column("Block Num", "integer", aliases=("Block Dim",)),
    Column("Mix Block Num", "integer", aliases=("Mix Block Dim",)),
    Column("HF32 Eligible", "text"),
    *(
        Column(f"{side} {what}", "text")
        for side in ("Input", "Output")
        for what in ("Shapes", "Data Types", "Formats")
    ),
    Column("Context ID", "integer", none=_NO_MODEL),
    # The hardware counters depend on aic_metrics and on the chip.
    Column("ai[cv]_*"),
    Column("aicore_*"),
    Column("*_ratio"),
    Column("*_fops"),
    Column("*total_cycles"),
)

_OP_STATISTIC = (
    _DEVICE,
    Column("Model Name", "text"),
    Column("OP Type", "text"),
    Column("Core Type", "text"),
    Column("Count", "integer"),
)

_MEMORY_TOTALS = tuple(
    Column(f"{when}Total {what}", unit="mb")
    for when in ("", "Allocation ", "Release ")
    for what in ("Allocated", "Reserved", "Active")
)

_LINK = (_DEVICE, Column("Mode", "text"), Column("Metric", "text"))


def _durations(*headers: str) -> tuple[Column, ...]:
    return tuple(Column(header, unit="us", written_in="us") for header in headers)


TABLES: tuple[Table, ...] = (
    Table(
        "step_trace_time",
        (
            _DEVICE,
            Column("Step", "integer"),
            *_durations("Computing", "Communication(Not Overlapped)", "Overlapped"),
            *_durations("Communication", "Free", "Stage", "Bubble"),
            *_durations("Communication(Not Overlapped and Exclude Receive)"),
            *_durations("Preparing"),
        ),
        needs=(_NPU,),
    ),
    Table(
        "kernel_details",
        (
            _STEP,
            Column("Name", "text"),
            Column("Type", "text"),
            Column("Accelerator Core", "text"),
            Column("Start Time", "time", "ns", written_in="us"),
            *_durations("Duration", "Wait Time"),
            *_KERNEL,
        ),
        needs=(_NPU,),
    ),
    Table("op_statistic", _OP_STATISTIC, _ALL, needs=(_NPU, _LEVEL_1)),
    Table(
        "api_statistic",
        (
            _DEVICE,
            Column("Level", "text"),
            Column("API Name", "text"),
            Column("Count", "integer"),
            Column("Variance"),
        ),
        layouts=_ALL,
        needs=(_LEVEL_1,),
    ),
    Table(
        "operator_details",
        (
            Column("Name", "text"),
            Column("Input Shapes", "text"),
            Column("Call Stack", "text"),
        ),
        needs=(_CPU, Need("record_shapes")),
    ),
    Table(
        "memory_record",
        (
            _DEVICE,
            Column("Component", "text"),
            _MOMENT,
            *_MEMORY_TOTALS,
            Column("Stream Ptr", "integer"),
            # Not the device: MindSpore writes the rank behind "NPU:".
            Column("Device Type", "text", aliases=("Device",)),
        ),
        needs=(_NPU, _MEMORY),
        repeats=(("component", "PTA+GE"), ("component", "MindSpore+GE")),
    ),
    Table(
        "operator_memory",
        (
            _DEVICE,
            Column("Name", "text"),
            Column("Size", unit="kb"),
            *(
                Column(f"{what} Time", "time", "ns", written_in="us")
                for what in ("Allocation", "Release", "Active Release")
            ),
            *_durations("Duration", "Active Duration"),
            *_MEMORY_TOTALS,
            Column("Stream Ptr", "integer"),
            Column("Device Type", "text", aliases=("Device",)),
        ),
        needs=(_NPU, _MEMORY),
    ),
    Table(
        "npu_module_mem",
        (
            _DEVICE,
            Column("Component", "text"),
            _MOMENT,
            Column("Total Reserved", unit="mb"),
            Column("Device Type", "text", aliases=("Device",)),
        ),
        needs=(_NPU, _MEMORY),
    ),
    Table(
        "static_op_mem",
        (
            _DEVICE,
            Column("Op Name", "text"),
            Column("Model Name", "text"),
            Column("Graph ID", "integer"),
            Column("Node Index Start", "integer"),
            Column("Node Index End", "integer"),
            Column("Size", unit="kb"),
        ),
        layouts=("mindspore",),
        needs=(_NPU, _MEMORY),
        note="only graph mode has statically planned memory",
    ),
    Table(
        "l2_cache",
        (
            _DEVICE,
            _STREAM,
            _TASK,
            Column("Hit Rate"),
            Column("Victim Rate"),
            Column("Op Name", "text"),
        ),
        needs=(_NPU, Need("l2_cache")),
    ),
    Table(
        "data_preprocess",
        (
            _DEVICE,
            _MOMENT,
            Column("Node", "text"),
            *_durations("Compute_time", "Memcpy_time", "Task_time"),
            *_durations("Dispatch_time", "Total_time"),
            _STREAM,
            _TASK,
        ),
        needs=(_NPU, _LEVEL_2),
        note="only AI CPU operators have rows",
        aliases=("aicpu",),
    ),
    Table(
        "dataset",
        (
            Column("Operation", "text"),
            Column("Stage", "text"),
            Column("Occurrences", "integer"),
            *_durations("Avg. time"),
            Column("Custom Info", "text"),
        ),
        layouts=("mindspore",),
        needs=(_CPU, _DATA, _NO_SCHEDULE),
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
        needs=(_DATA, _NO_SCHEDULE),
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
        needs=(_DATA, _NO_SCHEDULE),
        form="pipeline",
    ),
    Table("hbm", _LINK, layouts=("mindspore",), needs=(_NPU, Need("hbm_ddr"))),
    Table("pcie", _LINK, layouts=("mindspore",), needs=(_NPU, Need("pcie"))),
    Table("hccs", _LINK, needs=(_NPU, Need("sys_interconnection"))),
    Table("nic", _LINK, needs=(_NPU, Need("sys_io"))),
    Table("roce", _LINK, needs=(_NPU, Need("sys_io"))),
    Table(
        "communication",
        (
            Column("step", "integer"),
            *(Column(name, "text") for name in ("kind", "op_name", "group")),
            Column("Start Timestamp", "time", "ns", written_in="us"),
            Column("*_ratio"),
        ),
        needs=(_NPU, _LEVEL_1),
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
        needs=(_NPU, _LEVEL_1),
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
        needs=(_NPU, _LEVEL_1),
        note="only runs on several devices communicate",
        form="matrix",
    ),
    Table(
        "op_summary",
        (
            Column("Op Name", "text"),
            Column("OP Type", "text"),
            Column("Task Type", "text"),
            Column("Task Start Time", "time", "ns", written_in="us"),
            *_durations("Task Duration", "Task Wait Time"),
            *_KERNEL,
        ),
        layouts=_MSPROF,
        needs=(_KEEPS_PROF,),
    ),
    Table(
        "task_time",
        (
            _DEVICE,
            Column("kernel_name", "text"),
            Column("kernel_type", "text"),
            _STREAM,
            _TASK,
            *_durations("task_time"),
            Column("task_start", "time", "ns", written_in="us"),
            Column("task_stop", "time", "ns", written_in="us"),
        ),
        layouts=_MSPROF,
        needs=(_KEEPS_PROF,),
    ),
    Table(
        "step_trace",
        (
            _DEVICE,
            Column("Iteration ID", "integer"),
            Column("Model ID", "integer", none=_NO_MODEL),
            *(
                Column(what, "time", "ns", written_in="us")
                for what in ("FP Start", "BP End", "Iteration End")
            ),
        ),
        layouts=_MSPROF,
        needs=(_KEEPS_PROF,),
        note="only graphs that run as whole iterations have it",
    ),
    Table(
        "communication_statistic",
        _OP_STATISTIC,
        layouts=_MSPROF,
        needs=(_KEEPS_PROF, _LEVEL_1),
    ),
    Table(
        "aicpu_mi",
        (
            _DEVICE,
            Column("Node Name", "text"),
            # Counted from the start of the device, not from 1970.
            Column("Start Time", "time", "ns", written_in="us"),
            Column("End Time", "time", "ns", written_in="us"),
            Column("Queue Size", "integer"),
        ),
        layouts=_MSPROF,
        needs=(_KEEPS_PROF, _LEVEL_2),
        note="only data sink mode waits for a device queue",
    ),
    Table(
        "dp",
        (
            _MOMENT,
            Column("Action", "text"),
            Column("Source", "text"),
            Column("Cached Buffer Size"),
        ),
        layouts=_MSPROF,
        needs=(_KEEPS_PROF,),
        note="only Ascend 910A has it",
    ),
    Table(
        "dvpp",
        (
            _DEVICE,
            Column("Dvpp Id", "integer"),
            Column("Engine Type", "text"),
            Column("Engine ID", "integer"),
            Column("All Frame"),
        ),
        layouts=_MSPROF,
        needs=(_KEEPS_PROF,),
        note="collect with `msprof --dvpp-profiling=on`",
    ),
    *(
        Table(
            stem,
            (_DEVICE, Column("Core ID", "text"), Column("*_rat[ie]*")),
            layouts=_MSPROF,
            needs=(_KEEPS_PROF,),
            note="collect with `msprof --aic-mode=sample-based`",
            repeats=(("core_id", "Average"),),
        )
        for stem in ("ai_core_utilization", "ai_vector_core_utilization")
    ),
    Table(
        "npu_mem",
        (
            _DEVICE,
            Column("event", "text"),
            *(Column(what, unit="mb") for what in ("ddr", "hbm", "memory")),
            _MOMENT,
        ),
        layouts=_MSPROF,
        needs=(_KEEPS_PROF,),
    ),
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
