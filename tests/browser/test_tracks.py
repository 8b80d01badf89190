"""Runs and ranks that other processes write, watched in JupyterLab."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mswidget.records.alert import Alert
from mswidget.records.record import to_line
from tests.browser.picture import LIMIT_MS, Picture
from tests.browser.readability import hard_to_read

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.lab import Lab

LOGS = Path(__file__).parents[1] / "data" / "logs"
RUN = """
import sys
from mswidget import start_run
folder, name, resume, values = sys.argv[1:]
steps = dict(enumerate(map(float, values.split(",")), 1 + 2 * (resume == "resume")))
with start_run(name, log_dir=folder, display=False, resume=resume == "resume") as run:
    first = min(steps) - 1
    run.event("train_begin", step=first, batch_size=2, steps_per_epoch=2)
    for step, value in steps.items():
        run.log({"loss": value, "lr": 1e-4}, step=step)
    run.event("train_end", step=step)
"""
TRACES = """(plot) => Object.fromEntries(plot.data.map(({ name, x, y }) =>
    [name, Array.from(y, (value, i) => [x[i], value]).filter(([x]) => x === x)]))"""
DRAWN = f"([plot, wanted]) => ({TRACES})(plot)[wanted]"
GONE = f"([plot, wanted]) => !(wanted in ({TRACES})(plot))"


def train(
    folder: Path,
    name: str,
    values: list[float],
    *,
    rank: int = 0,
    attempt: int = 1,
) -> None:
    """Write what one rank of a run would."""
    job = {"RANK_ID": str(rank), "MSWIDGET_JOB": f"{name} {attempt}"}
    said = "resume" if attempt > 1 else "begin"
    numbers = ",".join(map(str, values))
    subprocess.run(
        [sys.executable, "-c", RUN, str(folder), name, said, numbers],
        env=os.environ | job,
        check=True,
    )


def watch(lab: Lab, folder: Path) -> Picture:
    """Watch a folder in a notebook; return its picture."""
    lab.new([f"import mswidget\nwatched = mswidget.watch({str(folder)!r})"])
    lab.finish(0)
    return Picture(lab.page)


def plot(picture: Picture) -> Locator:
    """Return what Plotly drew of the loss, once all of it is here."""
    panel = picture.root.locator('[data-metric="loss"]')
    drawn = panel.locator(".js-plotly-plot")
    expect(drawn).to_be_visible(timeout=LIMIT_MS)
    expect(panel).not_to_contain_text("waits for the kernel", timeout=LIMIT_MS)
    return drawn


def wait_for(picture: Picture, track: str) -> list[list[float]]:
    """Return the points of a track once they are drawn."""
    place = [plot(picture).element_handle(), track]
    picture.page.wait_for_function(DRAWN, arg=place, timeout=LIMIT_MS)
    return list(plot(picture).evaluate(TRACES)[track])


def test_runs_are_overlaid_and_can_be_hidden(lab: Lab, tmp_path: Path) -> None:
    train(tmp_path, "基线", [3.0, 2.0])
    train(tmp_path, "tuned", [3.0, 1.0])
    picture = watch(lab, tmp_path)
    assert wait_for(picture, "基线") == [[1, 3], [2, 2]]
    assert wait_for(picture, "tuned") == [[1, 3], [2, 1]]
    box = picture.root.get_by_role("checkbox", name="tuned")
    box.focus()
    lab.page.keyboard.press("Space")
    place = [plot(picture).element_handle(), "tuned"]
    lab.page.wait_for_function(GONE, arg=place, timeout=LIMIT_MS)
    assert hard_to_read(picture.root) == []
    lab.command("apputils:change-theme", theme="JupyterLab Dark")
    expect(picture.root).to_have_attribute("data-theme", "dark")
    assert hard_to_read(picture.root) == []


def test_ranks_are_a_band_and_others_come_when_asked(lab: Lab, tmp_path: Path) -> None:
    for rank in range(3):
        train(tmp_path, "run", [3.0 + rank, 2.0 + rank**2], rank=rank)
    picture = watch(lab, tmp_path)
    band = wait_for(picture, "min\u2013max of 3 ranks")
    assert band == [[1, 3], [2, 2], [2, 6], [1, 5]]
    assert "rank 2" not in plot(picture).evaluate(TRACES)
    expect(picture.root).to_contain_text("rank 2 is farthest from the median")
    picture.root.get_by_role("checkbox", name="rank 2", exact=True).check()
    assert wait_for(picture, "rank 2") == [[1, 5], [2, 6]]


def test_a_later_attempt_is_a_line_of_its_own(lab: Lab, tmp_path: Path) -> None:
    train(tmp_path, "run", [5.0, 4.0, 3.0, 2.0])
    picture = watch(lab, tmp_path)
    wait_for(picture, "loss")
    train(tmp_path, "run", [9.0, 8.0, 7.0], attempt=2)
    old = wait_for(picture, "earlier attempt")
    assert old == [[2, 4], [3, 3], [4, 2]]
    drawn = wait_for(picture, "loss")
    assert drawn == [[1, 5], [2, 4], [3, 9], [4, 8], [5, 7]]
    texts = "(plot) => plot.layout.annotations.map(({ text }) => text)"
    assert "attempt 2" in plot(picture).evaluate(texts)
    picture.root.get_by_label("smoothing").fill("0.5")
    average = wait_for(picture, "loss · EMA 0.50, debiased")
    averages = [value for _, value in average]
    assert averages[2] == 9
    assert averages[1] == pytest.approx(13 / 3)
    for axis in ("samples", "wall", "epoch"):
        picture.root.get_by_label("x ").select_option(axis)
    expect(plot(picture)).to_contain_text("epoch")


def test_a_log_of_another_tool_has_no_stop_button(lab: Lab, tmp_path: Path) -> None:
    log = (LOGS / "mindformers.log").read_text(encoding="utf-8").splitlines()[:6]
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "worker_0.log").write_text("\n".join(log), encoding="utf-8")
    picture = watch(lab, tmp_path / "foreign")
    picture.wait_for_phase("training")
    wait_for(picture, "loss")
    expect(picture.root.get_by_role("button", name="Stop")).to_have_count(0)
    expect(picture.root).not_to_contain_text("To stop")


def copy_ranks(run: Path, count: int) -> None:
    """Give a run as many ranks as that, all like its first."""
    written = (run / "rank_0.jsonl").read_text(encoding="utf-8")
    for rank in range(1, count):
        text = written.replace('"rank": 0', f'"rank": {rank}')
        (run / f"rank_{rank}.jsonl").write_text(text, encoding="utf-8")


def compare(lab: Lab, folder: Path, *names: str) -> Picture:
    """Compare runs in a notebook; return their picture."""
    paths = ", ".join(repr(str(folder / name)) for name in names)
    lab.new([f"import mswidget\n_ = mswidget.compare({paths})"])
    lab.finish(0)
    return Picture(lab.page)


def test_a_compared_run_can_be_hidden_and_names_its_alert(
    lab: Lab, tmp_path: Path
) -> None:
    train(tmp_path, "base", [3.0, 2.0])
    train(tmp_path, "tuned", [3.0, 1.0])
    alert = Alert("mine", 2, 5.0, 0, "a1", "warning", "loss", "too good", "")
    line = to_line(alert.to_event())
    (tmp_path / "tuned" / "alerts_rank_0.jsonl").write_text(line, encoding="utf-8")
    picture = compare(lab, tmp_path, "base", "tuned")
    assert wait_for(picture, "base") == [[1, 3], [2, 2]]
    assert wait_for(picture, "alert") == [[2, 1]]
    expect(picture.root).to_contain_text("too good (tuned, step 2)")
    expect(picture.root.get_by_role("button", name="Stop")).to_have_count(0)
    box = picture.root.get_by_role("checkbox", name="tuned", exact=True)
    box.uncheck()
    for gone in ("tuned", "alert"):
        place = [plot(picture).element_handle(), gone]
        lab.page.wait_for_function(GONE, arg=place, timeout=LIMIT_MS)
    box.check()
    assert wait_for(picture, "tuned") == [[1, 3], [2, 1]]


def test_ranks_of_compared_runs_come_when_asked(lab: Lab, tmp_path: Path) -> None:
    for name in ("base", "tuned"):
        train(tmp_path, name, [3.0, 2.0])
        copy_ranks(tmp_path / name, 9)
    picture = compare(lab, tmp_path, "base", "tuned")
    wait_for(picture, "tuned · median of 9 ranks")
    assert "tuned · rank 7" not in plot(picture).evaluate(TRACES)
    run = picture.root.locator(".mswidget-track-run").nth(1)
    run.locator(".mswidget-summary").click()
    run.get_by_role("checkbox", name="rank 7", exact=True).check()
    assert wait_for(picture, "tuned · rank 7") == [[1, 3], [2, 2]]
    expect(run).not_to_contain_text("waiting for its values")
    lab.execute("import os, threading; threading.Timer(1, os._exit, [9]).start()")
    rank = run.get_by_role("checkbox", name="rank 3", exact=True)
    expect(rank).to_be_disabled(timeout=LIMIT_MS)
    expect(run).to_contain_text("its values are not here")


def test_very_many_ranks_are_folded(lab: Lab, tmp_path: Path) -> None:
    train(tmp_path, "run", [3.0, 2.0])
    copy_ranks(tmp_path / "run", 64)
    picture = watch(lab, tmp_path)
    wait_for(picture, "median of 64 ranks")
    rank = picture.root.get_by_role("checkbox", name="rank 63", exact=True)
    expect(rank).to_have_count(0)
    picture.root.get_by_text("64 finished").click()
    rank.check()
    assert wait_for(picture, "rank 63") == [[1, 3], [2, 2]]
    picture.root.get_by_role("checkbox", name="all of run").click()
    expect(picture.root).to_contain_text("no track is shown")
