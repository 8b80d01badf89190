"""A rank of mswidget's own is its file and that of its alerts."""

import pytest

from mswidget.files.own_source import OwnSource
from mswidget.records.alert import Alert
from mswidget.records.record import Event, Record, to_line

ALERT = Alert("nan", 2, 5.0, 2, "a1", "error", "loss", "NaN", "mend")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rank_2.jsonl"


def grow(path, *lines):
    with path.open("a", encoding="utf-8") as file:
        file.writelines(lines)


def record(step, rank=2):
    return to_line(Record(step, 100.0 + step, rank, "a1", {"loss": 1.0}))


def test_a_rank_is_known_by_its_name_before_it_has_a_file(path):
    source = OwnSource(path)
    assert not source.read_on()
    (rank,) = source.ranks.values()
    assert (rank.rank, rank.phase[0], rank.notes) == (2, "waiting", [])


def test_the_rank_of_a_file_with_another_name_is_that_of_its_records(tmp_path):
    path = tmp_path / "模型 copy.jsonl"
    grow(path, "garbage\n", record(1, rank=7))
    assert OwnSource(path).rank == 7


def test_alerts_that_come_alone_are_new_too(path):
    source = OwnSource(path)
    grow(path, record(1))
    assert source.read_on()
    grow(path.with_name("alerts_rank_2.jsonl"), to_line(ALERT.to_event()))
    assert source.read_on()
    assert source.ranks[2].alerts == [ALERT]
    assert not source.read_on()


def test_what_a_rank_does_follows_its_file(path):
    source = OwnSource(path)
    for line, phase in (
        (record(1), "training"),
        (to_line(Event("train_end", 1, 102.0, 2, "a1")), "finished"),
        (to_line(Event("train_begin", 1, 103.0, 2, "a2")), "training"),
    ):
        grow(path, line)
        source.read_on()
        assert source.ranks[2].phase[0] == phase


def test_a_file_that_was_emptied_is_an_empty_rank(path):
    grow(path, record(1))
    source = OwnSource(path)
    source.read_on()
    path.write_text("")
    assert source.read_on()
    assert len(source.ranks[2].history) == 0


def test_lines_that_cannot_be_read_are_counted_and_the_first_is_named(path):
    grow(path, "garbage\n", record(1), "{}\n")
    source = OwnSource(path)
    source.read_on()
    (note,) = source.ranks[2].notes
    assert "2 lines could not be read; the first: rank_2.jsonl:1: " in note
    assert len(source.ranks[2].skipped) == 2
