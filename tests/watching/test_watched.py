"""Runs of other processes as tracks of one picture."""

import json
import math
import os
import time
from pathlib import Path

import pytest

from mswidget.records.alert import Alert
from mswidget.records.record import Event, Record, to_line
from mswidget.saved import follow
from mswidget.watching.watch import Watch

CONTRACT = Path(__file__).parents[1] / "contract"
SAMPLES = Path(__file__).parents[1] / "data" / "logs"


@pytest.fixture(autouse=True)
def look_always(monkeypatch):
    monkeypatch.setattr(follow, "LOOK_S", 0.0)


def write(folder, rank, *items):
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"rank_{rank}.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(map(to_line, items))


def records(values, *, rank=0, first=1, attempt="a1"):
    return [
        Record(step, 100.0 + step, rank, attempt, {"loss": value}, epoch=1)
        for step, value in enumerate(values, first)
    ]


def event(name, step=0, **fields):
    return Event(name, step, 100.0, 0, "a1", fields=fields)


def columns(watch):
    """Return tracks and metrics that can be asked."""
    return {(track, n) for track, h in watch.histories.items() for n in h.names}


def tracks(watch):
    return {track["id"]: track for track in watch.head()["tracks"]}


def test_a_run_of_one_rank_is_one_track(tmp_path):
    begin = event("train_begin", total_steps=10, batch_size=4)
    write(tmp_path / "基线", 0, begin, *records([3.0, 2.0]))
    watch = Watch([tmp_path])
    head = watch.head()
    assert head["run"]["name"] == "基线"
    assert (head["status"]["step"], head["status"]["total_steps"]) == (2, 10)
    (track,) = head["tracks"]
    assert (track["label"], track["shown"], track["step"]) == ("基线", True, 2)
    assert track["samples_per_step"] == 4
    assert columns(watch) == {("0.0", "loss")}
    assert [metric["name"] for metric in head["metrics"]] == ["loss"]


def test_ranks_are_a_band_and_the_one_that_speaks_for_them(tmp_path):
    for rank in range(4):
        write(tmp_path / "a", rank, *records([float(rank), 9.0], rank=rank))
        write(tmp_path / "a", rank, event("train_end", 2))
    watch = Watch([tmp_path])
    shown = {ident for ident, track in tracks(watch).items() if track["shown"]}
    assert shown == {"0.min", "0.mean", "0.median", "0.max", "0.0"}
    assert len(tracks(watch)) == 8
    assert columns(watch) == {(ident, "loss") for ident in shown}
    assert tracks(watch)["0.max"]["label"] == "a · max of 4 ranks"


def test_other_ranks_come_when_the_page_asks(tmp_path):
    for rank in range(3):
        write(tmp_path / "a", rank, *records([1.0], rank=rank))
    watch = Watch([tmp_path])
    watch.choose(["0.2"])
    watch.read()
    assert columns(watch) == {("0.0", "loss"), ("0.2", "loss")}
    assert [t["id"] for t in watch.head()["tracks"] if t["shown"]] == ["0.2"]


def test_runs_that_begin_after_a_choice_are_shown_too(tmp_path):
    write(tmp_path / "a", 0, *records([1.0]))
    watch = Watch([tmp_path])
    watch.choose([])
    write(tmp_path / "b", 0, *records([1.0]))
    watch.read()
    assert ("1.0", "loss") in columns(watch)
    assert [t["shown"] for t in watch.head()["tracks"]] == [False, True]


def test_a_later_attempt_is_marked_by_its_number(tmp_path):
    begins = [
        Event("train_begin", step, 100.0, 0, attempt, fields={"batch_size": 4})
        for step, attempt in [(0, "a1"), (2, "a1"), (2, "a2")]
    ]
    write(tmp_path / "a", 0, *begins, *records([1.0]))
    marks = Watch([tmp_path]).head()["marks"]
    assert [(m["step"], m["text"]) for m in marks] == [
        (0, "attempt 1"),
        (2, "attempt 2"),
    ]


