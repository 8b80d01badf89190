"""Runs of other processes, as lines of text."""

import math
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mswidget.records.record import Event, Record, to_line
from mswidget.watching.lines import RunLines

SAMPLES = Path(__file__).parents[1] / "data" / "logs"


def write(path, items, rank=0):
    path.mkdir(exist_ok=True, parents=True)
    with (path / f"rank_{rank}.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(map(to_line, items))


def record(step, loss, attempt="a1"):
    return Record(step, 1.7e9 + step, 0, attempt, {"loss": loss})


def event(name, step, attempt="a1"):
    return Event(name, step, 1.7e9 + step, 0, attempt)


@pytest.fixture
def lines(tmp_path, capfd, monkeypatch):
    """Return a function that gives what is printed at the next tick."""
    # Each tick prints, however soon it comes.
    monkeypatch.setattr("mswidget.run.text.LINE_S", 0.0)
    monkeypatch.setattr("mswidget.saved.follow.LOOK_S", 0.0)
    printing = RunLines([tmp_path / "logs"])

    def tick():
        printing.tick()
        return capfd.readouterr().out

    return tick


def test_new_values_are_a_line(tmp_path, lines):
    run = tmp_path / "logs" / "run 名"
    assert lines() == ""
    write(run, [record(1, 0.5), record(2, 0.25)])
    assert lines() == "run 名: step 2  loss 0.25\n"
    assert lines() == ""
    write(run, [record(3, 0.125)])
    assert lines() == "run 名: step 3  loss 0.125\n"


def test_values_that_are_not_finite_are_told(tmp_path, lines):
    write(tmp_path / "logs" / "run", [record(1, math.nan), record(2, 0.5)])
    assert "loss was NaN at step 1" in lines()


def test_the_end_is_told_once_of_each_attempt(tmp_path, lines):
    run = tmp_path / "logs" / "run"
    write(run, [event("train_begin", 0), record(1, 0.5), event("failed", 1)])
    assert "failed at step 1" in lines()
    assert lines() == ""
    write(run, [event("train_begin", 1, "a2"), record(2, 0.5, "a2")])
    assert "run: step 2" in lines()
    write(run, [event("train_end", 2, "a2")])
    assert "finished at step 2" in lines()


def test_the_rank_whose_loss_means_something_speaks(tmp_path, lines):
    run = tmp_path / "logs" / "run"
    begin = Event("train_begin", 0, 1.7e9, 0, "a1", None, {"loss_invalid_because": "x"})
    write(run, [begin, Record(1, 1.7e9, 0, "a1", {"lr": 0.1})])
    write(run, [record(1, 0.5)], rank=1)
    assert lines() == "run (rank 1 of 2 ranks): step 1  loss 0.5\n"


def test_what_a_reader_has_to_know_is_told_once(tmp_path, lines):
    path = tmp_path / "logs" / "gpu"
    shutil.copytree(SAMPLES / "msrun", path)
    shutil.copy(SAMPLES / "megatron.log", path)
    assert "gpu: not read: scheduler.log, worker_0.log, worker_1.log" in lines()
    assert lines() == ""


def test_what_is_true_of_many_ranks_is_told_once(tmp_path, lines):
    path = tmp_path / "logs" / "run"
    path.mkdir(parents=True)
    log = (SAMPLES / "msrun" / "worker_0.log").read_text()
    for rank in range(3):
        (path / f"worker_{rank}.log").write_text(log)
    assert lines().count("values as printed") == 1
    # One that comes later makes it no other notice.
    (path / "worker_3.log").write_text(log)
    assert "values as printed" not in lines()


def test_garbage_is_told_of_each_file_but_not_at_each_line(tmp_path, lines):
    run = tmp_path / "logs" / "run"
    for rank in (0, 1):
        write(run, [record(1, 0.5)], rank=rank)
    lines()
    for rank in (1, 0):
        with (run / f"rank_{rank}.jsonl").open("a") as file:
            file.write("garbage\n")
        assert f"rank_{rank}.jsonl: 1 line could not be read" in lines()
    with (run / "rank_0.jsonl").open("a") as file:
        file.write("garbage\n" * 9)
    assert lines() == ""


def test_a_run_that_is_not_read_says_nothing(tmp_path, lines, monkeypatch):
    monkeypatch.setattr("mswidget.watching.watch.FIRST_RUNS", 1)
    for name in ("old", "new"):
        write(tmp_path / "logs" / name, [record(1, 0.5)])
    os.utime(tmp_path / "logs" / "old" / "rank_0.jsonl", (1.7e9, 1.7e9))
    assert lines() == "new: step 1  loss 0.5\n"


def test_a_run_that_logs_no_more_is_told_once(tmp_path, lines):
    run = tmp_path / "logs" / "run"
    write(run, [record(1, 0.5)])
    os.utime(run / "rank_0.jsonl", (1.7e9, 1.7e9))
    assert "run: silent since 2023-11-1" in lines()
    assert lines() == ""
    write(run, [record(2, 0.25)])
    assert lines() == "run: step 2  loss 0.25\n"


def test_ctrl_c_ends_it_quietly(tmp_path):
    write(tmp_path / "run", [record(1, 0.5)])
    with subprocess.Popen(
        [sys.executable, "-m", "mswidget", "watch", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "run: step 1  loss 0.5\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, "")
