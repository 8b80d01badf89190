"""Profiles as large as one wants: shifted copies of the measured samples."""

import csv
import io
import json
from pathlib import Path

MEASURED = (
    Path(__file__).parents[1]
    / "data/ascend/torch-2025-01/level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT"
)
SHIFT_US = 200_000  # more than the measured step takes


def write_kernels(file, rows):
    """Write a kernel_details.csv; return the sum of its start times in ns."""
    with (MEASURED / "kernel_details.csv").open(newline="") as source:
        header, *lines = csv.reader(source)
    time = header.index("Start Time(us)")
    marked = [[*line[:time], "{}\t", *line[time + 1 :]] for line in lines]
    starts = [_split(line[time]) for line in lines]
    texts = [_csv_line(line) for line in marked]
    total_ns = 0
    with file.open("w", newline="") as out:
        out.write(_csv_line(header))
        for row in range(rows):
            copy, at = divmod(row, len(lines))
            whole, rest = starts[at]
            whole += copy * SHIFT_US
            total_ns += whole * 1000 + int(rest)
            out.write(texts[at].replace("{}", f"{whole}.{rest}", 1))
    return total_ns


def write_trace(file, size):
    """Write a trace_view.json of a size in bytes; return how many events it holds."""
    events = json.loads((MEASURED / "trace_view.json").read_text())
    once = [json.dumps(event) for event in events if "ts" not in event]
    timed = [event for event in events if "ts" in event]
    starts = [_split(event["ts"]) for event in timed]
    texts = [json.dumps(event | {"ts": "%s"}).split("%s") for event in timed]
    written, copies = 0, 0
    with file.open("w") as out:
        written += out.write("[" + ", ".join(once))
        while written < size:
            for (left, right), (whole, rest) in zip(texts, starts, strict=True):
                moved = whole + copies * SHIFT_US
                written += out.write(f", {left}{moved}.{rest}{right}")
            copies += 1
        out.write("]")
    return copies * sum(event["ph"] == "X" for event in timed)


def _split(text):
    whole, _, rest = text.strip().partition(".")
    return int(whole), f"{rest:0<3}"


def _csv_line(cells):
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()