def test_a_rank_without_a_loss_says_so_and_is_in_no_band(tmp_path):
    why = event("train_begin", loss_valid=False, loss_invalid_because="stage 0 of 2")
    write(tmp_path / "a", 0, why, *records([math.nan]))
    for rank in (1, 2):
        write(tmp_path / "a", rank, *records([1.0], rank=rank), event("train_end", 1))
    watch = Watch([tmp_path])
    assert tracks(watch)["0.0"]["note"] == "no loss on this rank: stage 0 of 2"
    assert watch.head()["run"]["rank"] == 1
    assert tracks(watch)["0.min"]["label"] == "a · min of 2 ranks"
    assert watch.runs["a"]._band.nonfinite == {}


def test_new_runs_ranks_and_records_appear(tmp_path):
    watch = Watch([tmp_path / "later"])
    assert watch.head()["status"]["detail"] == "no run there yet"
    write(tmp_path / "later" / "a", 0, *records([1.0]))
    assert watch.read()
    write(tmp_path / "later" / "b", 0, *records([1.0]))
    write(tmp_path / "later" / "a", 0, *records([2.0], first=2))
    assert watch.read()
    assert not watch.read()
    assert [(t["run"], t["step"]) for t in tracks(watch).values()] == [
        ("a", 2),
        ("b", 1),
    ]


def test_the_header_is_that_of_the_newest_run_that_goes_on(tmp_path):
    write(tmp_path / "a", 0, *records([1.0]))
    write(tmp_path / "b", 0, *records([1.0]), event("failed", 1, detail="OSError: 满"))
    watch = Watch([tmp_path])
    assert watch.head()["run"]["name"] == "a"
    write(tmp_path / "a", 0, event("train_end", 1))
    watch.read()
    assert {t["phase"] for t in tracks(watch).values()} == {"finished", "failed"}


def test_only_a_run_of_our_own_can_be_stopped(tmp_path):
    log = (SAMPLES / "mindformers.log").read_bytes()
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "worker_0.log").write_bytes(log)
    assert not Watch([tmp_path]).head()["status"]["stoppable"]
    write(tmp_path / "own", 0, *records([1.0]))
    assert Watch([tmp_path / "own"]).head()["status"]["stoppable"]
    assert not Watch([tmp_path / "nothing"]).head()["status"]["stoppable"]


def write_shared(path, ranks, steps):
    """Write a log of another tool into which all ranks print."""
    path.parent.mkdir(exist_ok=True)
    with path.open("a") as file:
        for step in steps:
            for rank in ranks:
                line = {"step": step, "rank": rank, "loss": step + rank, "lr": 0.1}
                file.write(json.dumps(line) + "\n")


def test_all_ranks_of_one_log_are_shown(tmp_path):
    log = tmp_path / "logs" / "train.jsonl"
    write_shared(log, [0, 1, 2], [1, 2])
    watch = Watch([log])
    labels = [t["label"].rpartition(" · ")[2] for t in tracks(watch).values()]
    assert labels[4:] == ["rank 0", "rank 1", "rank 2"]
    watch.choose(["0.2"])
    write_shared(log, [0, 1, 2, 3], [3])
    watch.read()
    assert watch.histories["0.2"].values("loss").tolist() == [3, 4, 5]
    assert tracks(watch)["0.3"]["step"] == 3


def test_alerts_of_all_ranks_are_listed_and_marked(tmp_path):
    write(tmp_path / "a", 0, *records([1.0, 2.0]))
    alert = Alert(
        "frozen_part", 2, 5.0, 0, "a1", "warning", "loss/ce", "frozen", "mend"
    )
    line = to_line(alert.to_event())
    (tmp_path / "a" / "alerts_rank_0.jsonl").write_text(line, encoding="utf-8")
    head = Watch([tmp_path]).head()
    assert [(a["message"], a["track"]) for a in head["alerts"]] == [("frozen", "0.0")]
    (mark,) = head["marks"]
    assert (mark["kind"], mark["track"]) == ("alert", "0.0")


