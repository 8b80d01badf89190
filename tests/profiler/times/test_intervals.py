"""Interval sets against sets of single moments."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mswidget.profiler.times.intervals import intersect, subtract, total, union

PAIRS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=8)


def merged(pairs):
    return union([a for a, _ in pairs], [b for _, b in pairs])


def moments(intervals):
    return {moment for start, end in intervals for moment in range(start, end)}


@given(PAIRS)
def test_a_union_covers_the_same_moments_once(pairs):
    merged_pairs = merged(pairs)
    assert moments(merged_pairs) == moments(pairs)
    assert total(merged_pairs) == len(moments(pairs))
    assert (merged_pairs[1:, 0] > merged_pairs[:-1, 1]).all()


@given(PAIRS, PAIRS)
def test_intersection_and_difference_are_those_of_the_moments(left, right):
    a, b = merged(left), merged(right)
    assert moments(intersect(a, b)) == moments(left) & moments(right)
    assert moments(subtract(a, b)) == moments(left) - moments(right)
    assert total(subtract(a, b)) + total(intersect(a, b)) == total(a)


def test_times_of_today_do_not_lose_a_nanosecond():
    now = 1736408883704643212
    assert total(union([now, now + 5], [now + 3, now + 6])) == 4
    assert union([now], [now + 1]).dtype == np.int64
