"""A run on disk is put together from what its ranks are read from."""

import json
from pathlib import Path

from mswidget.files.own_source import OwnSource
from mswidget.importers.formats.hand_written import HAND_WRITTEN
from mswidget.importers.log_source import LogSource
from mswidget.records.record import Record, to_line
from mswidget.saved.finder import Contents
from mswidget.saved.run import SavedRun


def own(folder, rank, *losses):
    path = folder / f"rank_{rank}.jsonl"
    write(path, *(Record(1, 1.0, rank, "a1", {"loss": loss}) for loss in losses))
    return OwnSource(path)


def write(path, *records):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.writelines(map(to_line, records))


def log(path, ranks, rank=None):
    lines = [{"step": 1, "rank": number, "loss": 9.0} for number in ranks]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return LogSource(path, HAND_WRITTEN, rank, size=4)


def read(folder, *sources):
    run = SavedRun(folder)
    run.add(folder, Contents(sources))
    for rank in run.sources:
        run.read_on(rank)
    return run


def losses(run):
    return {n: rank.history.values("loss").tolist() for n, rank in run.ranks.items()}


def test_ranks_are_in_order_and_grow(tmp_path):
    run = read(tmp_path, own(tmp_path, 10, 1.0), own(tmp_path, 2, 2.0))
    assert list(run.ranks) == [2, 10]
    before = run.ranks
    assert not run.read_on(2)
    assert run.ranks is before
    write(tmp_path / "rank_2.jsonl", Record(5, 2.0, 2, "a1", {"loss": 3.0}))
    assert run.read_on(2)
    assert losses(run) == {2: [2.0, 3.0], 10: [1.0]}


def test_a_rank_is_known_before_anything_of_it_was_read(tmp_path):
    run = SavedRun(tmp_path)
    run.add(
        tmp_path, Contents([own(tmp_path, 0, 1.0), log(tmp_path / "a.log", [1], 1)])
    )
    assert losses(run) == {0: [], 1: []}


def test_a_rank_with_a_log_of_its_own_is_what_that_says(tmp_path):
    shared = log(tmp_path / "all.log", [0, 1, 2])
    run = read(tmp_path, shared, own(tmp_path, 1, 0.5))
    assert losses(run) == {0: [9.0], 1: [0.5], 2: [9.0]}


def test_files_of_our_own_take_the_place_of_a_log_in_their_folder(tmp_path):
    run = read(tmp_path, log(tmp_path / "train.log", [0], 0))
    assert losses(run) == {0: [9.0]}
    run.add(tmp_path, Contents([own(tmp_path, 0, 0.5)]))
    run.read_on(0)
    assert losses(run) == {0: [0.5]}


def test_the_rank_that_another_folder_has_too_is_left_out(tmp_path):
    run = read(tmp_path / "a", own(tmp_path / "a", 0, 1.0))
    run.add(tmp_path / "b", Contents([own(tmp_path / "b", 0, 2.0)], ["said of b"]))
    left_out = f"{tmp_path / 'b' / 'rank_0.jsonl'} is left out: another folder has the"
    assert run.notes == ["said of b", f"{left_out} same rank"]
    assert losses(run) == {0: [1.0]}


def test_the_name_is_that_of_the_folder_wherever_it_is_read_from(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert SavedRun(Path()).name == tmp_path.name
    assert SavedRun(tmp_path / "a@host2", "a").name == "a"
