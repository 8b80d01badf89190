"""What is said of a rank beside its numbers."""

import os
from dataclasses import replace

import pytest

from mswidget.pictures.standing import goes_on, newest, quiet, remark, since_s
from mswidget.records.history import History
from mswidget.records.rank import Rank
from mswidget.records.record import Event, Record, to_line

RECORD = Record(7, 100.0, 0, "a1", {"loss": 0.5}, epoch=2)
END = Event("train_end", 7, 120.0, 0, "a1")


@pytest.fixture
def rank(tmp_path):
    path = tmp_path / "rank_0.jsonl"
    path.write_text(to_line(RECORD))
    history = History()
    history.extend([RECORD])
    return Rank(0, history, path=path)


def test_a_rank_is_quiet_since_its_file_was_last_written(rank):
    assert quiet(rank) == ""
    os.utime(rank.path, (0, 0))
    assert quiet(rank).startswith("silent since 19")
    assert quiet(replace(rank, events=[END])) == ""


def test_a_rank_that_is_far_behind_the_others_does_not_go_on(rank):
    assert goes_on(rank, 101.0)
    assert not goes_on(rank, 1000.0)
    assert not goes_on(replace(rank, events=[END]), 101.0)


def test_the_phase_of_a_rank_that_has_ended_began_with_its_end(rank):
    assert since_s(rank) == 100.0
    assert since_s(replace(rank, events=[END])) == 120.0


def test_the_newest_values_are_those_at_the_end_of_the_file(rank):
    assert newest(rank) == {
        "step": 7,
        "epoch": 2,
        "last_value_s": 100.0,
        "detail": "loss 0.5; the history is being read",
    }
    assert newest(replace(rank, path=rank.path.with_name("gone"))) == {}


def test_why_there_is_less_to_see_is_said(rank):
    assert remark(rank) == ""
    assert "only the end" in remark(replace(rank, left_out=9))
