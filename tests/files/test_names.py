from pathlib import Path

import pytest

from mswidget.files.names import alerts_file, rank_file, rank_files, rank_named


@pytest.mark.parametrize("rank", [0, 7, 1023])
def test_a_file_is_known_by_its_name_again(rank):
    path = rank_file(Path("run"), rank)
    assert rank_named(path) == rank
    assert rank_named(alerts_file(path)) is None


@pytest.mark.parametrize("name", ["rank_.jsonl", "rank_1.json", "rank_1.jsonl.bak"])
def test_other_files_are_no_ranks(name):
    assert rank_named(Path(name)) is None


def test_ranks_come_in_order_and_nothing_else(tmp_path):
    for name in ("rank_10.jsonl", "rank_9.jsonl", "alerts_rank_9.jsonl", "run.json"):
        (tmp_path / name).touch()
    assert list(rank_files(tmp_path)) == [9, 10]
    assert rank_files(tmp_path / "missing") == {}
