"""A log of another tool is read on as it grows, to the ranks that are in it."""

import json

from mswidget.importers.format_table import FORMATS
from mswidget.importers.formats.hand_written import HAND_WRITTEN
from mswidget.importers.formats.mindformers import MINDFORMERS
from mswidget.importers.log_source import LogSource
from tests.importers.logs import sample


def test_a_growing_log_is_followed_as_it_is_written(tmp_path):
    path = tmp_path / "worker_3.log"
    file = LogSource(path, MINDFORMERS, 3)
    assert not file.read_on()
    data = sample("mindformers.log")
    for stop in (len(data) // 2, len(data)):
        path.write_bytes(data[:stop])
        assert file.read_on()
    assert not file.read_on()
    assert file.rank == 3
    found = [r.step for r in file.ranks[3].records if "loss" in r.values]
    assert found == [1, 2, 3, 4]


def test_a_log_that_was_written_anew_is_read_anew(tmp_path):
    path = tmp_path / "trainer_state.json"
    kind = next(kind for kind in FORMATS if kind.rewritten)
    file = LogSource(path, kind)
    text = sample("trainer_state.json").decode()
    for stop in ('"step": 30', '"train_runtime"'):
        path.write_text(text[: text.index(stop)])
        file.read_on()
    assert file.ranks[0].history.rows().steps.tolist() == [10, 20, 30, 40, 50, 60]


def test_a_log_of_which_no_line_was_understood_has_no_rank_yet(tmp_path):
    path = tmp_path / "train.log"
    path.write_text("nothing to see\n")
    file = LogSource(path, MINDFORMERS)
    file.read_on()
    assert (file.rank, file.ranks) == (0, {})


def test_the_ranks_that_share_a_log_are_told_apart(tmp_path):
    path = tmp_path / "train.jsonl"
    lines = [{"step": 1, "rank": rank, "loss": rank + 0.5} for rank in (2, 0)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    file = LogSource(path, HAND_WRITTEN)
    file.read_on()
    losses = {n: rank.history.values("loss").tolist() for n, rank in file.ranks.items()}
    assert losses == {2: [2.5], 0: [0.5]}
    assert not any(rank.own for rank in file.ranks.values())


def test_a_log_that_was_emptied_is_a_log_without_ranks(tmp_path):
    path = tmp_path / "train.log"
    path.write_bytes(sample("mindformers.log"))
    file = LogSource(path, MINDFORMERS)
    file.read_on()
    path.write_bytes(b"")
    assert file.read_on()
    assert file.ranks == {}
