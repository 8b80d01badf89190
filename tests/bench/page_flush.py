"""What the kernel pays for its pages, by the length of the history."""

import math
import time

import numpy as np

from mswidget.records.history import History, Rows
from mswidget.widget import budget
from mswidget.widget.status import metric_info
from mswidget.widget.transport import Transport
from tests.bench.ratios import table
from tests.page import Reader, want

VISIBLE = 12
SERIES = 48
PIXELS = 800
TICKS_S = 10
ROWS_A_TICK = 100
TICKS = 100
LENGTHS = [10_000, 1_000_000, 10_000_000]


class Page:
    """Takes messages and counts them."""

    def __init__(self):
        self.bytes = []
        self.whole = False

    def send(self, content, buffers=None):
        self.bytes.append(sum(map(len, buffers or [])))
        views = [m for m in content["messages"] if m["kind"] == "view"]
        self.whole |= any(view["whole"] for view in views)

    def keep(self, head, extents, seq, extracts):
        pass


def main():
    table(
        f"A live widget: {VISIBLE} curves of {PIXELS} px in view, {ROWS_A_TICK} new "
        f"rows, {TICKS_S} ticks a second, without Jupyter's own sending",
        [
            (f"{n:>10,} rows in the kernel{said}", _live(n, weight))
            for n in LENGTHS
            for weight, said in ((0, ""), (0.9, ", smoothed"))
        ],
    )
    table(
        f"A view of {SERIES} curves, of {PIXELS} px, that nobody has looked at",
        [(f"{n:>10,} rows in the kernel", _first_view(n)) for n in LENGTHS],
    )


def _live(length, weight):
    history, page = _history(length, VISIBLE), Page()
    feed = Transport(lambda: {"": history}, page, lambda: _head(VISIBLE))
    feed.ask(_ask(length, VISIBLE, weight=weight))
    while not page.whole:
        feed.tick()
    start_s = time.thread_time()
    feed._keep()
    snapshot_ms = (time.thread_time() - start_s) * 1000
    spent_s = 0.0
    for _ in range(TICKS):
        history.append(_rows(len(history), ROWS_A_TICK, VISIBLE))
        time.sleep(1 / TICKS_S)
        start_s = time.thread_time()
        feed.tick()
        spent_s += time.thread_time() - start_s
    tick_ms = spent_s / TICKS * 1000
    share = tick_ms / 1000 * TICKS_S
    return f"{tick_ms:.3f} ms, {share:.2%} of a core; a snapshot {snapshot_ms:.0f} ms"


def _first_view(length):
    history = _history(length, SERIES)
    texts = []
    feed = Transport(lambda: {"": history}, Page(), lambda: _head(SERIES))
    for asked in ("first", "again"):
        page = feed._page = Page()
        feed._budget = budget.Budget(1000)
        feed.ask(_ask(length, SERIES, name=asked))
        start_s = time.thread_time()
        feed.answer()
        spent_s = time.thread_time() - start_s
        texts.append(f"{asked} {spent_s:.2f} s")
        assert page.whole
    overview = feed._overviews.of("")
    held = sum(pyramid.nbytes for pyramid in overview._pyramids.values())
    share = held / (8 * length * SERIES)
    size = f"{sum(page.bytes) / 1e6:.1f} MB in {len(page.bytes)} messages"
    return f"{', '.join(texts)}; {size}; pyramids {share:.0%} of the values"


def _ask(length, metrics, *, weight=0, name="p"):
    level = max(0, math.ceil(math.log2(length / PIXELS)))
    wants = [want(f"loss/{i}", level=level, weight=weight) for i in range(metrics)]
    return Reader(name).ask(*wants, summaries=[f"loss/{i}" for i in range(metrics)])


def _history(length, metrics):
    history = History()
    history.append(_rows(0, length, metrics))
    return history


def _rows(start, count, metrics):
    at = np.arange(count)
    random = np.random.default_rng(start)
    return Rows(
        start=0,
        stop=count,
        steps=start + at + 1.0,
        epochs=np.floor((start + at) / 1000),
        wall_times_s=1.7e9 + (start + at) / 50,
        attempts=np.zeros(count, np.int64),
        attempt_names=("a1",),
        metrics={
            f"loss/{i}": (at, random.standard_normal(count)) for i in range(metrics)
        },
    )


def _head(metrics):
    return {
        "run": {"name": "bench", "path": "bench", "rank": 0, "attempt": "a1"},
        "status": {"phase": "training", "stop": "", "commands": []},
        "metrics": [metric_info(f"loss/{i}") for i in range(metrics)],
        "marks": [],
        "references": [],
        "alerts": [],
        "alert_count": 0,
        "notices": [],
        "tracks": [],
    }
