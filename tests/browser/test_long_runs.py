"""Long runs in a page: true at any zoom, while they grow, and after a reload."""

from __future__ import annotations

import time

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.live_page import LivePage
from tests.browser.picture import Picture

SPIKE = 480_000
METRICS = ["loss", "loss/ce", "lr", "grad_norm"]

# Heights of the curve's area, or of its line where the values are there one by one.
HEIGHTS = """(plot) => {
    const traces = plot.data.filter(({ yaxis }) => !yaxis);
    const { x, y } = traces.find(({ fill }) => fill) ?? traces[0];
    return Array.from(x, (at, i) => [at, y[i]]).filter(([, y]) => y === y);
}"""
HATCHED = "(plot) => plot.data.some(({ fillpattern }) => fillpattern)"
DRAWN_PART = "() => document.querySelector('[data-metric=\"loss/3\"] .main-svg')"
ALL_DRAWN = """() => ["loss/ce", "grad_norm"].every((metric) =>
    document.querySelector(`[data-metric="${metric}"] .main-svg`))"""
ZOOM = """(plot, [from, to]) => plot.emit("plotly_relayout",
    { "xaxis.range[0]": from, "xaxis.range[1]": to })"""


def values(rows: np.ndarray) -> np.ndarray:
    """Return a saw from 1 to 2 with one spike."""
    return np.where(rows == SPIKE, 50.0, 1 + rows % 1000 / 999)


def opened(page, rows: int) -> tuple[LivePage, Picture]:
    """Return the page of a run of so many rows, once it shows them."""
    live = LivePage(page, dict.fromkeys(METRICS, values), rows)
    live.until_whole()
    picture = Picture(page)
    picture.look_at("loss/ce")
    live.until(ALL_DRAWN)
    live.until_whole()
    return live, picture


def heights(picture: Picture, metric: str = "loss") -> np.ndarray:
    """Return what is drawn, as steps and values; nothing may be missing."""
    panel = picture.root.locator(f'[data-metric="{metric}"] .js-plotly-plot')
    assert not panel.evaluate(HATCHED)
    return np.array(panel.evaluate(HEIGHTS))


def until_drawn(live: LivePage) -> None:
    """Wait until all panels reach the newest row."""
    newest = f"""() => [...document.querySelectorAll(".js-plotly-plot")].every((plot) =>
        Math.max(...({HEIGHTS})(plot).map(([x]) => x)) > {len(live.history) - 1})"""
    live.until(newest, limit_s=40)


def zoom(live: LivePage, span: tuple[float, float]) -> None:
    """Zoom all panels into a range."""
    live.page.locator("[data-metric=loss] .js-plotly-plot").evaluate(ZOOM, span)
    live.page.wait_for_function(
        "() => document.querySelector('.mswidget-reset:not([hidden])')"
    )
    live.until_whole()


def check_whole(picture: Picture, rows: int) -> None:
    """The envelope is that of all rows, and the spike is in it, in its pixel."""
    for metric in METRICS:
        drawn = heights(picture, metric)
        steps, heights_ = drawn.T
        assert (steps.min(), steps.max()) == pytest.approx((1, rows), abs=1)
        assert (heights_.min(), heights_.max()) == (1, 50)
        spiky = steps[heights_ == 50]
        assert spiky.min() <= SPIKE + 1.5 <= spiky.max() + 1
        assert np.ptp(spiky) < rows / 200
        assert (heights_[heights_ < 50] <= 2).all()


def check_close(live: LivePage, picture: Picture) -> None:
    """Close by, each value is drawn as it is."""
    zoom(live, (SPIKE - 300, SPIKE + 300))
    picture.wait_until_exact()
    steps, drawn = heights(picture).T
    assert set(range(SPIKE - 300, SPIKE + 301)) <= {*steps.astype(int).tolist()}
    np.testing.assert_array_equal(drawn, values(steps - 1))


def check_long_run(page, rows: int) -> None:
    """Look at a run as its reader would."""
    live, picture = opened(page, rows)
    check_whole(picture, rows)
    check_close(live, picture)
    page.get_by_text("show all").click()
    live.live(2, 2000)
    until_drawn(live)
    check_whole(picture, len(live.history))


def test_a_run_of_a_million_rows_is_true_at_any_zoom_and_while_it_grows(page):
    check_long_run(page, 1_000_000)


def test_a_reload_keeps_what_was_chosen_and_shows_the_same(page):
    live, picture = opened(page, 1_000_000)
    page.locator(".mswidget-x").select_option("epoch")
    live.until_whole()
    page.locator(".mswidget-x").select_option("step")
    page.get_by_label("smoothing").fill("0.9")
    page.get_by_label("log y").check()
    check_close(live, picture)
    before = heights(picture)
    live.open()
    live.until_whole()
    picture.wait_until_exact()
    np.testing.assert_array_equal(heights(picture), before)
    assert page.get_by_label("log y").is_checked()
    assert page.get_by_label("smoothing").input_value() == "0.9"
    assert page.locator(".mswidget-smoothing-value").text_content() == "0.9"
    expect(page.get_by_text("show all")).to_be_visible()


def test_a_reload_keeps_the_axis_and_what_is_unfolded(page):
    names = [f"loss/{part}" for part in range(20)]
    live = LivePage(page, dict.fromkeys(["loss", *names], values), 1000)
    live.until_whole()
    page.locator(".mswidget-x").select_option("time")
    section = page.locator("[data-section=parts]")
    section.locator("summary").click()
    live.until(DRAWN_PART)
    live.open()
    live.until(DRAWN_PART)
    assert section.get_attribute("open") is not None
    expect(page.locator(".mswidget-x")).to_have_value("time")
    section.locator("summary").click()
    expect(page.locator('[data-metric="loss/3"]')).to_be_hidden()


def test_a_growing_run_is_never_hatched_where_it_was_drawn(page):
    live, picture = opened(page, 1000)
    page.evaluate("""() => {
        window.hatched = 0;
        for (const plot of document.querySelectorAll(".js-plotly-plot"))
            plot.on("plotly_afterplot", () => window.hatched +=
                plot.data.some(({ fillpattern }) => fillpattern));
    }""")
    end_s = time.monotonic() + 6
    while time.monotonic() < end_s:
        live.live(0.5, len(live.history) // 20)
    assert len(live.history) > 10_000
    assert page.evaluate("() => window.hatched") == 0
    until_drawn(live)
    assert heights(picture)[:, 0].max() == pytest.approx(len(live.history), abs=1)


def test_a_page_that_has_slept_shows_the_rest_when_it_wakes(page):
    live, picture = opened(page, 100_000)
    for _ in range(20):
        live.log(1000)
        live.transport.tick()
        live.sent.clear()
        page.wait_for_timeout(100)
    until_drawn(live)
    assert heights(picture)[:, 0].min() == 1


def test_panels_scrolled_out_stand_still_and_are_true_when_scrolled_in(page):
    live, picture = opened(page, 100_000)
    page.evaluate("() => document.body.style.paddingTop = '9000px'")
    live.live(0.5, 0)
    before = heights(picture)
    live.live(1, 1000)
    np.testing.assert_array_equal(heights(picture), before)
    page.evaluate("() => document.body.style.paddingTop = '0'")
    until_drawn(live)
    assert heights(picture)[:, 0].min() == 1


@pytest.mark.slow
def test_a_run_of_ten_million_rows_is_true_at_any_zoom_and_while_it_grows(page):
    check_long_run(page, 10_000_000)
