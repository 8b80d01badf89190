"""Runs of a real kernel that have ended are let go, and so are their widgets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kernel import Kernel, kernel

MAKE = """
import gc, weakref, mswidget
made = []

def make(close):
    run = mswidget.start_run("run", log_dir="logs")
    for step in range(100):
        run.log({"loss": 1.0})
    run.finish()
    made.append(weakref.ref(run))
    if close:
        run.close()
"""
ALIVE = """
gc.collect()
print("alive", sum(run() is not None for run in made))
"""
MEMORY = """
import threading, time, tracemalloc
import numpy as np
from mswidget.records.history import Rows

ROWS, METRICS = 50_000, 8

def fill(run):
    at = np.arange(ROWS)
    metrics = {f"m{i}": (at, np.random.normal(size=ROWS)) for i in range(METRICS)}
    nothing = np.zeros(ROWS, np.int64)
    rows = Rows(0, ROWS, at + 2.0, at * np.nan, 1.7e9 + at, nothing, ("a1",), metrics)
    run.history.append(rows)

def made_full():
    run = mswidget.start_run("large", log_dir="logs")
    run.log({"loss": 1.0})
    run.flush()
    fill(run)
    run.log({"loss": 1.0})
    run.finish()
    return run

def traced():
    gc.collect()
    return tracemalloc.get_traced_memory()[0]

made_full().close()
tracemalloc.start()
before, threads = traced(), threading.active_count()
runs = [made_full() for _ in range(20)]
full = traced()
for run in runs:
    run.close()
del run, runs
deadline = time.monotonic() + 20
while threading.active_count() > threads and time.monotonic() < deadline:
    time.sleep(0.05)
print("back", round(100 * (full - traced()) / (full - before)), "of", full - before)
print("threads", threading.active_count() - threads)
"""
MODELS = """
import json
from ipywidgets import Widget
saved = Widget.get_manager_state(drop_defaults=False)
print("models", len(saved["state"]), "bytes", len(json.dumps(saved)))
"""
MOST_BYTES = 1_300_000


@pytest.fixture
def free(tmp_path: Path) -> Iterator[Kernel]:
    """A kernel in which runs can be made."""
    with kernel("python3", tmp_path) as running:
        running.run(MAKE)
        yield running


def number(text: str, word: str) -> int:
    return int(text.split(f"{word} ")[1].split(maxsplit=1)[0])


def test_runs_that_were_shown_and_closed_are_gone(free: Kernel) -> None:
    free.run("for _ in range(20): make(close=True)")
    assert number(free.run(ALIVE), "alive") == 0


def test_a_cell_that_runs_again_leaves_one_run_and_its_widget(free: Kernel) -> None:
    counts = []
    for _ in range(5):
        free.run_cell("the-cell", "make(close=False)")
        counts.append(number(free.run(MODELS), "models"))
    assert len({*counts}) == 1
    assert number(free.run(MODELS), "bytes") < MOST_BYTES
    assert number(free.run(ALIVE), "alive") == 1


def widgets(free: Kernel, code: str) -> int:
    """Run a cell; returns how many widgets it displays."""
    before = len(free.messages)
    free.run_cell(code, code)
    views = [
        message
        for message in free.messages[before:]
        if message["msg_type"] == "display_data"
        and "application/vnd.jupyter.widget-view+json" in message["content"]["data"]
    ]
    return len(views)


def test_a_cell_that_ends_in_the_run_shows_it_again_and_once(free: Kernel) -> None:
    assert widgets(free, "run = mswidget.start_run('shown')\nrun.log({})\nrun") == 1
    assert widgets(free, "run") == 1
    assert widgets(free, "run.finish()\nrun") == 1
    assert widgets(free, "run.finish()") == 0


@pytest.mark.mindspore
def test_a_cell_that_ends_in_the_monitor_shows_its_run(free: Kernel) -> None:
    monitor = "from mswidget import TrainMonitor\nmonitor = TrainMonitor()\nmonitor"
    assert widgets(free, monitor) == 0
    assert "no run yet" in free.text()
    free.run(
        "import numpy as np, mindspore as ms\nfrom mindspore import nn\n"
        "ms.set_context(mode=ms.PYNATIVE_MODE)\n"
        "data = ms.dataset.GeneratorDataset([(np.ones(3, 'f4'), np.ones(1, 'f4'))] * 4,"
        " ['x', 'y'], shuffle=False).batch(2)\n"
        "net = nn.Dense(3, 1)\n"
        "model = ms.train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))\n"
        "model.train(1, data, callbacks=[monitor], dataset_sink_mode=False)\n"
    )
    assert widgets(free, "monitor") == 1


def test_of_monitors_that_were_closed_the_memory_and_threads_come_back(
    free: Kernel,
) -> None:
    told = free.run(MEMORY)
    assert number(told, "of") > 20 * 50_000 * 8 * 8
    assert number(told, "back") >= 80
    assert number(told, "threads") <= 0


def test_what_has_ended_is_reached_by_its_name(free: Kernel) -> None:
    free.run("%load_ext mswidget\nmake(close=True)\nmake(close=True)")
    assert "run-2: ended" in free.run("%mswidget")
    assert "is written" in free.run("%mswidget export run-2 out.csv")
