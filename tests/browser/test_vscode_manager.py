"""The live widget in VS Code's own widget manager, in its dark theme."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.picture import Picture
from tests.browser.readability import becomes_dark, hard_to_read

if TYPE_CHECKING:
    from tests.browser.vscode_manager import VSCodePage

TRAIN_LONG = "train(20_000, monitor)"
TRAIN_SHORT = "train(100, monitor, pace_s=0)"


def set_up(vscode: VSCodePage, folder: Path) -> None:
    """Make the monitor; its run's files go to ``folder``."""
    vscode.finish(f"""
import sys
sys.path.append({str(Path(__file__).parent)!r})
from mswidget import TrainMonitor
from tiny_training import train
monitor = TrainMonitor("tiny", log_dir={str(folder)!r})
""")


def train_until(vscode: VSCodePage, folder: Path, points: int) -> tuple[int, Picture]:
    """Start the long training; return its cell and its picture with such a curve."""
    set_up(vscode, folder)
    cell = vscode.run(TRAIN_LONG)
    picture = Picture(vscode.page)
    picture.wait_for_points(points)
    return cell, picture


def test_curve_grows_while_the_cell_runs(vscode, tmp_path):
    cell, picture = train_until(vscode, tmp_path, 50)
    picture.wait_for_points(len(picture.drawn()) + 50)
    assert not vscode.cell(cell)["done"]
    steps = [step for step, _ in picture.drawn()]
    assert steps == list(range(1, len(steps) + 1))


def test_stop_button_ends_the_training_within_a_step(vscode, tmp_path):
    cell, picture = train_until(vscode, tmp_path, 30)
    picture.press_stop()
    vscode.wait_until_done(cell)
    picture.wait_for_phase("stopped")
    late = {f"steps begun after the stop: {n}\n" for n in (0, 1)}
    assert vscode.cell(cell)["text"] in late


def test_commands_are_obeyed_while_the_cell_runs(vscode, tmp_path):
    cell, picture = train_until(vscode, tmp_path, 30)
    picture.open_menu()
    picture.root.get_by_role("button", name="Save checkpoint").click()
    step = picture.wait_for_step("saved at")
    picture.root.get_by_role("button", name="Pause drawing").click()
    # It stands at what is drawn, which may be a moment behind what is told.
    assert picture.wait_for_step("paused at") >= 30
    drawn = picture.drawn()
    interval = picture.root.get_by_label("log one step in")
    interval.fill("10")
    interval.press("Enter")
    assert picture.wait_for_step("since") >= step
    assert not vscode.cell(cell)["done"]
    (file,) = tmp_path.glob("tiny/checkpoint/*")
    assert file.name == f"step_{step}.ckpt"
    picture.press_stop()
    vscode.wait_until_done(cell)
    picture.wait_for_phase("stopped")
    assert picture.drawn() == drawn
    picture.root.get_by_role("button", name="Go on").click()
    picture.wait_for_points(len(drawn) + 1)


def test_view_opened_late_shows_the_whole_history_and_goes_on(vscode, tmp_path):
    cell, picture = train_until(vscode, tmp_path, 100)
    drawn = picture.drawn()
    vscode.show_again(cell)
    late = Picture(vscode.page, view=1)
    late.wait_for_points(len(drawn) + 30)
    assert not vscode.cell(cell)["done"]
    assert late.drawn()[: len(drawn)] == drawn


def test_text_is_readable_in_the_dark_theme_on_the_white_wrapper(vscode, tmp_path):
    set_up(vscode, tmp_path)
    vscode.finish(TRAIN_SHORT)
    picture = Picture(vscode.page)
    picture.wait_for_phase("finished")
    picture.wait_for_points(100)
    assert hard_to_read(picture.root) == []
    assert becomes_dark(picture.root.locator(".js-plotly-plot").first)


def test_plot_made_before_it_is_in_the_page_fills_its_panel(vscode, tmp_path):
    set_up(vscode, tmp_path)
    vscode.finish(TRAIN_SHORT)
    Picture(vscode.page).wait_for_points(100)
    panel = vscode.page.locator("[data-metric=loss]").bounding_box()
    plot = vscode.page.locator("[data-metric=loss] .main-svg").first.bounding_box()
    assert panel["width"] > 900
    assert plot["width"] > panel["width"] - 40


def test_picture_of_the_saved_notebook_is_hidden_by_the_live_view(vscode, tmp_path):
    set_up(vscode, tmp_path)
    vscode.finish(TRAIN_SHORT)
    static = vscode.page.locator("[class^=mswidget-static]")
    expect(static).to_have_count(1)
    expect(static).to_be_hidden()
