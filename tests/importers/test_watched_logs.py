"""Logs of other tools are watched as they grow."""

import pytest

from mswidget.pictures.drawn_run import DrawnRun
from mswidget.saved import follow
from mswidget.saved.follow import Follower
from tests.importers.logs import SAMPLES, sample

LOG = (SAMPLES / "mindformers.log").read_text()
LINES = LOG.splitlines(keepends=True)


@pytest.fixture(autouse=True)
def look_always(monkeypatch):
    monkeypatch.setattr(follow, "LOOK_S", 0.0)


def grow(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.writelines(lines)


def losses(follower, run, rank=0):
    history = follower.runs[run].ranks[rank].history
    return history.values("loss").tolist()


def test_a_log_appears_and_grows(tmp_path):
    follower = Follower([tmp_path])
    assert follower.poll() == set()
    path = tmp_path / "预训练" / "worker_0.log"
    grow(path, LINES[:1])
    assert follower.poll() == set()
    grow(path, LINES[1:4])
    assert follower.poll() == {("预训练", 0)}
    grow(path, LINES[4:])
    assert follower.poll() == {("预训练", 0)}
    assert follower.poll() == set()
    assert losses(follower, "预训练")[0] == 1.659948
    assert len(losses(follower, "预训练")) == 4


def test_a_log_that_is_rotated_goes_on(tmp_path):
    path = tmp_path / "npu" / "info.log"
    for name, lines in (("info.log.1", LINES[:3]), ("info.log", LINES[3:10])):
        grow(path.with_name(name), lines)
    follower = Follower([tmp_path])
    follower.poll()
    grow(path, LINES[10:12])
    path.rename(path.with_name("info.log.1"))
    grow(path, LINES[12:])
    follower.poll()
    steps = follower.runs["npu"].ranks[0].history.rows().steps
    assert sorted(set(steps.tolist())) == [1, 2, 3, 4]
    assert len(losses(follower, "npu")) == 4


def test_one_log_can_be_watched(tmp_path):
    grow(tmp_path / "gpu.log", [sample("megatron.log").decode()])
    grow(tmp_path / "other.log", LINES)
    follower = Follower([tmp_path / "gpu.log"])
    follower.poll()
    assert list(follower.runs) == ["gpu.log"]
    assert losses(follower, "gpu.log")[0] == 7.251911


def test_folders_of_ranks_are_one_run(tmp_path):
    for rank in range(3):
        grow(tmp_path / "log" / f"rank_{rank}" / "info.log", LINES)
    for folders in ([tmp_path], [tmp_path / "log"]):
        follower = Follower(folders)
        follower.poll()
        assert list(follower.runs) == ["log"]
        assert sorted(follower.runs["log"].ranks) == [0, 1, 2]


def test_own_runs_and_other_logs_stand_side_by_side(tmp_path):
    grow(tmp_path / "gpu" / "train.log", [sample("megatron.log").decode()])
    grow(
        tmp_path / "npu" / "rank_0.jsonl",
        ['{"step": 1, "timestamp": 1.0, "rank": 0, "attempt": "a1", "loss": 0.5}\n'],
    )
    follower = Follower([tmp_path])
    follower.poll()
    assert losses(follower, "gpu")[0] == 7.251911
    assert losses(follower, "npu") == [0.5]


def test_a_watched_log_says_what_its_numbers_are(tmp_path):
    grow(tmp_path / "gpu" / "train.log", [sample("megatron.log").decode()])
    follower = Follower([tmp_path])
    follower.poll()
    run = DrawnRun(follower.runs["gpu"], 0)
    run.update()
    assert any("values as printed" in notice for notice in run.notices())
    assert run.status()["total_steps"] == 400
    assert run.status()["phase"] == "finished"


def notices(follower, run):
    return DrawnRun(follower.runs[run], 0).notices()


def test_logs_of_another_format_are_said_not_to_be_watched(tmp_path):
    grow(tmp_path / "job" / "train.log", LINES)
    follower = Follower([tmp_path])
    follower.poll()
    assert not any("not read" in notice for notice in notices(follower, "job"))
    path = tmp_path / "job" / "megatron.log"
    grow(path, [sample("megatron.log").decode()])
    follower.poll()
    said = f"mswidget.watch({str(path)!r}) reads that file"
    assert any(said in notice for notice in notices(follower, "job"))


def test_the_format_that_was_found_first_stays_the_one(tmp_path):
    grow(tmp_path / "job" / "megatron.log", [sample("megatron.log").decode()])
    follower = Follower([tmp_path])
    follower.poll()
    grow(tmp_path / "job" / "train.log", LINES)
    follower.poll()
    assert losses(follower, "job")[0] == 7.251911
    assert "not read: train.log" in "".join(notices(follower, "job"))


def test_a_log_that_a_restart_begins_is_read_on(tmp_path):
    grow(tmp_path / "job" / "first.log", LINES)
    follower = Follower([tmp_path])
    follower.poll()
    grow(tmp_path / "job" / "second.log", LINES)
    follower.poll()
    assert len(losses(follower, "job")) == 8
    said = "".join(notices(follower, "job"))
    assert "first.log, second.log" in said
    assert "another folder" not in said


def test_logs_beside_a_watched_run_of_our_own_are_said(tmp_path):
    line = '{"step": 1, "timestamp": 1.0, "rank": 0, "attempt": "a1", "loss": 0.5}\n'
    grow(tmp_path / "npu" / "rank_0.jsonl", [line])
    grow(tmp_path / "npu" / "train.log", LINES)
    follower = Follower([tmp_path])
    follower.poll()
    assert "not read: train.log (MindFormers log)" in notices(follower, "npu")[0]


def test_a_run_of_our_own_that_begins_beside_a_log_is_shown_with_its_alerts(tmp_path):
    grow(tmp_path / "job" / "train.log", LINES)
    follower = Follower([tmp_path])
    follower.poll()
    common = '"step": 1, "timestamp": 1.0, "rank": 0, "attempt": "a1"'
    said = '"event": "alert", "rule": "nan", "severity": "error", "message": "NaN"'
    grow(tmp_path / "job" / "rank_0.jsonl", [f'{{{common}, "loss": 0.5}}\n'])
    grow(tmp_path / "job" / "alerts_rank_0.jsonl", [f"{{{common}, {said}}}\n"])
    follower.poll()
    assert losses(follower, "job") == [0.5]
    (alert,) = follower.runs["job"].alert_list
    assert alert.message == "NaN"


def test_files_that_are_no_logs_are_read_once(tmp_path, monkeypatch):
    grow(tmp_path / "data" / "notes.txt", ["nothing\n"])
    follower = Follower([tmp_path])
    follower.poll()
    monkeypatch.setattr("mswidget.saved.finder.format_at", None)
    assert follower.poll() == set()
    assert follower.runs == {}
