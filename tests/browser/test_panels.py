"""Alerts, distributions and very many metrics in JupyterLab; the values are made up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.picture import LIMIT_MS, Picture
from tests.browser.readability import hard_to_read
from tests.browser.test_jupyterlab import written

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.lab import Lab

PARAMETERS = ("头.<i>w</i>/p5", "body.weight")
RUN = f"""
import math
from mswidget import start_run
with start_run("made up") as run:
    for step in range(1, 401):
        fall = math.exp(-step / 100)
        values = {{
            "loss": 3 * fall,
            "loss/ce": max(fall, 0.36592851),
            "lr": 1e-4,
        }}
        for layer in range(12):
            dead = layer == 3 and step > 200
            values[f"grad_norm/层.{{layer}}"] = (1 + layer) * fall * (not dead)
        if step % 10 == 0:
            for sign, name in enumerate({PARAMETERS!r}):
                values[f"weight_std/{{name}}"] = 1 + sign + fall
                for place, quantile in enumerate(("min", "p5", "p50", "p95", "max")):
                    spread = (place - 2) * fall + sign
                    values[f"weight_q/{{name}}/{{quantile}}"] = spread
        run.log(values)
    run.event("checkpoint")
"""
MANY = """
from mswidget import start_run
with start_run("many") as run:
    for step in range(30):
        run.log({"loss": 1.0} | {f"值/{i}": float(step) for i in range(500)})
"""
TRACE = """(plot, name) => {
    const found = plot.data.find((trace) => trace.name === name);
    return Array.from(found?.x ?? [], (x, i) => [x, found.y[i]]);
}"""
RANGE = "(plot) => plot.layout.xaxis.range"
MARKS = """(plot) => plot.layout.shapes.filter(({ line }) => line.dash === "solid")
    .map(({ x0 }) => x0)"""


def show(lab: Lab, cell: str) -> Picture:
    """Run a cell to its end; return its picture."""
    lab.new([cell])
    lab.finish(0)
    picture = Picture(lab.page)
    picture.wait_for_phase("finished")
    return picture


def plot(picture: Picture, metric: str) -> Locator:
    """Return what Plotly drew for a metric or a kind, once all of it is here."""
    panel = picture.root.locator(f'[data-metric="{metric}"]')
    picture.look_at(metric)
    drawn = panel.locator(".js-plotly-plot")
    expect(drawn).to_be_visible(timeout=LIMIT_MS)
    expect(panel).not_to_contain_text("waits for the kernel", timeout=LIMIT_MS)
    return drawn


def test_an_alert_is_listed_marked_and_leads_to_its_step(lab):
    picture = show(lab, RUN)
    messages = picture.root.get_by_label("messages", exact=True)
    messages.locator("summary").click()
    worst = messages.get_by_role("listitem").first
    expect(worst).to_contain_text(re.compile(r"error\s*step \d+.*loss/ce"))
    dead = messages.get_by_role("listitem").nth(1)
    expect(dead).to_contain_text(re.compile(r"warning\s*step \d+.*层\.3"))
    frozen = messages.get_by_role("button").filter(has_text="loss/ce")
    frozen.click()
    expect(picture.root.get_by_text("show all")).to_be_visible()
    step = int(re.search(r"step (\d+)", frozen.inner_text())[1])
    (mark,) = plot(picture, "loss/ce").evaluate(MARKS)
    first, last = plot(picture, "loss/ce").evaluate(RANGE)
    assert 1 < first < mark == step < last
    assert step in plot(picture, "loss").evaluate(MARKS)
    assert plot(picture, "lr").evaluate(MARKS) == []


def test_distributions_show_the_parameter_that_is_chosen(lab):
    picture = show(lab, RUN)
    picture.look_at("weight_q")
    for name in PARAMETERS:
        picture.root.get_by_label("parameter").select_option(name)
        median = written(lab, f"weight_q/{name}/p50")
        lab.page.wait_for_function(
            f"([plot, last]) => ({TRACE})(plot, 'p50').at(-1)?.[1] === last",
            arg=[plot(picture, "weight_q").element_handle(), median[-1][1]],
        )
        assert plot(picture, "weight_q").evaluate(TRACE, "p50") == [
            list(point) for point in median
        ]
        picture.wait_for_points(40, "weight_std")
        assert picture.drawn("weight_std") == written(lab, f"weight_std/{name}")


def test_the_layers_share_a_panel_with_the_one_that_died(lab):
    picture = show(lab, RUN)
    layers = plot(picture, "grad_norm/*")
    expect(layers).to_contain_text("moved most", timeout=LIMIT_MS)
    assert len(layers.evaluate("(plot) => plot.data.map(({ name }) => name)")) == 8
    died = layers.evaluate(TRACE, "层.3 · moved most")
    assert [tuple(point) for point in died] == written(lab, "grad_norm/层.3")
    expect(picture.root.get_by_text("8 of 12")).to_be_visible()


def test_very_many_metrics_are_folded_and_drawn_once_they_are_seen(lab):
    picture = show(lab, MANY)
    section = picture.root.locator('[data-section="other 值"]')
    expect(section.locator("summary")).to_contain_text("500")
    assert picture.root.locator("[data-panel=other]").count() == 0
    section.locator("summary").click()
    plot(picture, "值/0")
    plot(picture, "值/499")
    assert picture.drawn("值/499") == written(lab, "值/499")
    assert picture.root.locator(".js-plotly-plot").count() < 100


def test_alerts_and_sections_can_be_read_in_light_and_dark(lab):
    picture = show(lab, RUN)
    picture.root.locator(".mswidget-message-count").click()
    assert hard_to_read(picture.root) == []
    lab.command("apputils:change-theme", theme="JupyterLab Dark")
    expect(picture.root).to_have_attribute("data-theme", "dark")
    assert hard_to_read(picture.root) == []
