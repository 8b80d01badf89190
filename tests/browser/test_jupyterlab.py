"""The live widget in a real JupyterLab in Chromium, over real MindSpore trainings."""

from __future__ import annotations

import json
import math
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import numpy as np
import pytest
from nbformat.sign import NotebookNotary
from playwright.sync_api import expect

from tests.browser.picture import Picture
from tests.browser.readability import becomes_dark, brightness, hard_to_read
from tests.browser.server import KERNELS, REPOSITORY

if TYPE_CHECKING:
    from tests.browser.lab import Lab

SETUP = f"""
import sys
sys.path.append({str(Path(__file__).parent)!r})
%load_ext mswidget
from mswidget import TrainMonitor
from tiny_training import train
monitor = TrainMonitor("tiny")
"""
TRAIN_LONG = "train(20_000, monitor)"
TRAIN_SHORT = "train(100, monitor, pace_s=0)"
OLD_KERNELS = ("ipykernel-6.31", "ipykernel-7.3")


@pytest.fixture(
    params=[
        "python3",
        *(pytest.param(name, marks=pytest.mark.slow) for name in OLD_KERNELS),
    ]
)
def kernel(request: pytest.FixtureRequest) -> str:
    """Return the kernelspec's name of each supported ipykernel."""
    name = request.param
    if name in OLD_KERNELS and not (KERNELS / "kernels" / name).is_dir():
        pytest.fail(f"no kernel {name}: run `make kernels`")
    return str(name)


def written(lab: Lab, metric: str = "loss") -> list[tuple[float, float]]:
    """Return the steps and values of a metric that stand in the run's file."""
    (file,) = lab.path.parent.glob("train_logs/*/rank_0.jsonl")
    whole, _, _half_written = file.read_text().rpartition("\n")
    rows = [json.loads(line) for line in whole.splitlines()]
    return [
        (row["step"], value)
        for row in rows
        if "event" not in row and (value := value_of(row, metric)) is not None
    ]


def value_of(row: dict[str, object], metric: str) -> float | None:
    """Return a row's value; what JSON cannot say stands under ``nonfinite``."""
    values = row | row.get("nonfinite", {})
    return float(values[metric]) if metric in values else None


def train_until(lab: Lab, points: int) -> Picture:
    """Start the long training; return its picture with so many points in it."""
    lab.finish(0)
    lab.run(1)
    picture = Picture(lab.page)
    picture.wait_for_points(points)
    return picture


def test_curves_of_the_demo_grow_while_its_cell_runs_and_equal_the_file(lab):
    no_runs = shutil.ignore_patterns("train_logs")
    shutil.copytree(REPOSITORY / "notebooks", lab.path / "demo", ignore=no_runs)
    demo = lab.path / "demo" / "01_live_training.ipynb"
    cells = nbformat.read(demo, as_version=4).cells
    code = [i for i, cell in enumerate(cells) if cell.cell_type == "code"]
    (train,) = (i for i in code if "model.train" in cells[i].source)
    lab.open(demo)
    lab.execute("import os; os.environ['MSWIDGET_DEMO_STEPS'] = '240'")
    lab.finish(*(i for i in code if i < train))
    lab.run(train)
    picture = Picture(lab.page)
    picture.wait_for_points(30)
    picture.wait_for_points(len(picture.drawn()) + 30)
    drawn = picture.drawn()
    assert drawn == written(lab)[: len(drawn)]
    assert lab.prompt(train) == "[*]:"
    picture.wait_for_phase("finished")
    picture.wait_until_exact()
    for metric in ("loss", "loss/ce", "loss/z", "lr", "grad_norm"):
        picture.look_at(metric)
        picture.wait_for_points(240, metric)
        assert picture.drawn(metric) == written(lab, metric)


def test_nan_and_infinities_are_drawn_from_what_the_file_says(lab):
    values = "[1 / 3, float('nan'), 2.0, float('inf'), -float('inf'), 1e-300] * 20"
    loop = f"""
from mswidget import start_run
with start_run("odd") as run:
    for value in {values}:
        run.log({{"loss": value}})"""
    lab.new([loop])
    lab.finish(0)
    picture = Picture(lab.page)
    picture.wait_for_phase("finished")
    picture.wait_for_points(120)
    finite = [(s, v if math.isfinite(v) else math.nan) for s, v in written(lab)]
    np.testing.assert_array_equal(picture.drawn(), finite)
    for kind in ("NaN", "+Inf", "\N{MINUS SIGN}Inf"):
        picture.wait_for_text(f"{kind}: 20")


