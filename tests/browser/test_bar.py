"""The bar that stays in view: what it says, and that nothing below it moves."""

from __future__ import annotations

import time

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.lab import LIMIT_MS
from tests.browser.live_page import LivePage
from tests.browser.picture import Picture

METRICS = ["loss", "loss/ce", "lr", "grad_norm", "samples_per_s"]
FAILED = "Traceback (most recent call last):\n  line 3\nValueError: shapes differ"

# Where all stands that is below the bar; what the browser itself calls a shift.
PLACES = """() => [...document.querySelectorAll(".mswidget-root *")]
    .filter((part) => !part.closest(".mswidget-bar, .mswidget-card, .js-plotly-plot")
        && !part.ownerSVGElement)
    .map((part) => [part.className, part.getBoundingClientRect()])
    .map(([name, { left, top, width, height }]) => [name, left, top, width, height])"""
WATCH = """() => {
    window.shifts = [];
    const isBelow = ({ node }) => node?.isConnected !== false
        && !(node?.closest ?? node?.parentElement?.closest)?.call(
            node.closest ? node : node.parentElement, ".mswidget-bar, .mswidget-card");
    new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries())
            if (sources.some(isBelow))
                window.shifts.push([value, sources.map(({ node }) => node?.className)]);
    }).observe({ type: "layout-shift" });
}"""


def falling(rows: np.ndarray) -> np.ndarray:
    """Return a loss that is NaN where it was told to be."""
    return np.where(rows > 1200, np.nan, 1 / (1 + rows / 100))


def alert(severity: str, message: str) -> dict[str, object]:
    """Return what the kernel tells of an alert."""
    return {
        "rule": "mine",
        "step": 500,
        "wall_time_s": time.time(),
        "rank": 0,
        "severity": severity,
        "metric": "loss",
        "message": message,
        "advice": "look at the data",
        "track": "",
    }


@pytest.mark.parametrize("width", [1220, 900, 450])
def test_nothing_below_the_bar_moves_whatever_comes(page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 600})
    live = LivePage(page, dict.fromkeys(METRICS, falling), 1000)
    live.news["status"] = {"stoppable": True, "total_steps": 3000, "steps_per_s": 5.0}
    live.until_whole()
    bar = page.locator(".mswidget-bar")
    page.evaluate("() => scrollTo(0, 120)")
    page.evaluate(WATCH)
    before = page.evaluate(PLACES)
    live.live(1, 5)
    told = [
        ({"alerts": [alert("warning", "a layer has died")], "alert_count": 1}, "died"),
        ({"alerts": [alert("error", "x " * 200)], "alert_count": 2}, "x x"),
        ({"notices": ["a disk is full"]}, "x x"),
        ({}, "loss is not finite"),
        (
            {"status": {"phase": "failed", "detail": FAILED}},
            "ValueError: shapes differ",
        ),
    ]
    for news, words in told:
        live.news |= news
        live.live(0.5, 60 if not news else 1)
        live.until(f"() => document.body.innerText.includes({words!r})")
        assert bar.bounding_box()["height"] <= 45
        assert bar.bounding_box()["y"] == 0
        assert page.evaluate("scrollY") == 120
    assert page.evaluate(PLACES) == before
    assert page.evaluate("window.shifts") == []
    expect(page.locator(".mswidget-stop")).to_be_hidden()


@pytest.mark.parametrize("width", [1220, 900, 450])
def test_the_loss_is_large_and_stands_near_the_top(page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    live = LivePage(page, dict.fromkeys(METRICS, falling), 1000)
    live.until_whole()
    box = page.locator("[data-metric=loss]").bounding_box()
    top = page.locator(".mswidget-root").bounding_box()["y"]
    assert box["height"] >= 300
    assert box["y"] - top <= 200
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_message_leads_to_what_it_is_about(page) -> None:
    live = LivePage(page, dict.fromkeys(METRICS, falling), 1000)
    live.news |= {"alerts": [alert("error", "the loss diverges")], "alert_count": 1}
    live.until_whole()
    live.until("() => document.body.innerText.includes('the loss diverges')")
    page.locator(".mswidget-worst").click()
    live.until(
        "() => !document.querySelector('.mswidget-reset').hidden",
    )
    first, last = page.locator("[data-metric=loss] .js-plotly-plot").evaluate(
        "(plot) => plot.layout.xaxis.range"
    )
    assert 1 < first < 500 < last < 1000


RUN = """
from mswidget import start_run
with start_run("run") as run:
    for step in range(200):
        run.log({"loss": 1 / (1 + step), "lr": 0.1})
"""
CELLS = "() => window.jupyterapp.shell.currentWidget.content.widgets.length"


def test_the_bar_stays_in_view_while_a_notebook_is_scrolled(lab) -> None:
    lab.page.set_viewport_size({"width": 1200, "height": 500})
    lab.new([RUN, *["1"] * 5])
    lab.finish(0)
    Picture(lab.page).wait_for_points(200)
    expect(lab.page.locator(".mswidget-worst")).to_be_hidden()  # nothing is wrong
    notebook = lab.page.locator(".jp-WindowedPanel-outer")
    loss = lab.page.locator("[data-metric=loss]")
    loss.evaluate("(panel) => panel.scrollIntoView()")
    bar = lab.page.locator(".mswidget-bar").bounding_box()
    assert bar["y"] == pytest.approx(notebook.bounding_box()["y"], abs=2)
    assert loss.bounding_box()["y"] >= bar["y"] + bar["height"]


def test_no_key_reaches_the_notebook_and_escape_gives_the_focus_back(lab) -> None:
    lab.new([RUN, *["1"] * 5])
    lab.finish(0)
    Picture(lab.page).wait_for_points(200)
    cells = lab.page.evaluate(CELLS)
    reset = lab.page.locator(".mswidget-reset")
    lab.page.get_by_role("slider", name="part of the run").focus()
    for key in ("d", "d", "x", "a", "+"):
        lab.page.keyboard.press(key)
    expect(reset).to_be_visible(timeout=LIMIT_MS)
    lab.page.keyboard.press("-")
    expect(reset).to_be_hidden(timeout=LIMIT_MS)
    assert lab.page.evaluate(CELLS) == cells
    lab.page.keyboard.press("Escape")
    lab.page.keyboard.press("b")
    assert lab.page.evaluate(CELLS) == cells + 1


def test_the_newest_steps_are_followed_and_the_whole_run_stays_in_sight(page) -> None:
    live = LivePage(page, dict.fromkeys(METRICS, falling), 1000)
    live.until_whole()
    page.get_by_label("steps that are shown").select_option("last 100")
    shown = "document.querySelector('[data-metric=loss] .js-plotly-plot')"
    live.until(f"() => {shown}.layout.xaxis.range[0] > 850")
    live.live(1, 10)
    live.until(f"() => {shown}.layout.xaxis.range[0] > 950")
    first, last = page.evaluate(f"{shown}.layout.xaxis.range")
    assert last - first < 150
    track = page.locator(".mswidget-overview-track").bounding_box()
    window = page.locator(".mswidget-window").bounding_box()
    assert window["width"] < track["width"] / 4
    page.mouse.move(window["x"] + window["width"] / 2, window["y"] + 9)
    page.mouse.down()
    page.mouse.move(track["x"] + track["width"] / 3, window["y"] + 9, steps=5)
    page.mouse.up()
    live.until(f"() => {shown}.layout.xaxis.range[0] < 500")
    live.until_whole()
    expect(page.get_by_label("steps that are shown")).to_have_value("part")
    page.get_by_text("show all").click()
    live.until(f"() => {shown}.layout.xaxis.range[0] < 1")
