"""Numbers along an axis."""

import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.drawing.ticks import ticks, written

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("low", "high", "most", "told"),
    [
        (0, 1, 6, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0.55, 2.3, 5, ["1.0", "1.5", "2.0"]),
        (-1, 1, 3, ["-1", "0", "1"]),
        (1e-6, 9e-5, 4, ["2e-5", "4e-5", "6e-5", "8e-5"]),
        (0, 1.5e-4, 4, ["0", "5.0e-5", "1.0e-4", "1.5e-4"]),
        (1170, 1330, 4, ["1,200", "1,250", "1,300"]),
        (1e6, 1e6 + 50, 4, ["1,000,000", "1,000,020", "1,000,040"]),
        (0, 3e9, 4, ["0", "1e9", "2e9", "3e9"]),
        (7, 7, 4, ["7"]),
        (-1.7e308, 1.7e308, 4, ["-1e308", "0", "1e308"]),
        (0, 5e-324, 4, ["0", "5e-324"]),
    ],
)
def test_an_axis_has_round_numbers_in_one_notation(low, high, most, told):
    assert written(ticks(low, high, most)) == told


@pytest.mark.parametrize(
    ("low", "high", "steps"),
    [
        (1, 3, [1, 2, 3]),
        (1, 2, [1, 2]),
        (5, 5, [5]),
        (1, 1000, [200, 400, 600, 800, 1000]),
    ],
)
def test_steps_are_whole(low, high, steps):
    assert ticks(low, high, 6, whole=True) == steps


@given(FINITE, FINITE, st.integers(2, 12))
def test_numbers_of_any_axis_rise_inside_of_it_and_are_told_apart(one, other, most):
    low, high = sorted([one, other])
    numbers = ticks(low, high, most)
    assert 1 <= len(numbers) <= most
    assert numbers == sorted(set(numbers))
    room = 1e-6 * max(high / 2 - low / 2, sys.float_info.min)
    assert low - room <= numbers[0]
    assert numbers[-1] <= high + room
    assert all(map(math.isfinite, numbers))
    if high - low > 1e-6 * max(abs(low), abs(high)):
        assert len(set(written(numbers))) == len(numbers)
