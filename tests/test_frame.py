"""Records as a table of pandas."""

import math

import numpy as np
import pandas as pd

from mswidget.store.frame import to_pandas
from mswidget.store.history import History
from mswidget.store.record import Record


def frame_of(*records):
    history = History()
    history.extend(records)
    attempts = [record.attempt for record in records]
    return to_pandas(history.rows(), rank=3, attempts=attempts)


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
