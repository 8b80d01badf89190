"""Records as a table of pandas."""

import math

import numpy as np
import pandas as pd
import pytest

from mswidget.records.frame import to_pandas
from mswidget.records.history import History
from mswidget.records.record import Record


def frame_of(*records):
    history = History()
    history.extend(records)
    return to_pandas({3: history.rows()})


def record(step, epoch=None, **values):
    return Record(step, 1764492000.123456 + step, 3, "a1", values, epoch)


def test_a_table_has_one_row_a_step():
    frame = frame_of(record(1, loss=2.0), record(5, loss=1.0))
    assert frame.index.name == "step"
    assert frame.index.tolist() == [1, 5]
    assert frame["loss"].tolist() == [2.0, 1.0]
    assert frame["rank"].tolist() == [3, 3]


def test_columns_have_types_one_can_compute_with():
    frame = frame_of(record(1, epoch=1, loss=2.0), record(2, loss=1.0))
    types = {name: str(column.dtype) for name, column in frame.items()}
    assert types == {
        "epoch": "Int64",
        "wall_time": "datetime64[us, UTC]",
        "rank": "int64",
        "attempt": "category",
        "loss": "float64",
    }
    assert frame["epoch"].tolist() == [1, pd.NA]


def test_times_are_exact_to_the_microsecond():
    frame = frame_of(record(0, loss=1.0))
    assert frame["wall_time"][0] == pd.Timestamp("2025-11-30T08:40:00.123456Z")


def test_a_step_without_a_metric_is_nan_and_infinity_is_kept():
    frame = frame_of(record(1, loss=math.inf), record(2, acc=0.5))
    np.testing.assert_array_equal(frame["loss"], [math.inf, math.nan])
    np.testing.assert_array_equal(frame["acc"], [math.nan, 0.5])


def test_a_metric_named_as_a_column_of_ours_stands_beside_it():
    names = ["step", "epoch", "wall_time", "rank", "attempt"]
    frame = frame_of(Record(1, 0.0, 3, "a1", dict.fromkeys(names, 9.0), epoch=2))
    assert frame.reset_index()["step"].tolist() == [1]
    assert frame["epoch"].tolist() == [2]
    assert [frame[f"metrics/{name}"][1] for name in names] == [9.0] * 5


def test_a_run_that_logged_nothing_is_an_empty_table():
    frame = frame_of()
    assert (len(frame), frame.index.name) == (0, "step")


AGAIN = [
    Record(step, step + attempt, 3, f"a{attempt}", {"loss": step / attempt})
    for attempt, steps in ((1, (1, 2, 3, 4)), (2, (3, 4)), (3, (4, 5)))
    for step in steps
]


def rows_of(*records):
    history = History()
    history.extend(records)
    return history.rows()


def test_the_latest_attempt_wins_where_steps_were_trained_again():
    frame = to_pandas({3: rows_of(*AGAIN)}, attempts="latest")
    assert frame.index.tolist() == [1, 2, 3, 4, 5]
    assert frame["attempt"].tolist() == ["a1", "a1", "a2", "a3", "a3"]
    assert len(to_pandas({3: rows_of(*AGAIN)})) == len(AGAIN)


def test_it_says_which_steps_the_latest_attempt_has_not_reached(caplog):
    logged = [
        Record(step, step, 3, attempt, {"loss": 1.0})
        for attempt, steps in (("a1", range(1, 21)), ("a2", range(11, 16)))
        for step in steps
    ]
    frame = to_pandas({3: rows_of(*logged)}, attempts="latest")
    assert frame.index.tolist() == [*range(1, 16)]
    assert "5 steps of 16 to 20 are left out that only a1 logged" in caplog.text


def test_it_says_nothing_where_every_step_counts(caplog):
    to_pandas({3: rows_of(*AGAIN)}, attempts="latest")
    to_pandas({3: rows_of(*AGAIN)})
    assert not caplog.text


def test_a_long_table_has_a_row_for_each_value_that_was_logged():
    rows = rows_of(record(1, epoch=1, loss=math.nan, lr=0.1), record(2, acc=0.5))
    frame = to_pandas({3: rows}, wide=False)
    assert list(frame)[:5] == ["step", "epoch", "wall_time", "rank", "attempt"]
    found = zip(frame["step"], frame["metric"], frame["value"].map(str), strict=True)
    assert list(found) == [(1, "loss", "nan"), (1, "lr", "0.1"), (2, "acc", "0.5")]


def test_a_long_table_knows_attempts_too():
    frame = to_pandas({3: rows_of(*AGAIN)}, attempts="latest", wide=False)
    assert frame["value"].tolist() == [1.0, 2.0, 1.5, 4 / 3, 5 / 3]


def test_ranks_stand_below_each_other_with_all_their_metrics():
    ranks = {0: rows_of(record(1, loss=2.0)), 1: rows_of(record(1, acc=1.0))}
    frame = to_pandas(ranks)
    assert frame["rank"].tolist() == [0, 1]
    np.testing.assert_array_equal(frame["acc"], [math.nan, 1.0])
    assert to_pandas(ranks, wide=False)["rank"].tolist() == [0, 1]


@pytest.mark.parametrize("wide", [True, False])
def test_metrics_are_chosen_by_name_or_pattern(wide):
    rows = rows_of(Record(1, 1.0, 3, "a1", {"loss/a": 1, "loss/b[0]": 2, "lr": 3}))
    for wanted, found in (
        (["loss/*"], ["loss/a", "loss/b[0]"]),
        (["loss/b[0]", "lr"], ["loss/b[0]", "lr"]),
        ("lr", ["lr"]),
    ):
        frame = to_pandas({3: rows}, metrics=wanted, wide=wide)
        assert (list(frame)[4:] if wide else frame["metric"].tolist()) == found


def test_what_is_not_there_is_named_beside_what_is():
    with pytest.raises(ValueError, match=r"'los': not logged.*logged are 'loss'"):
        to_pandas({3: rows_of(record(1, loss=1.0))}, metrics=["los"])
    with pytest.raises(ValueError, match=r"'all' or 'latest'; found 'last'"):
        to_pandas({3: rows_of(record(1, loss=1.0))}, attempts="last")
