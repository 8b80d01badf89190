"""The band holds what all ranks say, and names who stands out."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.records.band import STATS, Band
from mswidget.records.history import History
from mswidget.records.record import Record

VALUE = st.floats(-1e6, 1e6)
EXPECTED = {"min": min, "max": max, "median": statistics.median}


def rank_of(values, *, first=1, attempt="a1", name="loss"):
    history = History()
    add(history, values, first=first, attempt=attempt, name=name)
    return history


def add(history, values, *, first, attempt="a1", name="loss"):
    history.extend(
        Record(step, step + 0.5, 0, attempt, {name: value}, epoch=1)
        for step, value in enumerate(values, first)
        if value is not None
    )


def found(band, name="loss"):
    tables = {}
    for stat, history in band.histories.items():
        rows = history.rows()
        at, values = rows.metrics.get(name, ([], []))
        tables[stat] = dict(zip(rows.steps[at].tolist(), values, strict=True))
    return tables


@given(st.lists(st.lists(VALUE | st.none(), max_size=12), min_size=1, max_size=5))
def test_each_step_has_the_statistics_of_the_ranks_that_have_it(ranks):
    band = Band()
    band.extend({i: rank_of(values) for i, values in enumerate(ranks)}, [])
    for step in range(1, 13):
        values = [v[step - 1] for v in ranks if v[step - 1 : step] not in ([], [None])]
        for stat, expected in (
            ("min", min),
            ("max", max),
            ("median", statistics.median),
        ):
            value = found(band)[stat].get(step)
            assert value == (pytest.approx(expected(values)) if values else None)


@given(
    st.lists(st.lists(VALUE, min_size=8, max_size=8), min_size=2, max_size=4),
    st.lists(st.integers(0, 3), max_size=20),
)
def test_however_ranks_grow_the_band_ends_the_same(ranks, turns):
    whole, grown = Band(), Band()
    whole.extend({i: rank_of(values) for i, values in enumerate(ranks)}, [])
    growing = {i: History() for i in range(len(ranks))}
    for turn in turns:
        rank = turn % len(ranks)
        length = len(growing[rank])
        add(growing[rank], ranks[rank][length : length + 2], first=length + 1)
        grown.extend(growing, growing)
    for rank, history in growing.items():
        add(history, ranks[rank][len(history) :], first=len(history) + 1)
    grown.extend(growing, [])
    assert found(grown) == found(whole)


def test_what_a_layer_does_is_left_to_its_rank():
    band = Band()
    band.extend({r: rank_of([1.0], name="grad_norm/a") for r in (0, 1)}, [])
    assert found(band, "grad_norm/a")["max"] == {}


def test_a_step_waits_for_the_slowest_rank_that_goes_on():
    band = Band()
    ranks = {
        0: rank_of([1.0, 2.0, 3.0, 4.0]),
        1: rank_of([1.0, 2.0, 3.0]),
        2: rank_of([5.0]),
    }
    band.extend(ranks, waiting_for=[0, 1])
    assert list(found(band)["max"].items()) == [(1, 5.0), (2, 2.0)]


def test_an_evaluation_at_the_last_step_is_not_missed():
    band, rank = Band(), rank_of([1.0, 2.0])
    band.extend({0: rank}, [0])
    add(rank, [0.9], first=2, name="eval/acc")
    add(rank, [3.0], first=3)
    band.extend({0: rank}, [0])
    assert found(band, "eval/acc")["mean"] == {2: 0.9}


def test_nan_of_a_rank_is_counted_and_the_rank_is_named():
    band = Band()
    band.extend({0: rank_of([1.0]), 1: rank_of([math.nan]), 2: rank_of([3.0])}, [])
    assert [found(band)[stat][1] for stat in STATS] == [1.0, 2.0, 2.0, 3.0]
    assert band.nonfinite == {"loss": 1}
    assert band.farthest == {"loss": 1}


def test_where_no_rank_is_finite_nan_stands():
    band = Band()
    band.extend({0: rank_of([math.nan]), 1: rank_of([math.inf])}, [])
    assert np.isnan([found(band)[stat][1] for stat in STATS]).all()


def test_the_farthest_rank_is_that_of_the_last_step():
    band = Band()
    ranks = {0: rank_of([1, 1]), 7: rank_of([9, 1]), 3: rank_of([1, -5])}
    band.extend(ranks, [])
    assert band.farthest == {"loss": 3}


def test_of_two_ranks_nobody_can_say_which_is_far():
    band = Band()
    band.extend({0: rank_of([1.0]), 1: rank_of([9.0])}, [])
    assert band.farthest == {}
    band.extend({0: rank_of([1.0, 1.0]), 1: rank_of([9.0, math.nan])}, [])
    assert band.farthest == {"loss": 1}


def test_ranks_that_are_alike_have_no_farthest():
    band = Band()
    band.extend({0: rank_of([1.0]), 1: rank_of([1.0])}, [])
    assert band.farthest == {}


def test_steps_of_a_new_attempt_come_again():
    band = Band()
    ranks = {r: rank_of([1.0, 2.0, 3.0]) for r in (0, 1)}
    band.extend(ranks, [])
    for rank in ranks.values():
        add(rank, [8.0, 9.0], first=2, attempt="a2")
    band.extend(ranks, [])
    assert band.histories["max"].rows().steps.tolist() == [1, 2, 3, 2, 3]
    assert found(band)["max"] == {1: 1.0, 2: 8.0, 3: 9.0}


@pytest.mark.parametrize("waited", [True, False])
def test_ranks_that_begin_an_attempt_one_after_the_other_meet_in_it(waited):
    band = Band()
    ranks = {r: rank_of([1.0, 2.0, 3.0, 4.0]) for r in (0, 1)}
    band.extend(ranks, [])
    for rank, values in ((0, [8.0, 8.0, 8.0]), (1, [9.0, 9.0, 9.0])):
        add(ranks[rank], values, first=3, attempt="a2")
        band.extend(ranks, [0, 1] if waited else [0])
    band.extend(ranks, [])
    steps = band.histories["max"].rows().steps.tolist()
    assert steps == [1, 2, 3, 4, 3, 4, 5]
    expected = {3: 9.0, 4: 9.0} if waited else {3: 8.0, 4: 8.0}
    assert found(band)["max"] == {1: 1.0, 2: 2.0, **expected, 5: 9.0}


def test_what_an_attempt_did_before_is_not_mixed_with_the_next_one():
    band = Band()
    ranks = {r: rank_of([1.0, 2.0, 3.0]) for r in (0, 1)}
    add(ranks[0], [8.0, 9.0], first=2, attempt="a2")
    band.extend(ranks, [])
    assert found(band)["min"] == {1: 1.0, 2: 8.0, 3: 9.0}


def test_times_are_those_of_the_slowest_rank():
    late = History()
    late.extend([Record(1, 99.0, 0, "a1", {"loss": 1.0}, 2)])
    band = Band()
    band.extend({0: rank_of([1.0]), 1: late}, [])
    rows = band.histories["mean"].rows()
    assert (rows.wall_times_s.tolist(), rows.epochs.tolist()) == ([99.0], [2.0])
