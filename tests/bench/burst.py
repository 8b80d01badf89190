"""100,000 steps of 32 metrics logged at once: to the page, to the end, to the file."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from mswidget import load_run, start_run
from mswidget.files.writer import Writer
from mswidget.records.record import Record
from mswidget.run.flow import Outlet
from mswidget.widget.transport import Transport
from tests.bench.ratios import compare, table
from tests.page import Reader, want

ROWS, METRICS = 100_000, 32
WRITTEN, ROUNDS = 20_000, 5
NAMES = ["loss", *(f"loss/{i}" for i in range(1, METRICS))]
BUSY_A_CORE = 2
VISIBLE = 12


class Page:
    """Looks at twelve curves, and notes when it has got the last step of all."""

    def __init__(self):
        self.complete_s = None
        self.ends = {}

    @property
    def ask(self):
        """Return what it asks."""
        return Reader().ask(*(want(name, level=7) for name in NAMES[:VISIBLE]))

    def send(self, content, buffers=None):  # noqa: ARG002 - as a widget's
        for view in content["messages"]:
            for header in view.get("extracts", []):
                self.ends[header["metric"]] = header["end"]
        if list(self.ends.values()) == [ROWS] * VISIBLE:
            self.complete_s = self.complete_s or time.monotonic()

    def keep(self, head, extents, seq, extracts):
        pass


def main():
    values = np.random.default_rng().normal(size=(ROWS, METRICS)).tolist()
    rows = [dict(zip(NAMES, row, strict=True)) for row in values]
    table(
        f"{ROWS:,} x {METRICS} values at once, s after the last log",
        [("alone", _burst(rows)), (f"{BUSY_A_CORE} others a core", _in_a_crowd(rows))],
    )
    table(
        f"{WRITTEN:,} x {METRICS} values to a file, in the thread that writes",
        _writing(rows[:WRITTEN]),
    )


def _in_a_crowd(rows):
    with contextlib.ExitStack() as crowd:
        for _ in range(BUSY_A_CORE * os.cpu_count()):
            busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            crowd.callback(busy.wait)
            crowd.callback(busy.kill)
        return _burst(rows)


def _burst(rows):
    with _logged(rows) as (run, page):
        began_s = time.monotonic()
        while page.complete_s is None:
            time.sleep(0.005)
        page_s = page.complete_s - began_s
    with _logged(rows) as (run, _):
        began_s = time.monotonic()
        run.finish()
        finish_s = time.monotonic() - began_s
        load_run(run.path)  # waits for the file
        file_s = time.monotonic() - began_s
    return f"page {max(page_s, 0):.2f}, finish() {finish_s:.2f}, file {file_s:.2f}"


@contextlib.contextmanager
def _logged(rows):
    page = Page()
    with tempfile.TemporaryDirectory() as folder:
        run = start_run("bench", log_dir=folder, display=False)
        transport = Transport(lambda: {"": run.history}, page, run._head)
        transport.ask(page.ask)
        run._flow.add(Outlet("page", tick=transport.tick, end=transport.finish))
        for row in rows:
            run.log(row)
        yield run, page
        run.finish()
        run.flush()


def _writing(rows):
    records = [
        Record(step, 1.7e9 + step / 7, 0, "a1", row)
        for step, row in enumerate(rows, start=1)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lines.jsonl"
        bare = path.open("a")
        writer = Writer(path.with_name("rank_0.jsonl"))
        medians = compare(
            {
                "json.dumps": lambda: _seconds(_dump, records, bare),
                "mswidget": lambda: _seconds(writer.write, records),
            },
            rounds=ROUNDS,
        )
        writer.close()
        bare.close()
    dumps = medians["json.dumps"]
    return [(n, f"{s:.3f} s   x{s / dumps:.2f}") for n, s in medians.items()]


def _dump(records, file):
    for record in records:
        line = {"step": record.step, "timestamp": record.wall_time_s, **record.values}
        file.write(json.dumps(line) + "\n")


def _seconds(call, *args):
    start_s = time.thread_time()
    call(*args)
    return time.thread_time() - start_s


if __name__ == "__main__":
    main()
