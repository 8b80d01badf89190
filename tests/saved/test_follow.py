"""Runs of other processes appear by themselves and are read as they grow."""

import shutil

import pytest

from mswidget.records.record import Record, to_line
from mswidget.saved import follow
from mswidget.saved.follow import Follower


@pytest.fixture(autouse=True)
def look_always(monkeypatch):
    monkeypatch.setattr(follow, "LOOK_S", 0.0)


def write(folder, rank, steps, attempt="a1"):
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        to_line(Record(step, float(step), rank, attempt, {"loss": 1.0}))
        for step in steps
    ]
    with (folder / f"rank_{rank}.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(lines)


def steps_of(follower, run, rank=0):
    return follower.runs[run].ranks[rank].history.rows().steps.tolist()


def test_a_folder_that_does_not_exist_yet_is_waited_for(tmp_path):
    follower = Follower([tmp_path / "训练 logs"])
    assert follower.poll() == set()
    write(tmp_path / "训练 logs" / "基线", 0, [1, 2])
    assert follower.poll() == {("基线", 0)}
    assert steps_of(follower, "基线") == [1, 2]


def test_new_runs_and_ranks_and_steps_appear(tmp_path):
    write(tmp_path / "a", 0, [1])
    follower = Follower([tmp_path])
    follower.poll()
    write(tmp_path / "a", 1, [1])
    write(tmp_path / "a", 0, [2])
    write(tmp_path / "b", 0, [1])
    assert follower.poll() == {("a", 0), ("a", 1), ("b", 0)}
    assert follower.poll() == set()
    assert steps_of(follower, "a") == [1, 2]


def test_a_run_folder_itself_can_be_followed(tmp_path):
    write(tmp_path / "a", 0, [1])
    follower = Follower([tmp_path / "a"])
    assert follower.poll() == {("a", 0)}


def test_one_rank_of_a_run_can_be_followed(tmp_path):
    for rank in (0, 1):
        write(tmp_path / "a", rank, [1])
    follower = Follower([tmp_path / "a" / "rank_1.jsonl"])
    assert follower.poll() == {("rank_1.jsonl", 1)}


def test_only_the_wanted_run_is_followed(tmp_path):
    for name in ("a", "b", "a@host2"):
        write(tmp_path / name, len(name), [1])
    follower = Follower([tmp_path], run="a")
    follower.poll()
    assert list(follower.runs) == ["a"]
    assert sorted(follower.runs["a"].ranks) == [1, 7]


def test_hosts_without_a_shared_disk_are_one_run(tmp_path):
    write(tmp_path / "host1" / "a", 0, [1])
    write(tmp_path / "host2" / "a@host2", 1, [1])
    write(tmp_path / "host2" / "a@host2", 0, [1])
    follower = Follower([tmp_path / "host1", tmp_path / "host2"])
    follower.poll()
    assert sorted(follower.runs["a"].ranks) == [0, 1]
    left_out = tmp_path / "host2" / "a@host2" / "rank_0.jsonl"
    (note,) = follower.runs["a"].notes
    assert note == f"{left_out} is left out: another folder has the same rank"


def test_a_copy_that_is_replaced_is_read_anew(tmp_path):
    write(tmp_path / "a", 0, [1, 2])
    follower = Follower([tmp_path])
    follower.poll()
    write(tmp_path / "new", 0, [1, 2, 3])
    (tmp_path / "new" / "rank_0.jsonl").rename(tmp_path / "a" / "rank_0.jsonl")
    follower.poll()
    assert steps_of(follower, "a") == [1, 2, 3]


def test_what_was_read_stays_when_a_folder_vanishes_and_goes_on_when_it_returns(
    tmp_path,
):
    write(tmp_path / "a", 0, [1])
    follower = Follower([tmp_path])
    follower.poll()
    shutil.rmtree(tmp_path / "a")
    assert follower.poll() == set()
    assert steps_of(follower, "a") == [1]
    write(tmp_path / "a", 0, [1, 2])
    follower.poll()
    assert steps_of(follower, "a") == [1, 2]


def test_a_big_file_leaves_the_others_their_turn(tmp_path, monkeypatch):
    monkeypatch.setattr(follow, "READ_BYTES", 2**17)
    write(tmp_path / "a", 0, range(1, 200_000))
    write(tmp_path / "a", 1, [1])
    follower = Follower([tmp_path])
    assert follower.poll() == {("a", 0), ("a", 1)}
    assert 0 < len(steps_of(follower, "a")) < 199_999
    while follower.poll():
        pass
    assert len(steps_of(follower, "a")) == 199_999


def test_the_folders_looked_at_each_time_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(follow, "LOOKS", 3)
    for number in range(10):
        write(tmp_path / f"run {number}", 0, [1])
    follower = Follower([tmp_path])
    found = []
    for _ in range(4):
        follower.poll()
        found.append(len(follower.runs))
    assert found[0] <= 3
    assert found[-1] == 10


def test_files_that_are_no_ranks_are_left_alone(tmp_path):
    write(tmp_path / "a", 0, [1])
    (tmp_path / "a" / "rank_x.jsonl").write_text("{}\n")
    (tmp_path / "a" / "alerts_rank_0.jsonl").write_text("{}\n")
    (tmp_path / ".new-1").mkdir()
    follower = Follower([tmp_path])
    follower.poll()
    assert list(follower.runs["a"].ranks) == [0]


def test_a_long_file_gets_what_the_others_leave(tmp_path, monkeypatch):
    monkeypatch.setattr(follow, "READ_BYTES", 2**21)
    for rank in range(32):
        write(tmp_path / "a", rank, [1])
    write(tmp_path / "a", 32, range(1, 200_000))
    follower = Follower([tmp_path])
    polls = 0
    while follower.poll() or follower.behind:
        polls += 1
    size = (tmp_path / "a" / "rank_32.jsonl").stat().st_size
    assert polls <= 2 + size / 2**20