def test_names_are_shown_as_they_are_and_never_as_markup(lab):
    loop = """
from mswidget import start_run
with start_run("训练 &amp; 一") as run:
    for step in range(30):
        run.log({"loss": step, "loss/边框 <i>框</i>": step})"""
    lab.new([loop])
    lab.finish(0)
    picture = Picture(lab.page)
    picture.wait_for_text("训练 &amp; 一")
    picture.wait_for_text("边框 <i>框</i>")
    picture.wait_for_points(30, "loss/边框 <i>框</i>")


def test_stop_button_ends_the_training_within_a_step(lab, kernel):
    lab.new([SETUP, TRAIN_LONG], kernel)
    picture = train_until(lab, 30)
    picture.press_stop()
    lab.wait_until_done(1)
    picture.wait_for_phase("stopped")
    assert lab.printed(1) in {f"steps begun after the stop: {n}\n" for n in (0, 1)}
    picture.wait_for_points(len(written(lab)))
    assert picture.drawn() == written(lab)


def test_stop_works_again_when_the_same_run_goes_on(lab):
    loop = """
import time
from mswidget import start_run
run = run.begin() if "run" in globals() else start_run("again")
while not run.stop_requested:
    run.log({"loss": 1.0})
    time.sleep(0.01)
run.finish("stopped")"""
    lab.new([loop, loop])
    for cell in (0, 1):
        lab.run(cell)
        picture = Picture(lab.page, cell)
        picture.wait_for_phase("training")
        picture.press_stop()
        lab.wait_until_done(cell)
        picture.wait_for_phase("stopped")


def test_reload_in_mid_training_brings_the_history_back_and_goes_on(lab, kernel):
    lab.new([SETUP, TRAIN_LONG], kernel)
    drawn = train_until(lab, 100).drawn()
    lab.save()
    lab.reload()
    picture = Picture(lab.page)
    picture.wait_for_points(len(drawn) + 30)
    picture.wait_for_phase("training")
    picture.wait_until_exact()
    assert picture.drawn()[: len(drawn)] == drawn
    picture.press_stop()
    picture.wait_for_phase("stopped")
    picture.wait_for_points(len(written(lab)))
    assert picture.drawn() == written(lab)


MILLION = """
import pathlib, time
from mswidget import start_run

def rest_until(name):
    while not pathlib.Path(name).exists():
        run.poll()
        time.sleep(0.05)

run = start_run("long")
for row in range(1_000_000):
    run.log({"loss": 50.0 if row == 480_000 else 1 + row % 1000 / 999})
    if row == 600_000:
        rest_until("reloaded")
run.finish()
"""
AREA = """() => {
    const plot = document.querySelector("[data-metric=loss] .js-plotly-plot");
    const area = plot?.data?.find(({ fill, yaxis }) => fill && !yaxis);
    const { x = [], y = [] } = area ?? {};
    return Array.from(x, (at, i) => [at, y[i]]).filter(([, y]) => y === y);
}"""


def area(picture: Picture, rows: int) -> None:
    """The area of the loss is that of all rows, and the spike is in its pixel."""
    reaches = f"(rows) => Math.max(...({AREA})().map(([x]) => x)) >= rows"
    picture.page.wait_for_function(reaches, arg=rows, timeout=60_000)
    steps, heights = np.array(picture.page.evaluate(AREA)).T
    assert (steps.min(), steps.max()) == pytest.approx((1, rows), abs=1)
    assert (heights.min(), heights.max()) == (1, 50)
    spiky = steps[heights == 50]
    assert spiky.min() <= 480_001 <= spiky.max() + 1
    assert np.ptp(spiky) < rows / 200
    assert (heights[heights < 50] <= 2).all()


def test_a_million_rows_are_true_live_after_a_reload_and_to_the_end(lab):
    lab.new([MILLION])
    lab.run(0)
    area(Picture(lab.page), 600_001)
    lab.save()
    lab.reload()
    picture = Picture(lab.page)
    area(picture, 600_001)
    (lab.path.parent / "reloaded").touch()
    picture.wait_for_phase("finished")
    area(picture, 1_000_000)
    assert lab.page.locator(".mswidget-root").count() == 1


