"""Ending a run: at once, or all ranks after the same step."""

import logging
import re
import time
from collections import deque
from types import SimpleNamespace

import mindspore as ms
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindspore import nn
from mindspore.train import Model

from mswidget import TrainMonitor, start_run
from mswidget.files.folder import Claim
from mswidget.files.stop_request import (
    StopError,
    StopRequest,
    add_point,
    ask_to_stop,
    choose_step,
    read,
    write,
)
from mswidget.records.record import Record
from mswidget.run.notices import Notices
from mswidget.run.stop import Stop
from tests.training import AtStep, Regression, dataset

STEP_S = 0.125


def points(*steps, step_s=STEP_S):
    found = deque()
    for step in steps:
        add_point(found, (step, 1.8e9 + step * step_s))
    return found


def wait_until(is_true):
    end = time.monotonic() + 20
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def ranks(tmp_path, monkeypatch):
    """Two ranks of a job, in one process for the test's sake."""
    monkeypatch.setenv("MSWIDGET_JOB", "job")
    monkeypatch.setenv("RANK_SIZE", "2")
    runs = []
    for rank in (0, 1):
        monkeypatch.setenv("RANK_ID", str(rank))
        runs.append(start_run("run", log_dir=tmp_path, display=False))
    yield runs
    for run in runs:
        run.finish()


def train_together(runs):
    """Let ranks make steps that wait for each other; return where each stopped."""
    wait_until(lambda: all(run._stop.at_step for run in runs))
    while True:
        for run in runs:
            run.log({"loss": 1.0})
        if any(run.stop_requested for run in runs):
            return [(run.step, run.stop_requested) for run in runs]


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=60), st.floats(1e-4, 100))
def test_the_step_is_always_one_to_come(steps, step_s):
    assert choose_step(points(*steps, step_s=step_s), steps[-1]) > steps[-1]


@pytest.mark.parametrize("step_s", [0.001, 0.1, 10])
def test_there_are_three_seconds_and_some_steps_to_read_of_it(step_s):
    to_come = choose_step(points(*range(1, 2000), step_s=step_s), 1999) - 1999
    assert 3 <= to_come * step_s <= 3.3 + 3 * step_s


def test_what_is_logged_now_and_then_counts_by_its_steps():
    assert choose_step(points(10, 20, 30), 34) == 34 + 24 + 2 * 10


def test_an_evaluation_in_between_does_not_slow_the_steps():
    late = [(step, time_s + 60) for step, time_s in points(7, 8, 9)]
    assert choose_step([*points(4, 5, 6), *late], 9) == 9 + 24 + 2


