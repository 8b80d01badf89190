"""What the page asks of a training while its cell runs, in a real JupyterLab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.picture import LIMIT_MS, Picture
from tests.browser.test_jupyterlab import (
    SETUP,
    TRAIN_LONG,
    TRAIN_SHORT,
    kernel,
    train_until,
    written,
)

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.lab import Lab

__all__ = ["kernel"]
LOOP = """
import time
from mswidget import start_run
with start_run("loop") as run:
    while not run.stop_requested:
        run.log({"loss": 1.0})
        time.sleep(0.01)"""


def checkpoints(lab: Lab) -> list[Path]:
    """Return the checkpoints in the runs' folders."""
    return [*lab.path.parent.glob("train_logs/*/checkpoint/*")]


def type_number(field: Locator, number: str) -> None:
    """Write a number in place of the one that is there, as a reader does."""
    field.press("Control+A")
    field.press_sequentially(number)
    field.press("Enter")


def wait_for_steps(picture: Picture, count: int) -> int:
    """Wait until the header says so many steps; returns them."""
    step = "([root]) => Number(root.querySelector('.mswidget-place').textContent"
    step += ".match(/[\\d,]+/)[0].replaceAll(',', ''))"
    handle = picture.root.element_handle()
    reached = f"([root, count]) => ({step})([root]) >= count"
    picture.page.wait_for_function(reached, arg=[handle, count], timeout=LIMIT_MS)
    return count


def steps_after(lab: Lab, step: int) -> list[float]:
    """Return the steps that were logged after one."""
    return [logged for logged, _ in written(lab) if logged > step]


def test_checkpoint_is_saved_while_the_cell_runs(lab, kernel):
    lab.new([SETUP, TRAIN_LONG, "import mindspore; print('next')"], kernel)
    picture = train_until(lab, 30)
    lab.run(2)
    picture.open_menu()
    picture.root.get_by_role("button", name="Save checkpoint").click()
    step = picture.wait_for_step("saved at")
    assert [lab.prompt(1), lab.prompt(2)] == ["[*]:", "[*]:"]
    assert [file.name for file in checkpoints(lab)] == [f"step_{step}.ckpt"]
    picture.press_stop()
    lab.wait_until_done(2)
    assert lab.printed(2) == "next\n"
    assert picture.wait_for_step("saved at") == step
    save = picture.root.get_by_role("button", name="Save checkpoint")
    expect(save).to_have_attribute("aria-disabled", "true")


def test_log_interval_is_changed_while_the_cell_runs(lab, kernel):
    lab.new([SETUP, TRAIN_LONG], kernel)
    picture = train_until(lab, 30)
    picture.open_menu()
    interval = picture.root.get_by_label("log one step in")
    expect(interval).to_have_value("1")
    type_number(interval, "0")
    expect(interval).to_have_value("1")
    type_number(interval, "10")
    step = picture.wait_for_step("since")
    expect(interval).to_have_value("10")
    picture.wait_for_points(step + 5)
    picture.press_stop()
    lab.wait_until_done(1)
    *later, last = steps_after(lab, step)
    begin = (step // 10 + 1) * 10
    assert len(later) >= 4
    assert later == [*range(begin, begin + 10 * len(later), 10)]
    assert last <= later[-1] + 10


def test_menu_is_worked_with_the_keyboard_alone(lab):
    lab.new([SETUP, TRAIN_LONG])
    picture = train_until(lab, 30)
    keyboard = lab.page.keyboard
    picture.root.locator(".mswidget-stop").focus()
    keyboard.press("Shift+Tab")
    keyboard.press("Space")
    for _ in range(2):
        keyboard.press("Tab")
    save = picture.root.get_by_role("button", name="Save checkpoint")
    pause = picture.root.get_by_role("button", name="Pause drawing")
    expect(pause).to_be_focused()
    keyboard.press("Tab")
    expect(save).to_be_focused()
    keyboard.press("Enter")
    step = picture.wait_for_step("saved at")
    expect(save).to_be_focused()
    keyboard.press("Tab")
    keyboard.press("Control+A")
    keyboard.type("7")
    keyboard.press("Enter")
    assert picture.wait_for_step("since") >= step
    assert lab.prompt(1) == "[*]:"


def test_paused_curves_stand_still_and_go_on_with_the_true_picture(lab):
    frames: list[bytes] = []
    lab.page.on(
        "websocket",
        lambda socket: socket.on(
            "framereceived", lambda frame: frames.append(_bytes(frame))
        ),
    )
    lab.new([SETUP, TRAIN_LONG])
    picture = train_until(lab, 60)
    picture.open_menu()
    picture.root.get_by_role("button", name="Pause drawing").click()
    step = picture.wait_for_step("paused at")
    drawn = picture.drawn()
    assert drawn[-1][0] >= step
    wait_for_steps(picture, len(written(lab)) + 50)  # the kernel has heard of it
    frames.clear()
    until = wait_for_steps(picture, len(written(lab)) + 50)
    assert picture.drawn() == drawn
    assert any(b'"news"' in frame for frame in frames)
    assert not any(b'"kind": "view"' in frame for frame in frames)
    picture.root.get_by_role("button", name="Go on").click()
    picture.wait_for_points(until)
    picture.press_stop()
    picture.wait_for_phase("stopped")
    lab.wait_until_done(1)
    picture.wait_for_points(len(written(lab)))
    assert picture.drawn() == written(lab)


def test_what_the_reader_changes_is_drawn_while_the_curves_stand_still(lab):
    lab.new([SETUP, TRAIN_LONG])
    picture = train_until(lab, 60)
    picture.open_menu()
    picture.root.get_by_role("button", name="Pause drawing").click()
    step = picture.wait_for_step("paused at")
    picture.root.locator(".mswidget-x").select_option("epoch")
    drawn_by_epoch = "() => document.querySelector('.js-plotly-plot').data[0].x[0] < 1"
    lab.page.wait_for_function(drawn_by_epoch)
    later = picture.wait_for_step("paused at")
    assert later >= step
    drawn = picture.drawn()
    assert all(x <= later / 50 + 1 for x, _ in drawn)
    picture.root.locator(".mswidget-pill").wait_for()
    assert picture.wait_for_step("paused at") == later
    assert picture.drawn() == drawn


def test_loop_without_a_function_to_save_has_no_button_for_it(lab):
    lab.new([LOOP])
    lab.run(0)
    picture = Picture(lab.page)
    picture.wait_for_points(30)
    picture.open_menu()
    expect(picture.root.get_by_role("button", name="Pause drawing")).to_be_visible()
    expect(picture.root.get_by_text("Save checkpoint")).to_be_hidden()
    expect(picture.root.get_by_label("log one step in")).to_be_hidden()


def test_of_a_training_that_has_ended_nothing_is_asked(lab):
    lab.new([SETUP, TRAIN_SHORT])
    lab.finish(0, 1)
    picture = Picture(lab.page)
    picture.wait_for_phase("finished")
    picture.open_menu()
    expect(picture.root.get_by_role("button", name="Pause drawing")).to_be_hidden()
    save = picture.root.get_by_role("button", name="Save checkpoint")
    expect(save).to_have_attribute("aria-disabled", "true")


def _bytes(frame: str | bytes) -> bytes:
    return frame.encode() if isinstance(frame, str) else frame
