from xml.dom.minidom import parseString

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mswidget.drawing.svg import Scale, curve, svg, text

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, finite, finite)
def test_a_scale_keeps_what_lies_between_its_ends_on_the_picture(a, b, c):
    low, value, high = sorted([a, b, c])
    places = Scale(low, high, 300.0, 20.0)(np.array([low, value, high]))
    assert np.isfinite(places).all()
    assert (places >= 20 - 1e-6).all()
    assert (places <= 300 + 1e-6).all()


def parsed(shapes):
    return parseString(svg(100, 100, shapes)).documentElement.childNodes  # noqa: S318


def drawn(shapes):
    return [shape.tagName for shape in parsed(shapes)]


def test_a_curve_has_a_gap_where_a_value_is_not_finite():
    y = np.array([1.0, 2.0, np.nan, 3.0, np.inf, 4.0, 5.0])
    shapes = drawn(curve(np.arange(7.0), y, "#000"))
    assert shapes == ["polyline", "circle", "polyline"]


def test_a_curve_without_finite_values_is_nothing():
    assert drawn(curve(np.arange(2.0), np.array([np.nan, np.inf]), "#000")) == []


def test_words_are_never_markup():
    (words,) = parsed(text(0, 0, "<b>&amp;</b>"))
    assert words.firstChild.data == "<b>&amp;</b>"
