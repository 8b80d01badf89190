"""How fast steps come, whatever is logged beside them."""

import math

import pytest

from mswidget.records.history import History
from mswidget.records.record import Record
from mswidget.records.step_rate import steps_per_s


def history_of(*points):
    history = History()
    history.extend(Record(step, time_s, 0, "a1", {"a": 1.0}) for time_s, step in points)
    return history


@pytest.mark.parametrize(
    ("points", "rate"),
    [
        ([(0, 1), (1, 11), (9, 11)], 10),  # an evaluation at the last step
        ([(0, 1), (50, 2), (100, 3)], 1 / 50),  # slower than the time looked at
        ([(0, 1), (90, 2), (95, 12), (100, 22)], 2),
        ([(0, 1), (1, 500), (2, 1), (3, 5)], 4),  # counted anew
        ([(0, 1), (1, 500), (2, 1)], None),
        ([(0, 1)], None),
        ([(5, 1), (5, 2)], None),
        ([], None),
    ],
)
def test_the_rate_is_that_of_the_last_steps(points, rate):
    assert steps_per_s(history_of(*points)) == (rate and pytest.approx(rate))


def test_what_came_before_a_begin_does_not_count():
    history = history_of((0, 1), (1, 2), (500, 3), (501, 13))
    assert math.isclose(steps_per_s(history, 2), 10)
