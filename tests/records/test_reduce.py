"""Fewer points show the same curve."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from mswidget.records.reduce import envelope

SERIES = hnp.arrays(
    np.float64,
    st.integers(0, 400),
    elements=st.floats(width=64)
    | st.sampled_from([0.0, -0.0, np.nan, np.inf, -np.inf, 1e308]),
)
BUCKETS = st.integers(1, 40)


def buckets_of(n, buckets):
    edges = np.linspace(0, n, buckets + 1).astype(int)
    return [slice(start, stop) for start, stop in itertools.pairwise(edges)]


@given(SERIES, BUCKETS)
def test_every_bucket_keeps_first_last_least_and_greatest(values, buckets):
    kept = envelope(values, buckets)
    for part in buckets_of(len(values), buckets):
        inside = kept[(kept >= part.start) & (kept < part.stop)]
        finite = values[part][np.isfinite(values[part])]
        if len(finite):
            assert finite.min() in values[inside]
            assert finite.max() in values[inside]
        if part.stop > part.start:
            assert {part.start, part.stop - 1} <= set(inside.tolist())


@given(SERIES, BUCKETS)
def test_every_bucket_keeps_each_kind_that_is_not_finite(values, buckets):
    kept = envelope(values, buckets)
    for part in buckets_of(len(values), buckets):
        inside = values[kept[(kept >= part.start) & (kept < part.stop)]]
        for kind in (np.isnan, np.isposinf, np.isneginf):
            assert kind(values[part]).any() == kind(inside).any()


@given(SERIES, BUCKETS)
def test_the_kept_rows_rise_and_are_few(values, buckets):
    kept = envelope(values, buckets)
    assert (np.diff(kept) > 0).all()
    assert len(kept) <= min(len(values), 7 * buckets)


def test_a_short_series_is_kept_whole():
    assert envelope(np.zeros(40), 10).tolist() == list(range(40))


@pytest.mark.parametrize("at", [0, 1, 499_999, 999_998, 999_999])
@pytest.mark.parametrize("spike", [1e9, -1e9, np.nan, np.inf, -np.inf])
def test_one_spike_in_a_million_stays(at, spike):
    values = np.ones(1_000_000)
    values[at] = spike
    assert at in envelope(values, 100)


@pytest.mark.parametrize("filler", [np.nan, np.inf, -np.inf])
def test_a_series_without_a_finite_value_can_be_made_smaller(filler):
    kept = envelope(np.full(1000, filler), 10)
    assert len(kept) == 20
