"""What is to know of many ranks."""

import pytest

from mswidget.records.shared_notes import shared_notes


@pytest.mark.parametrize(
    ("ranks", "words"),
    [
        (range(16), "ranks 0 to 15"),
        ([3], "rank 3"),
        ([0, 2, 3, 4, 9], "ranks 0, 2 to 4, 9"),
    ],
)
def test_a_note_of_many_ranks_is_one(ranks, words):
    notes = {rank: ["mind"] if rank in ranks else [] for rank in range(16)}
    assert shared_notes(notes) == [f"{words}: mind"]


def test_a_rank_alone_needs_no_name():
    assert shared_notes({7: ["mind", "this", "mind"]}) == ["mind", "this"]
    assert shared_notes({}) == []


def test_notes_stay_in_their_order():
    notes = {0: ["a", "b"], 1: ["b", "c"]}
    assert shared_notes(notes) == ["rank 0: a", "ranks 0 to 1: b", "rank 1: c"]
