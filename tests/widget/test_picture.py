"""What a saved notebook shows when no kernel runs."""

import base64
import math
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from mswidget.metrics import METRICS, Metric
from mswidget.records.history import History
from mswidget.records.record import Record
from mswidget.widget.picture import CURVES, picture_html, picture_svg, summary
from tests.page import history_of

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    return [element.text for element in root.iter(f"{SVG}text")]


def points(svg):
    """Return the (x, y) of all curves; y grows downwards."""
    found = [
        tuple(map(float, point.split(",")))
        for line in re.findall(r'points="([^"]*)"', svg)
        for point in line.split()
    ]
    assert np.isfinite(found).all()
    return found


def head_of(**changes):
    status = {"phase": "training", "step": 3, "total_steps": 10, "detail": ""}
    run = {"name": "实验 <1>", "path": "train_logs/实验 <1>", "rank": 0}
    alerts = {"alerts": [], "alert_count": 0}
    return {"run": run, "status": status | changes, **alerts, "tracks": []}


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([1.0, 2.0, 3.0], ["3", "1"]),
        ([7.0], ["7.7", "6.3"]),
        ([2e-5] * 9, ["2.2e-05", "1.8e-05"]),
        ([0.0, 0.0], ["0.5", "-0.5"]),
        ([-1.7e308, 1.7e308], ["1.7e+308", "-1.7e+308"]),
        ([1.7e308] * 2, ["1.798e+308", "1.53e+308"]),
        ([5e-324, 0.0], ["4.941e-324", "0"]),
        ([0.1, 0.1 + 1e-15, 0.1], ["0.11", "0.09"]),
        (
            [1e6, *np.linspace(3, 2, 50)],
            ["3", "2", "\N{BLACK UP-POINTING TRIANGLE} 1e+06"],
        ),
        (
            [-1e6, *[2.0] * 50],
            ["2.2", "1.8", "\N{BLACK DOWN-POINTING TRIANGLE} -1e+06"],
        ),
        ([1e6, 3.0, 2.0], ["1e+06", "2"]),
        ([*np.linspace(3, 2, 50), 1e6], ["1e+06", "2"]),
    ],
)
def test_the_axis_says_the_range(values, shown):
    svg = picture_svg(history_of({"loss": values}))
    assert set(shown) <= set(texts(svg))
    assert all(0 <= y <= 150 for _, y in points(svg))


@pytest.mark.parametrize(
    "values", [[-9.224e-05, 1e-4], [-1.234e-300, 1.0], [-1.7e308, 1.7e308]]
)
def test_no_number_of_the_axis_is_cut(values):
    svg = picture_svg(history_of({"loss": values}))
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    for element in root.iter(f"{SVG}text"):
        width = 6.6 * len(element.text)  # of digits of 11 px; most fonts have less
        x = float(element.get("x"))
        at_end = element.get("text-anchor") == "end"
        assert (x - width if at_end else x) >= 0
        assert (x if at_end else x + width) <= 300
    assert min(x for x, _ in points(svg)) > 6.6 * 10


def test_steps_are_written_in_full():
    history = history_of({"loss": np.arange(12_345)})
    assert {"1", "step 12345"} <= set(texts(picture_svg(history)))


def test_a_spike_is_drawn():
    values = np.ones(20_000)
    values[12_345] = 1e9
    svg = picture_svg(history_of({"loss": values}))
    highest = min(points(svg), key=lambda point: point[1])
    assert highest[1] == 24
    assert highest[0] == pytest.approx(52 + 240 * 12_345 / 20_000, abs=1)


def test_nan_is_crossed_counted_and_leaves_a_gap():
    values = [1.0, 2.0, math.nan, 3.0, math.inf, 2.0, 1.0]
    svg = picture_svg(history_of({"loss": values}))
    assert texts(svg).count("✕") == 2
    assert "2 not finite" in texts(svg)
    assert svg.count("<polyline") + svg.count("<circle") == 3


@pytest.mark.parametrize("values", [[math.nan], [math.nan, math.inf, -math.inf]])
def test_a_curve_without_a_number_is_a_picture_too(values):
    svg = picture_svg(history_of({"loss": values}))
    assert texts(svg).count("✕") == len(values)


