import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.records.step_pace import StepPace


def pace(*gaps_s):
    found = StepPace()
    time_s = 1000.0
    found.ended(time_s)
    for gap_s in gaps_s:
        time_s += gap_s
        found.ended(time_s)
    return found


def test_one_slow_step_is_not_the_usual():
    assert pace(2.0, 2.0, 60.0, 2.0).usual_s == 2.0


def test_steps_that_grow_slower_are_the_usual_in_the_end():
    assert pace(*[1.0] * 40, *[9.0] * 40).usual_s == 9.0


@pytest.mark.parametrize("count", range(3))
def test_of_a_few_steps_nobody_knows(count):
    assert pace(*[1.0] * count).usual_s is None


def test_before_the_first_step_there_is_nothing():
    assert (StepPace().last_s, StepPace().usual_s) == (None, None)


@given(st.lists(st.integers(0, 2**20), min_size=3, max_size=30))
def test_the_usual_lies_between_the_shortest_and_the_longest(gaps_s):
    usual_s = pace(*gaps_s).usual_s
    assert min(gaps_s) <= usual_s <= max(gaps_s)
