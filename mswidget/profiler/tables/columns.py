"""Columns, switches and layouts that several tables share."""

from __future__ import annotations

from mswidget.profiler.tables.spec import Column, Layout, Need

LEVEL_1 = Need("profiler_level", ("Level1", "Level2"))
LEVEL_2 = Need("profiler_level", ("Level2",))
NPU = Need("activities", ("NPU",))
CPU = Need("activities", ("CPU",))
MEMORY = Need("profile_memory")
DATA = Need("data_process")
NO_SCHEDULE = Need("schedule", ("False",))
KEEPS_PROF = Need("data_simplification", ("False",))


def durations(*headers: str) -> tuple[Column, ...]:
    """Return columns of durations; without unit they are in us."""
    return tuple(Column(header, unit="us", written_in="us") for header in headers)


ALL: tuple[Layout, ...] = ("mindspore", "pytorch", "ascend", "msprof")
# MindSpore and torch_npu leave these in PROF_*/mindstudio_profiler_output.
MSPROF: tuple[Layout, ...] = ("mindspore", "pytorch", "msprof")

NO_MODEL = ("4294967295",)
DEVICE = Column("Device_id", "device")
STEP = Column("Step Id", "integer")
STREAM = Column("Stream ID", "integer")
TASK = Column("Task ID", "integer")
MOMENT = Column("Timestamp", "time", "ns", written_in="us")

KERNEL = (
    DEVICE,
    Column("Model ID", "integer", none=NO_MODEL),
    TASK,
    STREAM,
    Column("OP State", "text"),
    Column("Block Num", "integer", aliases=("Block Dim",)),
    Column("Mix Block Num", "integer", aliases=("Mix Block Dim",)),
    Column("HF32 Eligible", "text"),
    *(
        Column(f"{side} {what}", "text")
        for side in ("Input", "Output")
        for what in ("Shapes", "Data Types", "Formats")
    ),
    Column("Context ID", "integer", none=NO_MODEL),
    # The hardware counters depend on aic_metrics and on the chip.
    Column("ai[cv]_*"),
    Column("aicore_*"),
    Column("*_ratio"),
    Column("*_fops"),
    Column("*total_cycles"),
)

OP_STATISTIC = (
    DEVICE,
    Column("Model Name", "text"),
    Column("OP Type", "text"),
    Column("Core Type", "text"),
    Column("Count", "integer"),
    *durations("Total Time", "Min Time", "Avg Time", "Max Time"),
)

MEMORY_TOTALS = tuple(
    Column(f"{when}Total {what}", unit="mb")
    for when in ("", "Allocation ", "Release ")
    for what in ("Allocated", "Reserved", "Active")
)

LINK = (DEVICE, Column("Mode", "text"), Column("Metric", "text"))
NETWORK = (DEVICE, MOMENT, Column("Bandwidth", unit="mb/s"))
