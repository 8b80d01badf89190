"""The history holds every value, however it came in."""

import itertools
import math
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.records.history import History
from mswidget.records.record import Record
from tests.page import history_of

RECORDS = st.lists(
    st.builds(
        Record,
        step=st.integers(0, 2**53),
        wall_time_s=st.floats(0, 4e9),
        rank=st.just(0),
        attempt=st.sampled_from(["a1", "a2"]),
        values=st.dictionaries(st.sampled_from(["loss", "lr", "损失"]), st.floats()),
        epoch=st.none() | st.integers(0, 100),
    ),
    max_size=200,
)


def attempts(rows):
    return [rows.attempt_names[attempt] for attempt in rows.attempts]


def same(first, second):
    assert (first.start, first.stop) == (second.start, second.stop)
    assert attempts(first) == attempts(second)
    for name in ("steps", "epochs", "wall_times_s"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    assert first.metrics.keys() == second.metrics.keys()
    for name, (at, values) in first.metrics.items():
        np.testing.assert_array_equal(at, second.metrics[name][0])
        np.testing.assert_array_equal(values, second.metrics[name][1])


@given(RECORDS, st.lists(st.integers(0, 200)))
def test_batches_of_any_size_give_the_same_rows(records, cuts):
    whole, pieces = History(), History()
    whole.extend(records)
    edges = [0, *sorted(cuts), len(records)]
    for start, stop in itertools.pairwise(edges):
        pieces.extend(records[start:stop])
    same(whole.rows(), pieces.rows())
    assert whole.names == pieces.names


@given(RECORDS, st.integers(-5, 210), st.none() | st.integers(-5, 210))
def test_a_window_holds_exactly_its_rows(records, start, stop):
    history = History()
    history.extend(records)
    rows = history.rows(start, stop)
    end = len(records) if stop is None else max(stop, 0)
    inside = list(enumerate(records))[max(start, 0) : end]
    assert rows.steps.tolist() == [record.step for _, record in inside]
    for name, (at, values) in rows.metrics.items():
        held = [(i, r.values[name]) for i, r in inside if name in r.values]
        assert at.tolist() == [i for i, _ in held]
        np.testing.assert_array_equal(values, [value for _, value in held])


@given(RECORDS, RECORDS, st.integers(0, 200))
def test_rows_of_one_history_go_on_in_another(first, second, start):
    whole, source, joined = History(), History(), History()
    source.extend(second)
    whole.extend([*first, *second[start:]])
    joined.extend(first)
    joined.append(source.rows(start))
    same(whole.rows(), joined.rows())
    assert whole.records(0) == joined.records(0) or "nan" in repr(whole.records(0))


def test_nan_is_a_value_and_a_missing_metric_is_not():
    history = history_of({"loss": [1.0, math.nan], "eval/acc": [None, 0.5]})
    rows = history.rows()
    assert rows.metrics["loss"][0].tolist() == [0, 1]
    assert rows.metrics["eval/acc"][0].tolist() == [1]


def test_the_newest_value_is_known():
    history = history_of({"loss": [1.0, math.inf], "lr": [0.1, None]})
    assert [history.last(n) for n in ("loss", "lr", "none")] == [math.inf, 0.1, None]


def test_rows_once_taken_stay_as_they_were():
    history = history_of({"loss": [1.0, 2.0]})
    rows = history.rows()
    history.extend(history_records(5000))
    assert rows.steps.tolist() == [1.0, 2.0]
    assert rows.metrics["loss"][1].tolist() == [1.0, 2.0]


def test_a_reader_cannot_change_the_history():
    rows = history_of({"loss": [1.0]}).rows()
    with pytest.raises(ValueError, match="read-only"):
        rows.metrics["loss"][1][0] = 2.0


def test_a_second_thread_reads_whole_rows_while_the_history_grows():
    history, done = History(), threading.Event()

    def grow():
        for batch in range(300):
            history.extend(history_records(20, name=f"loss/{batch}"))
        done.set()

    thread = threading.Thread(target=grow)
    thread.start()
    while not done.is_set():
        rows = history.rows()
        at, values = rows.metrics.get("loss", (rows.steps, rows.steps))
        assert len(rows.steps) == len(at) == len(values) == rows.stop
    thread.join()


def history_records(count, name="lr"):
    return [
        Record(row, 0.0, 0, "a1", {"loss": float(row), name: 0.0})
        for row in range(count)
    ]


def test_rows_have_only_the_metrics_that_are_asked_for():
    history = history_of({"loss": [1.0, 2.0], "lr": [3.0, 4.0]})
    assert list(history.rows(names=["lr", "unknown"]).metrics) == ["lr"]
    assert history.rows(1, names=()).steps.tolist() == [2]


@given(RECORDS, RECORDS, st.integers(-250, 210), st.none() | st.integers(-250, 210))
def test_earlier_rows_stand_before_the_first(earlier, records, start, stop):
    whole, before, history = History(), History(), History()
    whole.extend([*earlier, *records])
    before.extend(earlier)
    history.extend(records)
    history.put_before(before)
    first = history.first
    assert (first, len(history)) == (-len(earlier), len(records))
    assert {*history.names} == {*whole.names}
    from_first = max(start, first)
    until = None if stop is None else max(stop, from_first) - first
    expected, rows = whole.rows(from_first - first, until), history.rows(start, stop)
    np.testing.assert_array_equal(rows.steps, expected.steps)
    assert attempts(rows) == attempts(expected)
    for name, (at, values) in expected.metrics.items():
        held_at, held = rows.metrics.get(name, (at[:0], values[:0]))
        np.testing.assert_array_equal(held_at - first, at)
        np.testing.assert_array_equal(held, values)


def test_what_asks_for_the_values_gets_those_of_this_attempt():
    history = history_of({"loss": [1.0, 2.0]})
    history.put_before(history_of({"loss": [9.0, 8.0, 7.0], "old": [5.0, 4.0, 3.0]}))
    assert history.values("loss").tolist() == [1.0, 2.0]
    assert (history.last("loss"), history.last("old")) == (2.0, None)
    assert history.step_and_time_s(0)[0] == 1
    assert history.rows().steps.tolist() == [1, 2]


@given(RECORDS, st.integers(0, 210), st.lists(st.integers(0, 210)))
def test_the_values_of_a_metric_stand_in_their_rows(records, stop, rows):
    history = History()
    history.extend(records)
    at, values = history.rows(0, stop).metrics.get("loss", ([], []))
    series = history.series("loss", stop)
    np.testing.assert_array_equal(series.values, values)
    np.testing.assert_array_equal(series.rows(np.arange(len(values))), at)
    before = series.before(np.array(rows, np.int64))
    assert before.tolist() == [sum(held < row for held in at) for row in rows]


def test_a_joined_history_has_more_metrics_and_the_first_does_not():
    history = history_of({"loss": [1.0, 2.0, 3.0]})
    joined = history.joined({"apart": (np.array([0, 2]), np.array([0.5, 0.25]))})
    rows, values = joined.rows().metrics["apart"]
    assert (rows.tolist(), values.tolist()) == ([0, 2], [0.5, 0.25])
    assert joined.values("loss").tolist() == [1, 2, 3]
    assert history.names == ["loss"]
