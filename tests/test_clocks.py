"""Clocks that are wrong, and times that are read at another place."""

import json
import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget import list_runs, load_run, start_run
from mswidget.records.axis import positions
from mswidget.records.curve import curves
from mswidget.records.history import History
from mswidget.records.overview import HistoryOverview
from mswidget.records.record import Record
from mswidget.run.clock import Clock
from mswidget.widget.overviews import Overviews

HOUR_S = 3600.0


def told(monkeypatch, *moments):
    """Return what a clock tells while those of the machine say (wall, steady)."""
    now = SimpleNamespace()
    monkeypatch.setattr("mswidget.run.clock.time", now)
    clock, times_s = Clock(), []
    for wall_s, steady_s in moments:
        now.time, now.monotonic = lambda s=wall_s: s, lambda s=steady_s: s
        times_s.append(clock())
    return times_s


def test_a_clock_that_is_set_back_goes_on_at_its_pace(monkeypatch):
    times_s = told(monkeypatch, (9000.0, 5.0), (5410.0, 15.0), (5420.0, 25.0))
    assert times_s == [9000.0, 9010.0, 9020.0]


def test_a_clock_that_is_set_forward_is_followed(monkeypatch):
    assert told(monkeypatch, (0.0, 5.0), (9000.0, 6.0)) == [0.0, 9000.0]


@given(st.lists(st.tuples(st.floats(0, 4e9), st.floats(0, 100)), min_size=1))
def test_whatever_a_clock_does_time_never_goes_back(steps):
    steady_s = np.cumsum([passed_s for _, passed_s in steps]).tolist()
    moments = [(w, s) for (w, _), s in zip(steps, steady_s, strict=True)]
    with pytest.MonkeyPatch.context() as patch:
        times_s = told(patch, *moments)
    assert times_s == sorted(times_s)


def test_a_run_whose_clock_is_set_back_draws_no_line_to_minus_an_hour(
    tmp_path, monkeypatch
):
    run = start_run("run", log_dir=tmp_path, display=False)
    now_s = time.time
    run.log({"loss": 1.0})
    monkeypatch.setattr(time, "time", lambda: now_s() - HOUR_S)
    run.log({"loss": 1.0})
    run.finish()
    since_s = run.history.rows().wall_times_s - run.status["started_s"]
    assert (np.diff(since_s) >= 0).all()
    assert 0 <= since_s[0] <= since_s[-1] < HOUR_S
    status = run._head()["status"]
    assert 0 <= status["sent_s"] - status["last_value_s"] < HOUR_S
    assert load_run(run.path).notes == []


def drawn_times_s(overview):
    """Return where the rows stand on an axis of time."""
    return overview.pieces("time").keys


def set_back(path):
    """Write what another program may: its clock is set back behind step 3."""
    times_s = [1.7e9, 1.7e9 + 1, 1.7e9 + 2, 1.7e9 - 3597, 1.7e9 - 3596]
    lines = [
        {"step": step, "timestamp": time_s, "loss": 1.0}
        for step, time_s in enumerate(times_s, start=1)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


@pytest.mark.parametrize("name", ["rank_0.jsonl", "log.jsonl"])
def test_a_file_whose_clock_was_set_back_goes_never_back_and_says_so(tmp_path, name):
    run = load_run(set_back(tmp_path / name))
    rank = run.ranks[0]
    (note,) = [note for note in run.notes if "clock" in note]
    assert "set back by 3,599 s at step 4" in note
    drawn_s = drawn_times_s(HistoryOverview(rank.history)) - rank.started_s
    assert drawn_s.tolist() == [0, 1, 2, 2, 2]
    x = positions(curves(rank.history.rows())["loss"], "time", rank.units)
    assert x.tolist() == [0, 1, 2, 2, 2]
    assert run.to_pandas()["wall_time"].iloc[3] == pd.Timestamp(
        1.7e9 - 3597, unit="s", tz="UTC"
    )


def log(history, *times_s):
    history.extend(Record(1, time_s, 0, "a1", {"loss": 1.0}) for time_s in times_s)
    return history


def test_what_comes_later_goes_on_from_there():
    history = History()
    overview = HistoryOverview(history)
    for times_s in ([10.0, 11.0], [5.0], [12.0]):
        log(history, *times_s)
        overview.refresh()
        drawn_s = drawn_times_s(overview)
    assert drawn_s.tolist() == [10, 11, 11, 12]


def test_a_file_that_is_replaced_begins_at_its_own_time():
    histories = {"run": log(History(), 10.0)}
    overviews = Overviews(lambda: histories)
    histories["run"] = log(History(), 5.0)
    overviews.refresh()
    assert drawn_times_s(overviews.of("run")).tolist() == [5]


@pytest.fixture
def place(monkeypatch):
    def move(name):
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield move
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Pacific/Kiritimati"])
def test_a_run_is_read_elsewhere_as_it_was_written(tmp_path, place, zone):
    place("Asia/Shanghai")
    begun_s = time.time()
    run = start_run("run", log_dir=tmp_path, display=False)
    run.log({"loss": 1.0})
    run.finish()
    place(zone)
    (wall_time,) = load_run(run.path).to_pandas()["wall_time"]
    (start,) = list_runs(tmp_path)["start"]
    for moment in (wall_time, start):
        assert abs(pd.Timestamp(moment).timestamp() - begun_s) < 60


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2023-12-31T23:59:59", "2024-01-01T00:00:01"),
        ("2024-02-28T23:59:59", "2024-02-29T00:00:01"),
        ("2024-02-29T23:59:59", "2024-03-01T00:00:01"),
        ("2023-02-28T23:59:59", "2023-03-01T00:00:01"),
    ],
)
@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai"])
def test_two_seconds_over_midnight_are_two_seconds(
    tmp_path, place, before, after, zone
):
    place(zone)
    stamps = [pd.Timestamp(text, tz="UTC") for text in (before, after)]
    path = tmp_path / "rank_0.jsonl"
    path.write_text(
        "".join(
            f'{{"step": {step}, "timestamp": {stamp.timestamp()}, "loss": 1.0}}\n'
            for step, stamp in enumerate(stamps, start=1)
        )
    )
    run = load_run(path)
    assert run.to_pandas()["wall_time"].tolist() == stamps
    x = positions(
        curves(run.ranks[0].history.rows())["loss"], "time", run.ranks[0].units
    )
    assert x.tolist() == [0.0, 2.0]