def test_steps_that_are_logged_in_one_go_are_not_taken_for_fast():
    found = deque()
    for step in range(1, 301):
        add_point(found, (step, 1.8e9 + 64 * (step // 100) + 1e-6 * step))
    assert 300 < choose_step(found, 300) < 600


@pytest.mark.parametrize("steps", [(), (0,), (1, 2)])
def test_steps_of_unknown_length_are_some_more(steps):
    assert choose_step(points(*steps, step_s=1e-6), 2) == 22


def test_both_ranks_end_after_the_same_step(ranks):
    assert "all 2 ranks" in ranks[0].request_stop()
    assert not any(run.stop_requested for run in ranks)
    (one, one_ends), (two, two_ends) = train_together(ranks)
    assert (one, one_ends) == (two, two_ends) == (20, True)
    assert read(ranks[0].path) == StopRequest("a1", 20)


@pytest.fixture
def now_s(monkeypatch):
    """What the clock says."""
    now_s = [0.0]
    clock = SimpleNamespace(monotonic=lambda: now_s[0])
    monkeypatch.setattr("mswidget.run.stop.time", clock)
    return now_s


def test_a_stop_that_is_asked_for_in_every_step_is_not_put_off(tmp_path, now_s):
    stop = Stop(Claim(tmp_path, "a1"), 2, print, print, print)
    for step in range(1, 20):
        now_s[0] += 0.1
        stop.ask(step)
        stop.tick()
    assert stop.at_step is not None


def test_that_no_rank_can_be_asked_to_stop_is_said_while_it_is_so(tmp_path, now_s):
    folder = tmp_path / "run"
    notices = Notices("run")
    stop = Stop(Claim(folder, "a1"), 2, print, notices.add, notices.withdraw)
    for _ in range(2):
        now_s[0] += 1
        stop.ask(3)
        stop.tick()
    (notice,) = notices.said
    assert "no rank stops" in notice
    folder.mkdir()
    now_s[0] += 1
    stop.tick()
    assert (notices.said, stop.at_step is None) == ([], False)


def test_a_stop_at_the_begin_waits_for_the_pace(tmp_path, now_s):
    stop = Stop(Claim(tmp_path, "a1"), 2, print, print, print)
    stop.take([Record(1, 0.0, 0, "a1", {}, None), Record(3, 1.0, 0, "a1", {}, None)])
    stop.ask(3)
    stop.tick()
    assert read(tmp_path) is None
    stop.take([Record(n, 1 + n / 500, 0, "a1", {}, None) for n in range(4, 500)])
    now_s[0] = 1.0
    stop.tick()
    assert read(tmp_path).stop_at_step - 499 > 3 * 500


def test_ranks_that_ask_at_once_agree(ranks):
    for run in ranks:
        run.request_stop()
    (one, one_ends), (two, two_ends) = train_together(ranks)
    assert (one, one_ends) == (two, two_ends)


def test_the_header_says_what_became_of_it(ranks):
    one, two = ranks
    with one, two:
        two.request_stop()
        assert two.status["stop"] == "requested"
        train_together(ranks)
    assert [run.status["stop"] for run in ranks] == ["obeyed"] * 2
    assert [run.phase for run in ranks] == ["stopped"] * 2


def test_a_stop_that_came_too_late_was_none(ranks):
    with ranks[0] as run:
        write(run.path, StopRequest("a1", 20))
        wait_until(lambda: run.status["stop"] == "requested")
        run.log({"loss": 1.0})
    assert (run.phase, run.status["stop"]) == ("finished", "")


def test_a_stop_that_cannot_be_agreed_ends_no_rank(ranks):
    (ranks[0].path / "STOP").mkdir()
    ranks[0].request_stop()
    wait_until(lambda: ranks[0].notices)
    assert "no rank stops" in ranks[0].notices[0]
    assert not ranks[0].stop_requested


def test_a_rank_that_is_past_the_step_ends_at_once_and_says_so(ranks, caplog):
    with caplog.at_level(logging.WARNING, "mswidget"):
        for _ in range(30):
            ranks[0].log({"loss": 1.0})
        ranks[0].flush()
        write(ranks[0].path, StopRequest("a1", 25))
        wait_until(lambda: ranks[0].stop_requested)
    assert "asks for the end after step 25" in caplog.text


@pytest.mark.parametrize("text", ['{"attempt": "a1", "stop_at_step": 5}', "{", "[]"])
def test_a_left_over_file_does_not_end_the_next_attempt(tmp_path, text):
    run = start_run("run", log_dir=tmp_path, display=False)
    run.finish()
    (run.path / "STOP").write_text(text)
    with start_run("run", log_dir=tmp_path, display=False, resume=True) as run:
        wait_until(lambda: run._stop._seen)
        for _ in range(30):
            run.log({"loss": 1.0})
        assert not run.stop_requested
    assert run.phase == "finished"


@pytest.fixture
def run(tmp_path):
    run = start_run("run", log_dir=tmp_path, display=False)
    yield run
    run.finish()


def test_another_process_may_ask_a_run_of_one_rank(run):
    for _ in range(3):
        run.log({"loss": 1.0})
    run.flush()
    step = int(re.search(r"after step (\d+) \(now 3,", ask_to_stop(run.path))[1])
    while not run.stop_requested:
        run.log({"loss": 1.0})
        time.sleep(0.001)
    assert run.step >= step > 3


def test_whoever_asks_again_changes_nothing(run):
    run.log({"loss": 1.0})
    run.flush()
    said = ask_to_stop(run.path)
    written = (run.path / "STOP").stat()
    assert ask_to_stop(run.path) == said
    assert (run.path / "STOP").stat() == written


def test_a_run_that_has_not_begun_to_log_can_be_asked(run):
    assert "after step 20 (now 0)" in ask_to_stop(run.path)


def test_a_run_that_has_ended_is_not_asked(run):
    run.log({"loss": 1.0})
    run.finish()
    with pytest.raises(StopError, match="has ended"):
        ask_to_stop(run.path)
    assert not (run.path / "STOP").exists()


@pytest.fixture
def monitor(tmp_path):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    return TrainMonitor("run", tmp_path, log_interval=10, display=False)


def trained(monitor):
    """Return a model and a callback by which another process asks for step 25."""

    def ask(_):
        write(monitor.run.path, StopRequest("a1", 25))
        wait_until(lambda: monitor.run.status["stop"])

    network = Regression()
    optimizer = nn.SGD(network.trainable_params(), 0.01)
    return Model(nn.TrainOneStepCell(network, optimizer)), AtStep(3, ask)


def test_a_training_ends_after_the_very_step(monitor):
    model, ask = trained(monitor)
    model.train(1, dataset(60), [ask, monitor])
    assert monitor.run.to_pandas().index.tolist() == [10, 20, 25]
    assert monitor.run.phase == "stopped"


def test_an_obeyed_stop_does_not_stop_the_next_training(monitor):
    model, ask = trained(monitor)
    model.train(1, dataset(60), [ask, monitor])
    model.train(1, dataset(15), [monitor])
    assert monitor.run.to_pandas().index.tolist() == [10, 20, 25, 30, 40]
    assert monitor.run.phase == "finished"