def test_interrupt_ends_the_training_and_the_kernel_can_train_again(lab):
    again = f"""
print(monitor.run.phase)
monitor = TrainMonitor("again")
{TRAIN_SHORT}"""
    lab.new([SETUP, TRAIN_LONG, again])
    train_until(lab, 30)
    lab.command("notebook:interrupt-kernel")
    lab.wait_until_done(1)
    Picture(lab.page).wait_for_phase("stopped")
    lab.finish(2)
    assert lab.printed(2).startswith("stopped\n")
    second = Picture(lab.page, view=1)
    second.wait_for_phase("finished")
    second.look_at("loss")
    second.wait_for_points(100)


def test_exception_in_the_training_is_shown_as_the_end_of_the_run(lab):
    lab.new([SETUP, "train(300, monitor, fail_at=40)"])
    lab.finish(0)
    lab.run(1)
    picture = Picture(lab.page)
    picture.wait_for_phase("failed")
    picture.wait_for_text("no data in <b>the folder</b>")
    picture.wait_for_points(len(written(lab)))


def test_queued_cell_runs_after_the_training(lab):
    lab.new([SETUP, TRAIN_LONG, "print(monitor.run.phase)"])
    picture = train_until(lab, 30)
    lab.run(2)
    picture.wait_for_points(len(picture.drawn()) + 30)
    assert [lab.prompt(1), lab.prompt(2)] == ["[*]:", "[*]:"]
    picture.press_stop()
    lab.wait_until_done(2)
    assert [lab.prompt(1), lab.prompt(2)] == ["[2]:", "[3]:"]
    assert lab.printed(2) == "stopped\n"


DIES = """
import os, pathlib, threading, time

def die():
    while not pathlib.Path("die").exists():
        time.sleep(0.01)
    os._exit(9)

threading.Thread(target=die, daemon=True).start()
"""
HANGS = """
import ctypes, pathlib, time, mswidget
with mswidget.start_run("hangs") as run:
    while not pathlib.Path("hang").exists():
        run.log({"loss": 1.0})
        time.sleep(0.1)
    # Called so, it keeps every thread of Python waiting: the kernel sends nothing.
    ctypes.PyDLL(None).sleep(15)
    run.log({"loss": 1.0})
"""


def test_page_says_that_no_step_comes_while_the_kernel_can_say_nothing(lab):
    lab.new([HANGS])
    lab.run(0)
    picture = Picture(lab.page)
    picture.wait_for_points(20)
    (lab.path.parent / "hang").touch()
    pill = picture.root.locator(".mswidget-pill")
    missed = re.compile(r"training · no step for \d")
    expect(pill).to_contain_text(missed, timeout=60_000)
    silent = re.compile(r"no step for \d.* · no news for \d")
    expect(pill).to_contain_text(silent, timeout=60_000)
    lab.wait_until_done(0)
    expect(pill).to_contain_text("finished after", timeout=60_000)


def test_page_says_that_the_kernel_died(lab):
    lab.new([SETUP, DIES + TRAIN_LONG])
    picture = train_until(lab, 30)
    (lab.path.parent / "die").touch()
    expect(picture.root).to_contain_text(
        re.compile("kernel gone|no news"), timeout=60_000
    )


def test_saved_notebook_shows_the_picture_without_a_kernel(lab):
    lab.new([SETUP, TRAIN_SHORT])
    lab.finish(0, 1)
    Picture(lab.page).wait_for_phase("finished")
    static = lab.page.locator("[class^=mswidget-static] img").first
    expect(static).to_be_hidden()
    notebook = lab.save()
    notebook.metadata.clear()  # JupyterLab takes any kernel of the same language
    for name in ("untrusted.ipynb", "trusted.ipynb"):
        copy = lab.path.with_name(name)
        nbformat.write(notebook, copy)
        lab.show_without_kernel(copy)
        expect(static).to_be_visible()
        drawn = "(image) => image.naturalWidth && image.clientWidth"
        assert static.evaluate(drawn) > 600
        NotebookNotary(data_dir=str(lab.server.data)).sign(notebook)


def test_picture_follows_the_theme_without_a_new_run(lab):
    lab.new([SETUP, TRAIN_SHORT])
    lab.finish(0, 1)
    picture = Picture(lab.page)
    picture.wait_for_points(100)
    plot = picture.root.locator(".js-plotly-plot").first
    assert hard_to_read(picture.root) == []
    assert brightness(plot) > 0.5
    lab.command("apputils:change-theme", theme="JupyterLab Dark")
    expect(picture.root).to_have_attribute("data-theme", "dark")
    assert hard_to_read(picture.root) == []
    assert becomes_dark(plot)