def test_an_alert_says_of_which_run_it_is(tmp_path):
    written = json.loads((CONTRACT / "bundle.json").read_text(encoding="utf-8"))
    (sent,) = written["head"]["alerts"]
    known = {name: value for name, value in sent.items() if name != "track"}
    for name in ("基线", "tuned"):
        write(tmp_path / name, 0, *records([1.0, 2.0]))
    line = to_line(Alert(**known, attempt="a1").to_event())
    (tmp_path / "tuned" / "alerts_rank_0.jsonl").write_text(line, encoding="utf-8")
    head = Watch([tmp_path]).head()
    runs = {track["id"]: track["run"] for track in head["tracks"]}
    (alert,), (mark,) = head["alerts"], head["marks"]
    assert (alert.keys(), known.items() <= alert.items()) == (sent.keys(), True)
    assert runs[alert["track"]] == runs[mark["track"]] == "tuned"


def test_the_length_of_an_epoch_stays_known(tmp_path):
    first, second = records([1.0] * 4), records([1.0] * 300, first=5)
    write(tmp_path / "a", 0, *first, *(one._replace(epoch=2) for one in second))
    watch = Watch([tmp_path])
    assert tracks(watch)["0.0"]["steps_per_epoch"] == 4
    write(tmp_path / "a", 0, *(one._replace(epoch=2) for one in second))
    watch.read()
    assert tracks(watch)["0.0"]["steps_per_epoch"] == 4


def test_garbage_is_told_with_its_place(tmp_path):
    write(tmp_path / "a", 0, *records([1.0]))
    with (tmp_path / "a" / "rank_0.jsonl").open("a") as file:
        file.write("garbage\n")
    (notice,) = Watch([tmp_path]).head()["notices"]
    assert "1 line could not be read; the first: rank_0.jsonl:2: " in notice


def test_of_very_many_runs_only_the_newest_are_read(tmp_path):
    for number in range(20):
        write(tmp_path / f"run {number}", 0, *records([1.0]))
    watch = Watch([tmp_path])
    read = [run for run in watch.runs.values() if len(run.main.history)]
    assert len(tracks(watch)) == 20
    assert len(read) == 6


def test_of_very_long_ranks_only_the_end_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("mswidget.watching.watch.BIG_BYTES", 1000)
    monkeypatch.setattr("mswidget.watching.watch.TAIL_BYTES", 1000)
    for rank in range(3):
        write(
            tmp_path / "a", rank, *records([1.0] * 200, rank=rank), event("train_end")
        )
    watch = Watch([tmp_path])
    lengths = [len(f.history) for f in watch.runs["a"].run.ranks.values()]
    assert lengths[0] == 200
    assert max(lengths[1:]) < 20
    assert "only the end of its file is read" in tracks(watch)["0.1"]["note"]
    assert len(watch.runs["a"]._band.histories["max"]) == lengths[1]


def test_the_header_has_the_newest_values_while_a_long_file_is_read(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(follow, "READ_BYTES", 2**17)
    write(tmp_path / "a", 0, *records([1.0] * 19_999 + [0.125]))
    watch = Watch([tmp_path])
    assert watch.head()["status"]["step"] == 20_000
    detail = watch.head()["status"]["detail"]
    assert detail == "loss 0.125; the history is being read"
    assert len(watch.runs["a"].main.history) < 20_000
    while watch.read():
        pass
    assert len(watch.runs["a"].main.history) == 20_000
    assert watch.head()["status"]["detail"] == ""


@pytest.mark.parametrize("hours", [-8, 8])
def test_a_run_that_logs_no_more_says_since_when_in_any_zone(tmp_path, hours):
    last_s = time.time() + 3600 * hours
    write(
        tmp_path / "run", 0, *(r._replace(wall_time_s=last_s) for r in records([3.0]))
    )
    watch = Watch([tmp_path])
    assert watch.head()["status"]["detail"] == ""
    os.utime(tmp_path / "run" / "rank_0.jsonl", (100.0, 100.0))
    watch.read()
    status = watch.head()["status"]
    assert status["detail"].startswith("silent since 1970-01-0")
    assert status["steps_per_s"] is None
