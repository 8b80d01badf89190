"""Values on the device are read late, in order, and checked."""

import math
import threading

import numpy as np
import pytest

from mswidget.run.pending import AGE_S, CHECKED_ROWS, RING, Pending, Row


class Reading:
    """A device tensor whose successive reads give ``values``; the last one stays."""

    def __init__(self, *values):
        self.values = values
        self.reads = 0

    def asnumpy(self):
        value = self.values[min(self.reads, len(self.values) - 1)]
        self.reads += 1
        if isinstance(value, BaseException):
            raise value
        return np.float64(value)


def row_of(value, step=1, wall_time_s=0.0):
    return Row(step, None, wall_time_s, {"loss": value})


def filled(pending, count, **times):
    rows = [row_of(Reading(step), step, **times) for step in range(count)]
    for row in rows:
        pending.add(row)
    return rows


@pytest.fixture
def notices():
    return []


@pytest.fixture
def pending(notices):
    return Pending(deferred=True, on_difference=notices.append)


def test_numbers_do_not_wait():
    row = row_of(3)
    assert row.ready
    assert row.values == {"loss": 3.0}


def test_what_is_no_number_is_named_so_beside_a_tensor():
    row = Row(1, None, 0.0, {"loss": Reading(1), "note": "text", "rest": None})
    row.read()
    assert row.values["loss"] == 1.0
    assert [str(row.values[name]) for name in ("note", "rest")] == [
        "text 'text'",
        "None",
    ]


def test_a_tensor_is_not_read_in_the_step_that_logs_it(pending):
    readings = [Reading(step) for step in range(3 * RING)]
    for step, reading in enumerate(readings):
        pending.add(row_of(reading, step))
        assert reading.reads == (step < CHECKED_ROWS)


def test_no_more_than_the_ring_waits(pending):
    rows = filled(pending, 5 * RING)
    assert sum(not row.ready for row in rows) <= RING


def test_a_row_waits_only_so_long(pending):
    rows = filled(pending, 3)
    pending.add(row_of(Reading(1.0), 4, wall_time_s=AGE_S))
    assert all(row.ready for row in rows)


def test_each_tensor_is_read_once_after_the_first_few(pending):
    rows = filled(pending, 10)
    readings = [row.values["loss"] for row in rows]
    pending.read()
    assert [r.reads for r in readings] == [2] * CHECKED_ROWS + [1] * 7
    assert [row.values["loss"] for row in rows] == list(range(10))


def test_only_old_rows_are_read_when_asked(pending):
    old = row_of(Reading(1.0), wall_time_s=1.0)
    new = row_of(Reading(2.0), wall_time_s=1.05)
    pending.add(old)
    pending.add(new)
    pending.read(before_s=1.05)
    assert (old.ready, new.ready) == (True, False)


def test_a_value_that_changes_is_told_and_kept_as_it_was(pending, notices):
    row = row_of(Reading(1.0, 9.0))
    pending.add(row)
    pending.read()
    assert row.values["loss"] == 1.0
    assert len(notices) == 1
    assert "1.0 when read at once and 9.0 a step later" in notices[0]


def test_every_checked_value_that_changed_is_kept_as_it_was(pending, notices):
    rows = [row_of(Reading(float(i), 9.0)) for i in range(3)]
    for row in rows:
        pending.add(row)
    pending.read()
    assert [row.values["loss"] for row in rows] == [0.0, 1.0, 2.0]
    assert len(notices) == 1


def test_after_a_change_values_are_read_at_once(pending, notices):
    filled(pending, 2, wall_time_s=0.0)
    pending.add(row_of(Reading(1.0, 9.0), wall_time_s=0.0))
    last = row_of(Reading(5.0), wall_time_s=AGE_S)
    pending.add(last)
    later = row_of(Reading(6.0), wall_time_s=AGE_S)
    pending.add(later)
    assert (last.ready, later.ready, len(notices)) == (True, True, 1)


def test_nan_that_stays_nan_is_no_change(pending, notices):
    for value in (math.nan, math.inf, RuntimeError("gone")):
        pending.add(row_of(Reading(value)))
    pending.read()
    assert notices == []


def test_read_now_waits_for_nothing():
    row = row_of(Reading(1.0))
    Pending(deferred=False, on_difference=pytest.fail).add(row)
    assert row.ready


def test_an_interrupt_while_reading_loses_no_row(pending):
    filled(pending, CHECKED_ROWS)
    pending.read()
    row = row_of(Reading(KeyboardInterrupt(), 2.0))
    pending.add(row)
    with pytest.raises(KeyboardInterrupt):
        pending.read()
    pending.read()
    assert row.values["loss"] == 2.0


def test_two_threads_read_every_row(pending, notices):
    done = threading.Event()

    def straggle():
        while not done.is_set():
            pending.read()

    worker = threading.Thread(target=straggle)
    worker.start()
    rows = filled(pending, 5000)
    done.set()
    worker.join()
    pending.read()
    assert [row.values["loss"] for row in rows] == list(range(5000))
    assert notices == []
