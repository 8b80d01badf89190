"""A range of a column is what its values are, wherever it begins and ends."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.records.pyramid import Pyramid

VALUES = st.floats(width=32) | st.sampled_from([math.nan, math.inf, -math.inf, 0.0])


@st.composite
def columns(draw):
    """Return a long column of few distinct stretches, and where it grew."""
    parts = draw(st.lists(st.tuples(VALUES, st.integers(1, 300)), max_size=8))
    values = np.concatenate([np.empty(0), *(np.full(n, v) for v, n in parts)])
    for at, value in draw(
        st.lists(st.tuples(st.integers(0, 2400), VALUES), max_size=8)
    ):
        values[at : at + 1] = value
    cuts = draw(st.lists(st.integers(0, 2400), max_size=4))
    return values, sorted({0, len(values), *(c for c in cuts if c < len(values))})


def grown(values, cuts):
    pyramid = Pyramid()
    for cut in cuts:
        pyramid.extend(values[:cut])
    return pyramid


@given(columns(), st.lists(st.tuples(st.integers(0, 2400), st.integers(0, 2400))))
def test_ranges_are_what_their_values_are(column, ranges):
    values, cuts = column
    edges = np.minimum(np.sort(np.array(ranges, int).reshape(-1, 2)), len(values))
    found = grown(values, cuts).reduce(values, edges[:, 0], edges[:, 1])
    for i, (start, stop) in enumerate(edges):
        inside = values[start:stop]
        finite = inside[np.isfinite(inside)]
        assert found.counts[i] == len(finite)
        assert found.nans[i] == np.isnan(inside).sum()
        assert found.above[i] == (inside == np.inf).sum()
        assert found.below[i] == (inside == -np.inf).sum()
        if not len(finite):
            assert np.isnan([found.lows[i], found.highs[i], found.means[i]]).all()
            continue
        assert (found.lows[i], found.highs[i]) == (finite.min(), finite.max())
        assert found.lows[i] <= found.means[i] <= found.highs[i]
        scale = np.abs(finite).max()
        assert found.means[i] == pytest.approx(finite.mean(), abs=1e-12 * scale)


@given(columns(), st.integers(0, 2400), st.booleans())
def test_the_extreme_is_the_first_of_its_value(column, start, highest):
    values, cuts = column
    at = grown(values, cuts).extreme(values, start, highest=highest)
    finite = [v for v in values[start:].tolist() if math.isfinite(v)]
    if not finite:
        assert at == -1
        return
    best = (max if highest else min)(finite)
    assert at == start + values[start:].tolist().index(best)


@given(columns())
def test_what_is_not_finite_is_counted(column):
    values, cuts = column
    found = grown(values, cuts).nonfinite(values).tolist()
    kinds = [np.isnan(values), values == np.inf, values == -np.inf]
    assert found == [kind.sum() for kind in kinds]


def test_values_too_large_to_add_have_a_mean_between_them():
    values = np.full(1000, 1.7e308)
    values[500] = math.nan
    found = grown(values, [1000]).reduce(values, np.array([0]), np.array([1000]))
    assert (found.counts[0], found.nans[0]) == (999, 1)
    assert found.lows[0] == found.means[0] == found.highs[0] == 1.7e308


@pytest.mark.parametrize("values", [np.zeros(200_000), np.full(200_000, math.nan)])
def test_it_takes_a_fifth_of_the_values_at_most(values):
    pyramid = Pyramid()
    for stop in range(0, len(values) + 1, 1000):
        pyramid.extend(values[:stop])
    assert pyramid.nbytes <= values.nbytes / 5
