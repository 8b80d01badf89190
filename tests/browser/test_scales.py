"""What the eye makes of curves: their scale, their average, and earlier attempts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.picture import LIMIT_MS, Picture
from tests.browser.readability import hard_to_read
from tests.browser.test_jupyterlab import written
from tests.browser.test_panels import plot, show

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.lab import Lab

ODD = """
import math
from mswidget import start_run
with start_run("odd") as run:
    for step in range(1, 401):
        loss = 1e6 if step == 1 else 2 + math.exp(-step / 100) + (step % 7) / 50
        run.log({"loss": loss, "loss/ce": 0.3, "lr": 1e-4})
"""
BURST = """
from mswidget import start_run
with start_run("burst") as run:
    for step in range(1, 40_001):
        run.log({f"loss/{part}": 1 + (step % 10) / 10 for part in range(12)})
"""
RESUMED = [
    """
from mswidget import TrainMonitor
from tests.browser.tiny_training import train
train(50, TrainMonitor("resumed"), pace_s=0)""",
    """
train(50, TrainMonitor("resumed", start_step=30), pace_s=0)""",
]
Y = "(plot) => plot.layout.yaxis.range"
AVERAGE = "plot.data.find(({ name }) => name?.includes('EMA'))"
NAMED = """(plot) => plot.data.map(({ name, x, y }) =>
    [name, Array.from(x, (at, i) => [at, y[i]]).filter(([at]) => at === at)])"""


def smooth(picture: Picture, metric: str, weight: str) -> list[float]:
    """Return a metric's average once it is drawn."""
    picture.root.get_by_label("smoothing").fill(weight)
    drawn = plot(picture, metric)
    picture.page.wait_for_function(
        f"(plot) => {AVERAGE}",
        arg=drawn.element_handle(),
        timeout=LIMIT_MS,
    )
    found: list[float] = drawn.evaluate(f"(plot) => Array.from({AVERAGE}.y)")
    return found


def sign(picture: Picture) -> Locator:
    """Return what stands at the edge of the loss's panel, where a value is outside."""
    return plot(picture, "loss").locator(".annotation", has_text="1,000,000")


def wait_for_top(picture: Picture, condition: str) -> None:
    """Wait until the end of the loss's axis is as said."""
    picture.page.wait_for_function(
        f"(plot) => plot.layout.yaxis.range[1] {condition}",
        arg=plot(picture, "loss").element_handle(),
        timeout=LIMIT_MS,
    )


def test_a_constant_is_flat_and_so_is_its_average(lab: Lab) -> None:
    picture = show(lab, ODD)
    assert set(smooth(picture, "loss/ce", "0.97")) == {0.3}
    low, high = plot(picture, "loss/ce").evaluate(Y)
    assert (low, high) == (pytest.approx(0.27), pytest.approx(0.33))


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_first_value_out_of_proportion_is_a_sign_and_a_click_shows_it(
    lab: Lab, theme: str
) -> None:
    picture = show(lab, ODD)
    lab.command("apputils:change-theme", theme=theme)
    expect(picture.root).to_have_attribute("data-theme", theme.split()[1].lower())
    wait_for_top(picture, "< 4")
    expect(sign(picture)).to_have_text("\N{BLACK UP-POINTING TRIANGLE} 1,000,000")
    assert hard_to_read(picture.root) == []
    sign(picture).click()
    wait_for_top(picture, ">= 1e6")
    expect(sign(picture)).to_have_text("leave out 1,000,000")
    sign(picture).click()
    wait_for_top(picture, "< 4")


def test_the_average_has_no_gap_after_a_burst(lab: Lab) -> None:
    picture = show(lab, BURST)
    picture.wait_for_points(100, "loss/3")
    average = smooth(picture, "loss/3", "0.9")
    assert len(average) > 100
    assert None not in average
    assert all(1 <= value <= 2 for value in average)


def test_a_resumed_training_shows_its_earlier_attempt(lab: Lab) -> None:
    lab.new(RESUMED)
    lab.finish(0, 1)
    picture = Picture(lab.page, 1)
    picture.wait_for_phase("finished")
    picture.page.wait_for_function(
        "(plot) => plot.data.some(({ name }) => name === 'earlier attempt')",
        arg=plot(picture, "loss").element_handle(),
        timeout=LIMIT_MS,
    )
    points = [list(point) for point in written(lab)]
    assert len(points) == 100
    old, *_, now = plot(picture, "loss").evaluate(NAMED)
    assert old == ["earlier attempt", points[29:50]]
    assert now[0] == "loss"
    assert now[1] == [*points[:30], *points[50:]]
    expect(picture.root).to_contain_text("attempt 2")