def test_the_loss_comes_first_and_the_rest_by_panel():
    names = ["温度", "lr", "loss/bbox", "loss"]
    svg = picture_svg(history_of({name: [1.0, 2.0] for name in names}))
    assert [t for t in texts(svg) if t in names] == ["loss", "loss/bbox", "lr", "温度"]


def test_a_panel_that_is_not_known_comes_last(monkeypatch):
    gpu = (Metric("gpu", "no such panel"), *METRICS)
    monkeypatch.setattr("mswidget.metrics.METRICS", gpu)
    svg = picture_svg(history_of({"gpu": [1.0], "温度": [1.0]}))
    assert [t for t in texts(svg) if t in ("gpu", "温度")] == ["温度", "gpu"]


@pytest.mark.parametrize(
    ("steps", "drawn"),
    [
        ([1, 2, 3, 2, 3], [0, 3, 4]),
        ([1, 2, 3, 3, 4], [0, 1, 3, 4]),
        ([5, 6, 7, 1, 2], [3, 4]),
        ([3, 2, 1], [2]),
    ],
)
def test_of_steps_logged_again_the_latest_are_drawn(steps, drawn):
    def curves(rows):
        history = History()
        history.extend(
            Record(steps[row], 0.0, 0, "a1", {"loss": row % 3 + 0.5}) for row in rows
        )
        return picture_svg(history)

    assert curves(range(len(steps))) == curves(drawn)


def test_many_metrics_make_no_endless_picture():
    columns = {f"loss/{i}": np.arange(3000) for i in range(60)}
    svg = picture_svg(history_of(columns))
    assert svg.count("<rect") == CURVES
    assert len(svg) < 60_000


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("a\"&'b", "a\"&'b"),
        ("损失", "损失"),
        ("a\x00\ud800b", r"a\x00\ud800b"),
        ("", '""'),
        ("loss ", "loss␣"),
        ("l" * 100, "l" * 20 + "…" + "l" * 14),
    ],
)
def test_any_name_is_shown_as_text(name, shown):
    svg = picture_svg(history_of({name: [1.0]}))
    assert shown in texts(svg)
    assert len(list(ET.fromstring(svg).iter(f"{SVG}script"))) == 0  # noqa: S314


def test_a_run_without_values_is_a_picture_too():
    assert texts(picture_svg(history_of({}))) == []
    assert "no step yet" in summary(history_of({}), head_of(step=None))


def test_the_summary_says_how_it_stands():
    history = history_of({"loss": [0.5, math.nan], "lr": [1e-5, 2e-5]})
    text = summary(history, head_of(phase="failed", detail="ValueError: NaN"))
    assert text == (
        "实验 <1>: failed, step 3 of 10, loss nan, lr 2e-05, ValueError: NaN. "
        "Files in train_logs/实验 <1>."
    )


def test_the_html_holds_no_markup_of_the_user():
    html = picture_html(history_of({"<b>x": [1.0]}), head_of(), "mswidget-1")
    assert html.startswith('<div class="mswidget-1"><img alt="实验 &lt;1&gt;')
    assert re.findall(r"<(\w+)", html) == ["div", "img", "p"]
    data = re.search(r'src="data:image/svg\+xml;base64,([^"]*)"', html)
    assert "<b>x" in texts(base64.b64decode(data[1]).decode())


def test_the_summary_tells_of_alerts():
    alert = {"step": 12, "message": "loss/<b> is frozen"}
    head = head_of() | {"alerts": [alert], "alert_count": 3}
    html = picture_html(history_of({"loss": [1.0]}), head, "x")
    assert "3 alerts, the newest at step 12: loss/&lt;b&gt; is frozen" in html


def test_the_earlier_attempts_of_a_resumed_run_are_in_the_picture():
    history = History()
    records = [Record(step, 1.0, 0, "a2", {"loss": 1.0}) for step in range(11, 21)]
    history.extend(records)
    before = History()
    earlier = [Record(step, 0.0, 0, "a1", {"loss": 5.0}) for step in range(1, 14)]
    before.extend(earlier)
    history.put_before(before)
    shown = texts(picture_svg(history))
    assert {"1", "5", "step 20"} <= set(shown)
