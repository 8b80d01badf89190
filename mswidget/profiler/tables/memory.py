"""The tables of device memory."""

from __future__ import annotations

from mswidget.profiler.tables.columns import (
    ALL,
    DEVICE,
    MEMORY,
    MEMORY_TOTALS,
    MOMENT,
    NO_MODEL,
    NPU,
    durations,
)
from mswidget.profiler.tables.spec import Column, Table

MEMORY_TABLES: tuple[Table, ...] = (
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
        layouts=ALL,
        needs=(NPU, MEMORY),
        msprof="--task-memory=on",
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
        layouts=ALL,
        needs=(NPU, MEMORY),
        msprof="--task-memory=on",
    ),
    Table(
        "npu_module_mem",
        (
            DEVICE,
            Column("Component", "text"),
            MOMENT,
            # -1 KB: only what the component gave back was seen.
            Column("Total Reserved", unit="mb", none=("-1", "-0.0009765625")),
            Column("Device Type", "text", aliases=("Device",)),
        ),
        layouts=ALL,
        needs=(NPU, MEMORY),
        msprof="--sys-hardware-mem=on",
    ),
    Table(
        "static_op_mem",
        (
            DEVICE,
            Column("Op Name", "text"),
            Column("Model Name", "text"),
            Column("Graph ID", "integer"),
            Column("Node Index Start", "integer"),
            # The largest number: until the graph itself ends.
            Column("Node Index End", "integer", none=NO_MODEL),
            Column("Size", unit="kb"),
        ),
        layouts=("mindspore", "msprof"),
        needs=(NPU, MEMORY),
        msprof="--task-memory=on",
        note="only graph mode has statically planned memory",
        repeats=(("op_name", "TOTAL"),),
    ),
)
