"""What it costs to watch the ranks of running jobs."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ratios import table

from mswidget.store.record import Record, to_line
from mswidget.watching import READ_S, Watch

SECONDS = 15
WRITER = """
import sys, time
from pathlib import Path
sys.path[:0] = {path!r}
from mswidget.store.record import Record, to_line
folder, ranks = Path(sys.argv[1]), int(sys.argv[2])
files = [(folder / f"rank_{{r}}.jsonl").open("a") for r in range(ranks)]
step = int(sys.argv[3])
while True:
    step += 1
    values = {{f"metric {{i}}": step / (i + 1) for i in range(8)}}
    for rank, file in enumerate(files):
        file.write(to_line(Record(step, time.time(), rank, "a1", values, 1)))
        file.flush()
    time.sleep(0.1)
"""


def main():
    rows = [
        ("64 ranks x 10 records/s (target: 5 %)", _live(64)),
        ("256 ranks x 200 metrics, long (target: 3 s, 10 %)", _long(256, 200, 20_000)),
    ]
    table(f"Watching, share of a core over {SECONDS} s", rows)


def _live(ranks):
    with tempfile.TemporaryDirectory() as folder, _writer(folder, ranks, 0):
        watch = Watch([Path(folder)])
        return f"{_share(watch):.1%} of a core"


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
        return (
            f"{size_gb:.0f} GB: first picture {first_s:.1f} s, one rank whole after "
            f"{whole_s:.0f} s, then {_share(watch):.1%} of a core"
        )


def _writer(folder, ranks, step):
    code = WRITER.format(path=[str(Path(__file__).parents[2])])
    words = [sys.executable, "-c", code, folder, str(ranks), str(step)]
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
    """Return the share of a core that reading takes, at the pace of a live watch."""
    spent_s, end_s = 0.0, time.monotonic() + SECONDS
    while time.monotonic() < end_s:
        began_s = time.thread_time()
        watch.read()
        spent_s += time.thread_time() - began_s
        time.sleep(READ_S)
    return spent_s / SECONDS
