"""Both ways to read a folder find the same in it."""

import json

import pytest

from mswidget.saved.finder import Finder

RECORD = '{"step": 1, "timestamp": 1.0, "rank": 0, "attempt": "a1", "loss": 0.5}\n'
LINE = json.dumps({"step": 1, "loss": 0.5}) + "\n"


@pytest.fixture(params=["load_run", "watch"])
def finder(request):
    return Finder(request.param)


def test_files_of_our_own_are_found_in_a_folder_and_alone(finder, tmp_path):
    for rank in (0, 1):
        (tmp_path / f"rank_{rank}.jsonl").write_text(RECORD)
    (tmp_path / "alerts_rank_0.jsonl").write_text(RECORD)
    assert [source.rank for source in finder.own(tmp_path).sources] == [0, 1]
    (alone,) = finder.own(tmp_path / "rank_1.jsonl").sources
    assert (alone.rank, alone.own) == (1, True)


def test_a_file_of_our_own_is_known_by_its_lines_whatever_it_is_called(
    finder, tmp_path
):
    path = tmp_path / "copy.txt"
    path.write_text(RECORD)
    (source,) = finder.own(path).sources
    assert source.own


def test_a_rank_file_of_another_tool_is_a_log(finder, tmp_path):
    (tmp_path / "rank_0.jsonl").write_text(LINE)
    assert finder.own(tmp_path) is None
    (source,) = finder.logs(tmp_path).sources
    assert (source.rank, source.own) == (0, False)


def test_logs_beside_files_of_our_own_are_noted(finder, tmp_path):
    (tmp_path / "rank_0.jsonl").write_text(RECORD)
    (tmp_path / "other.jsonl").write_text(LINE)
    (note,) = finder.own(tmp_path).notes
    assert note.startswith("not read: other.jsonl")


def test_a_log_that_is_empty_yet_is_waited_for(finder, tmp_path):
    path = tmp_path / "train.jsonl"
    path.touch()
    for place in (path, tmp_path):
        assert finder.own(place) is None
        assert finder.logs(place).waits
    path.write_text(LINE)
    assert len(finder.logs(tmp_path).sources) == 1


def test_a_pattern_takes_the_file_that_it_is_given_with(tmp_path):
    path = tmp_path / "rank_0.jsonl"
    path.write_text(RECORD)
    finder = Finder("load_run", r"loss (?P<loss>\S+)")
    assert finder.own(path) is None
    assert [source.own for source in finder.logs(path).sources] == [False]
