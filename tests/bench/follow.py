"""What it costs to watch the ranks of running jobs."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mswidget.records.record import Record, to_line
from mswidget.watching.watch import Watch
from tests.bench.ratios import table

SECONDS = 15
WORKER_S = 0.1
WRITER = """
import sys, time
from pathlib import Path
sys.path[:0] = {path!r}
from mswidget.records.record import Record, to_line
folder = Path(sys.argv[1])
ranks, step, metrics, pause_s = map(float, sys.argv[2:])
files = [(folder / f"rank_{{r}}.jsonl").open("a") for r in range(int(ranks))]
while True:
    step += 1
    values = {{f"metric {{i}}": step / (i + 1) for i in range(int(metrics))}}
    for rank, file in enumerate(files):
        file.write(to_line(Record(int(step), time.time(), rank, "a1", values, 1)))
        file.flush()
    time.sleep(pause_s)
"""


def main():
    rows = [
        ("64 ranks x 10 records/s (target: 5 %)", _live(64)),
        (
            "256 ranks x 200 metrics x 100,000 (target: 3 s, 10 %)",
            _long(256, 200, 100_000),
        ),
    ]
    table(f"Watching, share of a core over {SECONDS} s", rows)


def _live(ranks):
    with tempfile.TemporaryDirectory() as folder, _writer(folder, ranks, 0, 8, 0.1):
        watch = Watch([Path(folder)])
        return _share(watch)


def _long(ranks, metrics, steps):
    """Ranks are links to one file: the disk need not hold them all."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "rank_0.jsonl").open("w") as file:
            for step in range(1, steps + 1):
                values = {f"metric {i}": step / (i + 1) for i in range(metrics)}
                file.write(to_line(Record(step, step / 10, 0, "a1", values, 1)))
        for rank in range(1, ranks):
            os.link(folder / "rank_0.jsonl", folder / f"rank_{rank}.jsonl")
        size_gb = ranks * (folder / "rank_0.jsonl").stat().st_size / 1e9
        began_s = time.perf_counter()
        watch = Watch([folder])
        first_s = time.perf_counter() - began_s
        while watch.read():
            pass
        whole_s = time.perf_counter() - began_s
        with _writer(folder, 1, steps, metrics, 1.0):
            share = _share(watch)
        return (
            f"{size_gb:.0f} GB: first picture {first_s:.1f} s, one rank whole after "
            f"{whole_s:.0f} s, then with a record of each a second {share}"
        )


def _writer(folder, *numbers):
    code = WRITER.format(path=[str(Path(__file__).parents[2])])
    words = [sys.executable, "-c", code, folder, *map(str, numbers)]
    return _Killed(subprocess.Popen(words))


class _Killed:
    def __init__(self, process):
        self._process = process

    def __enter__(self):
        time.sleep(2)

    def __exit__(self, *error):
        self._process.kill()
        self._process.wait()


def _share(watch):
    """Return the share of a core that following takes, at its own pace."""
    spent_s, readings, end_s = 0.0, 0, time.monotonic() + SECONDS
    while time.monotonic() < end_s:
        began_s, due_s = time.thread_time(), watch._next_read_s
        watch._tick()
        spent_s += time.thread_time() - began_s
        readings += watch._next_read_s != due_s
        time.sleep(WORKER_S)
    return f"{spent_s / SECONDS:.1%} of a core, read every {SECONDS / readings:.1f} s"
