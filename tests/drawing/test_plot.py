"""A plot of curves as a static SVG."""

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from mswidget.drawing.palette import BACK, Look
from mswidget.drawing.plot import LevelLine, Polyline, plot_svg, swatch_svg

SVG = "{http://www.w3.org/2000/svg}"
LOOK = Look("#0072b2", "solid")
UP, DOWN = "\N{BLACK UP-POINTING TRIANGLE}", "\N{BLACK DOWN-POINTING TRIANGLE}"
HEIGHT = 300 - 26 - 32  # between the axes


def line(values, steps=None, look=LOOK, floor=None):
    values = np.asarray(values, float)
    steps = np.arange(1, len(values) + 1) if steps is None else steps
    floor = None if floor is None else np.asarray(floor, float)
    return Polyline(np.asarray(steps, float), values, look, floor)


def plot(*lines, title="loss", **more):
    return plot_svg(title, lines, width="100%", height=300, **more)


def texts(svg):
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def points(svg):
    """Return the (x, y) of all curves; x is out of 1000, y grows downwards."""
    shapes = re.findall(r'<path d="([^"]*)"', svg)
    numbers = [re.findall(r"(-?[\d.]+),(-?[\d.]+)", shape) for shape in shapes]
    found = [(float(x), float(y)) for pairs in numbers for x, y in pairs]
    assert np.isfinite(found).all()
    return found


def test_a_level_is_in_the_picture_with_its_label():
    svg = plot(line([2.0, 1.5, 1.0]), levels=[LevelLine(0.5, "target <1> 0.5")])
    assert "target <1> 0.5" in texts(svg)
    (y,) = re.findall(r'y1="([\d.]+)" y2="\1" stroke="[^"]*" stroke-dasharray', svg)
    lowest = max(y for _, y in points(svg))
    assert lowest < float(y) <= HEIGHT


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([1.0, 2.0, 3.0], ["1.0", "2.0", "3.0"]),
        ([7.0], ["6.4", "7.0", "7.2"]),
        ([2e-5] * 9, ["1.8e-5", "2.0e-5", "2.2e-5"]),
        ([0.0, 0.0], ["-0.4", "0.0", "0.4"]),
        ([-1.7e308, 1.7e308], ["-1.0e308", "0", "1.0e308"]),
        ([5e-324, 0.0], ["0", "5e-324"]),
        ([0.1, 0.1 + 1e-15, 0.1], ["0.090", "0.100", "0.110"]),
        ([1e6, *np.linspace(3, 2, 50)], ["2.0", "3.0", f"{UP} 1e+06"]),
        ([-1e6, *[2.0] * 50], ["1.8", "2.2", f"{DOWN} -1e+06"]),
        ([1e6, 3.0, 2.0], ["200,000", "1,000,000"]),
        ([*np.linspace(3, 2, 50), 1e6], ["200,000", "1,000,000"]),
    ],
)
def test_the_axis_spans_what_is_drawn(values, shown):
    svg = plot(line(values))
    assert set(shown) <= set(texts(svg))
    assert all(0 <= y <= HEIGHT for _, y in points(svg))
    assert all(0 <= x <= 1000 for x, _ in points(svg))


@pytest.mark.parametrize(
    "values", [[-9.224e-05, 1e-4], [-1.234e-300, 1.0], [-1.7e308, 1.7e308]]
)
def test_no_number_of_the_axis_is_cut(values):
    svg = plot(line(values))
    left = float(re.search(r'<svg x="([\d.]+)"', svg)[1])
    names = re.findall(r'text-anchor="end">([^<]*)<', svg)
    # Digits of 11 px have 6.6 px at most.
    assert all(6.6 * len(name) + 6 <= left for name in names)


def test_steps_are_round_and_written_in_full():
    assert {"step", "2,000", "12,000"} <= set(texts(plot(line(np.arange(12_345)))))


def test_steps_of_a_narrow_plot_have_room():
    steps = [1, 123_456_789]
    svg = plot_svg("loss", [line([1, 2], steps)], width="300", height=150)
    assert [text for text in texts(svg) if "0,000" in text] == [
        "50,000,000",
        "100,000,000",
    ]


def test_one_value_is_a_dot_in_the_middle():
    svg = plot(line([2.0], [7]))
    assert points(svg) == [(500.0, HEIGHT / 2)]
    assert "7" in texts(svg)


def test_nan_is_crossed_and_leaves_a_gap():
    svg = plot(line([1.0, 2.0, np.nan, 3.0, np.inf, 2.0, 1.0]))
    assert texts(svg).count("✕") == 2
    strokes = re.findall(r'<path d="([^"]*)"', svg)
    assert [shape.count("M") for shape in strokes] == [2, 1]


def test_crosses_are_no_more_than_there_is_room_for():
    svg = plot(*(line([np.nan] * 5000) for _ in range(16)))
    assert 100 < texts(svg).count("✕") <= 201


@pytest.mark.parametrize("values", [[np.nan], [np.nan, np.inf, -np.inf]])
def test_a_curve_without_a_number_is_a_plot_too(values):
    assert texts(plot(line(values))).count("✕") == len(values)


def test_a_plot_without_a_curve_has_its_title():
    assert texts(plot()) == ["loss"]


def test_an_area_goes_up_one_edge_and_back_the_other():
    svg = plot(line([2.0, 2.0], floor=[1.0, 1.0]))
    assert points(svg) == [(0, 0), (1000, 0), (1000, HEIGHT), (0, HEIGHT)]
    assert "fill-opacity" in svg


def test_curves_share_the_axes():
    svg = plot(line([0.0, 1.0], [1, 2]), line([1.0, 10.0], [2, 3]))
    assert points(svg) == [
        *((0, HEIGHT), (500, 0.9 * HEIGHT)),
        *((500, 0.9 * HEIGHT), (1000, 0)),
    ]


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("a\"&'b", "a\"&'b"),
        ("损失", "损失"),
    ],
)
def test_a_title_is_shown_as_text(title, shown):
    assert f"{shown} · 2 not finite" in texts(plot(title=title, alarm="2 not finite"))


def luminance(colour):
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(
        channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
    )
    return linear @ [0.2126, 0.7152, 0.0722]


def test_all_text_is_readable_on_the_plots_own_ground():
    svg = plot(line([1.0, np.nan, 2.0]), alarm="1 not finite")
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    inks = {e.get("fill") for e in root.iter() if e.tag.endswith(("text", "tspan"))}
    inks = {root.get("fill"), *inks} - {None}
    assert (
        re.search(r'<rect width="100%" height="100%"[^>]*fill="(#\w+)"', svg)[1] == BACK
    )
    ground = luminance(BACK)
    assert len(inks) == 3
    assert all((ground + 0.05) / (luminance(ink) + 0.05) >= 4.5 for ink in inks)


def test_a_swatch_has_the_dash_of_its_curve():
    dashed = Look("#0072b2", "dash")
    dash = re.search(r'stroke-dasharray="[^"]+"', swatch_svg(dashed))[0]
    assert dash in plot(line([1, 2], look=dashed))
    assert dash not in plot(line([1, 2]))
