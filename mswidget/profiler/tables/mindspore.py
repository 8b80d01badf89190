"""The tables that only MindSpore writes: of its dataset, and of runs on a CPU."""

from __future__ import annotations

from mswidget.profiler.tables.columns import CPU, DATA, NO_SCHEDULE, durations
from mswidget.profiler.tables.spec import Column, Table

# Of queues that an operator does not have, and of times that nobody took.
_UNKNOWN = ("-1", "-1.0")

MINDSPORE_TABLES: tuple[Table, ...] = (
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
            Column("output_queue_average_size", none=_UNKNOWN),
            Column("output_queue_length", "integer", none=_UNKNOWN),
            Column("output_queue_usage_rate", none=_UNKNOWN),
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
            Column("queue_average_size", none=_UNKNOWN),
            *(
                Column(f"queue_{what}_pct", none=_UNKNOWN)
                for what in ("utilization", "empty_freq")
            ),
            Column("parent_id", "integer", none=("-1",)),
            Column("children_ids", "text"),
            Column("avg_cpu_pct", none=_UNKNOWN),
            Column("avg_cpu_pct_per_worker", none=_UNKNOWN),
            *(
                Column(f"per_{what}_time", unit="us", written_in="ms", none=_UNKNOWN)
                for what in ("pipeline", "push_queue", "batch")
            ),
        ),
        layouts=("mindspore",),
        needs=(DATA, NO_SCHEDULE),
        form="pipeline",
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
