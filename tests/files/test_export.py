"""Runs as files for other programs: what is read back is what was logged."""

import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget import load_run, start_run
from mswidget.files.export import export, replacing, table
from mswidget.records.frame import to_pandas
from tests.page import history_of

NAMES = [
    *("loss/ce", "a.b[0]", "A.B[0]", 'say "hi", now', "two\nlines", "损失", "😀", " "),
    *("step", "rank", "metrics/step", "=1+1", "x" * 300, "<b>", "", "\ud800"),
]
VALUES = st.none() | st.floats(width=64)
TABLES = st.dictionaries(
    st.sampled_from(NAMES) | st.text(max_size=9), st.lists(VALUES, max_size=9)
)


def written(columns, path):
    rows = history_of(columns).rows()
    return rows, export(path, lambda: {0: rows}, lambda: "a page")


def logged(columns):
    """Return each column's values; None where there was none."""
    count = max(map(len, columns.values()), default=0)
    columns = {n: [*c, *[None] * (count - len(c))] for n, c in columns.items()}
    return {n: c for n, c in columns.items() if any(v is not None for v in c)}


def same(found, expected):
    return list(map(repr, found)) == list(map(repr, expected))


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@given(columns=TABLES)
def test_every_value_under_every_name_comes_back(tmp_path_factory, kind, columns):
    columns["loss"] = [0.5, math.nan, -math.inf]
    path = tmp_path_factory.getbasetemp() / f"run.{kind}"
    written(columns, path)
    found = pl.read_parquet(path) if kind == "parquet" else read_csv(path)
    expected = logged(columns)
    assert len(found.columns) == 5 + len(expected)
    for values in expected.values():
        assert any(same(found[name].to_list(), values) for name in found.columns)


def read_csv(path):
    frame = pl.read_csv(path, infer_schema=False)
    return frame.with_columns(pl.col(frame.columns[5:]).cast(pl.Float64))


def test_what_was_not_logged_is_empty_and_nan_is_a_value(tmp_path):
    _, path = written(
        {"loss": [1.0, math.nan, math.inf], "lr": [None, 0.1]}, path=tmp_path / "r.csv"
    )
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "step,epoch,wall_time,rank,attempt,loss,lr"
    assert [line.split(",")[5:] for line in lines[1:]] == [
        ["1.0", ""],
        ["NaN", "0.1"],
        ["inf", ""],
    ]


@pytest.mark.parametrize("name", NAMES[:-1])
def test_a_column_is_called_as_the_metric_is(name):
    columns = table({0: history_of({name: [1.0]}).rows()}).columns
    clashing = name in ("step", "rank")
    assert columns[5:] == [f"metrics/{name}" if clashing else name]


@pytest.mark.parametrize("name", NAMES)
def test_pandas_has_each_name_as_it_is(name):
    columns = {name: [1.0], f"{name}!": [2.0], "Loss": [3.0], "loss": [4.0]}
    frame = to_pandas({0: history_of(columns).rows()})
    clashing = name in ("step", "rank")
    assert frame[f"metrics/{name}" if clashing else name].to_list() == [1.0]
    assert frame[["Loss", "loss"]].to_numpy().tolist() == [[3.0, 4.0]]


def test_a_csv_read_by_pandas_is_what_to_pandas_gives(tmp_path):
    rows, path = written(
        {"loss": [1 / 3, math.nan], "步": [None, -1e-310]}, tmp_path / "r.csv"
    )
    read = pd.read_csv(
        path, index_col="step", parse_dates=["wall_time"], dtype={"epoch": "Int64"}
    )
    frame = to_pandas({0: rows})
    for name in ("loss", "步"):
        np.testing.assert_array_equal(read[name], frame[name])
    assert (read["wall_time"] == frame["wall_time"]).all()


def test_parquet_keeps_the_types(tmp_path):
    _, path = written({"loss": [1.0]}, tmp_path / "r.parquet")
    assert pl.read_parquet_schema(path) == {
        "step": pl.Int64,
        "epoch": pl.Int64,
        "wall_time": pl.Datetime("us", "UTC"),
        "rank": pl.Int64,
        "attempt": pl.String,
        "loss": pl.Float64,
    }


def test_ranks_follow_each_other_with_the_columns_of_all():
    one, two = history_of({"loss": [1.0]}), history_of({"lr": [2.0]})
    found = table({0: one.rows(), 3: two.rows()})
    assert found["rank"].to_list() == [0, 3]
    assert found["loss"].to_list() == [1.0, None]
    assert found["lr"].to_list() == [None, 2.0]


@pytest.mark.parametrize("name", ["run.xlsx", "run", ".csv"])
def test_another_kind_of_file_is_refused_with_those_that_are_known(tmp_path, name):
    with pytest.raises(ValueError, match=r"\.csv, \.parquet, \.html"):
        written({"loss": [1.0]}, tmp_path / name)


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no-such/run\.csv"):
        written({"loss": [1.0]}, tmp_path / "no-such" / "run.csv")


def test_a_file_that_cannot_be_finished_leaves_the_old_one(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(LookupError), replacing(path) as fresh:
        fresh.write_text("ne", encoding="no-such")
    assert [p.read_text(encoding="utf-8") for p in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize("kind", ["csv", "parquet", "html"])
def test_a_live_run_and_the_same_read_back_write_the_same(tmp_path, kind):
    with start_run("run 名", log_dir=tmp_path, display=False) as run:
        run.log({"loss": math.nan, "步/[0]": 0.1})
        live = run.export(tmp_path / f"live.{kind}")
    saved = load_run(run.path).export(tmp_path / f"saved.{kind}")
    if kind == "html":
        assert numbers_of(live) == numbers_of(saved)
    else:
        assert live.read_bytes() == saved.read_bytes()


def numbers_of(path):
    return re.search(r'id="mswidget-numbers">(.*?)<', path.read_text("utf-8"))[1]
