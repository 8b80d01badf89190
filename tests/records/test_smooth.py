"""The average at a place is that of all values before it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.records.smooth import Smooth
from tests.records.test_pyramid import columns


def brute(values, weight, begins):
    """Return the average at each place, one after the other."""
    total = mass = 0.0
    found = []
    for i, value in enumerate(values.tolist()):
        if i in begins:
            total = mass = 0.0
        if math.isfinite(value):
            total = weight * total + (1 - weight) * value
            mass = weight * mass + (1 - weight)
        found.append(total / mass if mass else math.nan)
    return np.array(found)


def averages(values, weight, begins, cuts, places):
    smooth = Smooth(weight)
    for cut in cuts:
        smooth.extend(values[:cut], [begin for begin in begins if begin < cut])
    return smooth.at(values, places, begins)


@given(
    columns(),
    st.sampled_from([0.0, 0.3, 0.6, 0.9, 0.99, 0.9999]),
    st.lists(st.integers(0, 2400), max_size=4),
)
def test_it_is_the_average_so_far(column, weight, begins):
    values, cuts = column
    lines = sorted(set(begins))
    found = averages(values, weight, lines, cuts, np.arange(len(values)))
    expected = brute(values, weight, set(lines))
    scale = np.abs(values[np.isfinite(values)]).max(initial=0)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11 * scale)


@pytest.mark.parametrize("value", [0.1, 3e-4, -7.3, 1e300, 0.0])
@pytest.mark.parametrize("weight", [0.3, 0.6, 0.9, 0.99])
def test_what_is_constant_stays_constant(value, weight):
    values = np.full(5000, value)
    values[2000:] = value / 3  # also after a long time at another value
    found = averages(values, weight, [0], [5000], np.arange(5000))
    assert (found[:2000] == value).all()
    assert (found[4990:] == value / 3).all() or weight > 0.98


def test_it_is_small():
    smooth = Smooth(0.9)
    values = np.ones(100_000)
    smooth.extend(values, [0])
    assert smooth.nbytes <= values.nbytes / 20
