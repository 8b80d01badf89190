"""What a live page costs the kernel, by the length of the history."""

import time

import numpy as np

from mswidget.records.history import History
from mswidget.records.record import Record
from mswidget.widget.transport import Transport
from tests.bench.ratios import table

METRICS = 8
TICKS_S = 10
ROWS_A_TICK = 100
TICKS = 100
LENGTHS = [10_000, 100_000, 1_000_000]
NAMES = [f"loss/{i}" for i in range(METRICS)]


class Page:
    """Takes messages and forgets them."""

    def send(self, content, buffers=None):
        pass

    def keep(self, head, seq, block, buffer):
        pass


def main():
    rows = []
    for length in LENGTHS:
        history = _history(length)
        tick_ms, snapshot_ms = _costs(history)
        share = tick_ms / 1000 * TICKS_S
        text = (
            f"{tick_ms:.3f} ms, {share:.2%} of a core; a snapshot {snapshot_ms:.0f} ms"
        )
        rows.append((f"{length:>9,} rows in the kernel", text))
    table(
        f"A flush to the page: {METRICS} metrics, {ROWS_A_TICK} new rows, "
        f"{TICKS_S} a second, without Jupyter's own sending",
        rows,
    )


def _costs(history):
    transport = Transport(history, Page(), _head)
    transport.tick()
    start_s = time.thread_time()
    transport.snapshot()
    snapshot_ms = (time.thread_time() - start_s) * 1000
    spent_s = 0.0
    for _ in range(TICKS):
        history.extend(_records(ROWS_A_TICK))
        time.sleep(1 / TICKS_S)
        start_s = time.thread_time()
        transport.tick()
        spent_s += time.thread_time() - start_s
    return spent_s / TICKS * 1000, snapshot_ms


def _history(length):
    history = History()
    for _ in range(length // 10_000):
        history.extend(_records(10_000))
    return history


def _records(count):
    values = np.random.default_rng().normal(size=(count, METRICS)).tolist()
    return [
        Record(step, 1.7e9 + step, 0, "a1", dict(zip(NAMES, row, strict=True)))
        for step, row in enumerate(values)
    ]


def _head():
    metrics = [
        {"name": name, "label": name, "unit": "", "better": "lower", "panel": "parts"}
        for name in NAMES
    ]
    return {
        "run": {"name": "bench", "path": "bench", "rank": 0, "attempt": "a1"},
        "status": {"phase": "training", "stop": ""},
        "metrics": metrics,
        "marks": [],
        "notices": [],
    }
