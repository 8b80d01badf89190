"""Write a MindSpore profile of two ranks and three steps: derived, not measured.

Every published step_trace_time.csv holds one step. Here shifted and scaled copies of
the measured step of torch-2025-01/level1 rank 0 go through the classes with which
MindSpore itself writes step_trace_time.csv and kernel_details.csv.

    python -m tests.profiler.derive_steps FOLDER
"""

import csv
import json
import sys
from decimal import Decimal
from itertools import accumulate
from pathlib import Path

import numpy as np
from mindspore.profiler.analysis.parser.timeline_assembly_factory import (
    trace_view_container,
)
from mindspore.profiler.analysis.parser.timeline_creator import msprof_timeline_creator
from mindspore.profiler.analysis.viewer.ascend_kernel_details_viewer import (
    AscendKernelDetailsViewer,
)
from mindspore.profiler.analysis.viewer.ascend_step_trace_time_viewer import (
    AscendStepTraceTimeViewer,
)

from tests.profiler.samples import MINDSPORE, TORCH_LEVEL_1

MEASURED = TORCH_LEVEL_1 / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
# How much longer than the measured step each step of each rank takes.
SCALES = {0: ("1", "1.5", "2"), 1: ("1.25", "3", "0.5")}
FIRST_STEP = 7
START = Decimal(1736408883700000)
PERIOD = Decimal(450_000)  # us from step to step, more than the longest takes
MINDSPORE_PID = 1
RENAMED = {
    "Name": "Op Name",
    "Type": "OP Type",
    "Accelerator Core": "Task Type",
    "Start Time(us)": "Task Start Time(us)",
    "Duration(us)": "Task Duration(us)",
    "Wait Time(us)": "Task Wait Time(us)",
    "Block Dim": "Block Num",
    "Mix Block Dim": "Mix Block Num",
}


def write(folder: Path) -> None:
    measured = json.loads((MEASURED / "trace_view.json").read_text())
    # Without torch_npu's own step: MindSpore would take it for one of its own.
    events = [e for e in measured if not e["name"].startswith("ProfilerStep")]
    with (MEASURED / "kernel_details.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for rank, scales in SCALES.items():
        run = folder / f"host_{rank}_20250109073000000_ascend_ms"
        output = run / "ASCEND_PROFILER_OUTPUT"
        output.mkdir(parents=True)
        moved = [move(at, Decimal(scale)) for at, scale in enumerate(scales)]
        copies = [copy for shift in moved for copy in map(shift, events)]
        trace = [*meta("MindSpore"), *steps(len(scales)), *copies, *gaps(copies)]
        save(run, output, trace, [row for shift in moved for row in map(shift, rows)])
        (output / "trace_view.json").write_text(json.dumps(trace))
        settings(run, rank)


def move(at: int, scale: Decimal):
    """Return what shifts and scales an event or a row to step number ``at``."""

    def moment(text: str) -> str:
        inside = (Decimal(text.strip()) - START) * scale
        return str((START + at * PERIOD + inside).quantize(Decimal("0.001")))

    def length(text: object) -> str:
        return str((Decimal(str(text)) * scale).quantize(Decimal("0.001")))

    def shift(item: dict) -> dict:
        if "Start Time(us)" in item:
            return item | {
                "Start Time(us)": moment(item["Start Time(us)"]) + "\t",
                "Duration(us)": length(item["Duration(us)"]),
                "Wait Time(us)": length(item["Wait Time(us)"]),
            }
        if item["ph"] != "X":
            return item
        return item | {"ts": moment(item["ts"]), "dur": float(length(item["dur"]))}

    return shift


def meta(process: str) -> list[dict]:
    name = {"name": "process_name", "ph": "M", "pid": MINDSPORE_PID, "tid": 0}
    return [name | {"args": {"name": process}}]


def steps(count: int) -> list[dict]:
    return [
        {
            "name": f"ProfilerStep#{FIRST_STEP + at}",
            "ph": "X",
            "pid": MINDSPORE_PID,
            "tid": 0,
            "ts": str(START + at * PERIOD),
            "dur": float(PERIOD) - 0.001,
            "args": {},
        }
        for at in range(count)
    ]


def gaps(events: list[dict]) -> list[dict]:
    """Return what msprof writes as Free between the kernels of two steps."""
    lanes = ("Computing", "Communication")
    busy = [e for e in events if e["ph"] == "X" and e["name"] in (*lanes, "Free")]
    busy.sort(key=lambda event: Decimal(event["ts"]))
    ends = accumulate((Decimal(e["ts"]) + Decimal(str(e["dur"])) for e in busy), max)
    free = next(event for event in busy if event["name"] == "Free")
    return [
        free | {"ts": str(end), "dur": float(Decimal(later["ts"]) - end)}
        for end, later in zip(ends, busy[1:], strict=False)
        if Decimal(later["ts"]) - end > 1
    ]


def save(run: Path, output: Path, trace: list[dict], rows: list[dict]) -> None:
    creator = msprof_timeline_creator.MsprofTimelineCreator()
    creator.create(trace)
    container = trace_view_container.TraceViewContainer()
    for pool in creator.event_pools.values():
        container.add_event_pool(pool)
    # Without kernels here MindSpore gives no row a step.
    hardware = container.get_pool_by_name("Ascend Hardware")
    container.hardware_op_event = {0: hardware.get_complete_events()}
    headers = ["Step ID", *(RENAMED.get(h, h) for h in rows[0] if h != "Step Id")]
    values = [(None, *(v for h, v in row.items() if h != "Step Id")) for row in rows]
    where = {
        "ascend_profiler_output_path": str(output),
        "ascend_ms_dir": str(run),
        "profiler_level": "Level1",
        "activities": ["NPU", "CPU"],
        "is_set_schedule": True,
        "jit_level": "O0",
    }
    data = {
        "trace_view_container": container,
        "op_summary": np.array(values, dtype=[(h, object) for h in headers]),
        "op_summary_headers": headers,
    }
    AscendStepTraceTimeViewer(**where).save(data)
    AscendKernelDetailsViewer(**where).save(data)


def settings(run: Path, rank: int) -> None:
    derived = MINDSPORE / "host_100_20250109073000000_ascend_ms"
    info = json.loads((derived / "profiler_info_0.json").read_text())
    info["profiler_parameters"]["is_set_schedule"] = True
    (run / f"profiler_info_{rank}.json").write_text(json.dumps(info))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
