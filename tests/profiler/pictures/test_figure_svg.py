"""What one sees of a picture where nothing draws Plotly."""

import base64
import re
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest

from mswidget import load_profile
from mswidget.profiler.pictures.figure_svg import picture_svg
from mswidget.profiler.pictures.memory_curve import memory_curve
from mswidget.profiler.pictures.step_breakdown import step_breakdown
from mswidget.profiler.pictures.top_ops import top_ops
from tests.profiler.samples import CPU, MINDSPORE, TORCH_LEVEL_1

SVG = "{http://www.w3.org/2000/svg}"
PICTURES = ("steps", "ops", "memory", "timeline")


def drawn(figure):
    return ET.fromstring(picture_svg(figure))  # noqa: S314 - our own


def words(figure):
    return [text.text for text in drawn(figure).iter(f"{SVG}text")]


def bars(figure):
    """Return the bars' rectangles: those of the legend are squares of 10."""
    sizes = ("x", "y", "width", "height")
    boxes = [[float(r.get(s)) for s in sizes] for r in drawn(figure).iter(f"{SVG}rect")]
    return [box for box in boxes if box[2:] != [10, 10]]


@pytest.mark.parametrize("path", [CPU, MINDSPORE, TORCH_LEVEL_1])
@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_has_a_still_one_with_its_title(path, name):
    figure = getattr(load_profile(path).figures, name)()
    assert figure.layout.title.text in words(figure)


def test_bars_of_a_step_stand_on_each_other_and_are_as_high_as_the_step():
    times = load_profile(MINDSPORE).step_times
    boxes = pd.DataFrame(bars(step_breakdown(times)), columns=["x", "y", "w", "h"])
    heights = boxes.groupby("x")["h"].sum()
    share = times["step_us"] / times["step_us"].max()
    np.testing.assert_allclose(heights / heights.max(), share, atol=0.01)


def test_operators_have_their_names_beside_bars_of_their_length():
    figure = load_profile(MINDSPORE).figures.ops(5)
    lengths = [box[2] for box in bars(figure)]
    assert len(lengths) == 5
    assert {*figure.layout.yaxis.ticktext} <= {*words(figure)}


def test_markup_and_any_script_in_a_name_are_text():
    columns = {"type": ["算子 <script>"], "accelerator_core": ["AI<b>"]}
    figure = top_ops(
        pd.DataFrame(columns | {"rank": [0], "total_us": [2.0], "count": [1]})
    )
    assert {"算子 <script>", "AI<b>"} <= {*words(figure)}


def test_a_picture_that_cannot_be_drawn_says_why():
    assert "the profile has no memory_record" in words(memory_curve(pd.DataFrame()))


def test_bars_that_cover_each_other_are_drawn_once():
    figure = load_profile(TORCH_LEVEL_1).figures.timeline()
    assert 100 < len(bars(figure)) < sum(len(trace.x) for trace in figure.data)


def test_a_figure_can_be_seen_without_plotly_and_without_a_network():
    bundle = load_profile(MINDSPORE).figures.steps()._repr_mimebundle_()
    image = re.search(r'src="data:image/svg\+xml;base64,(.+)"', bundle["text/html"])
    assert "Time of each step" in base64.b64decode(image[1]).decode()
    assert "http" not in bundle["text/html"]
    assert bundle["text/plain"] == "Time of each step"
