"""Pieces hold every row once, and say what was trained again."""

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st

from mswidget.records.history import History
from mswidget.records.pieces import Pieces
from mswidget.records.record import Record

ROWS = st.lists(
    st.tuples(
        st.integers(1, 12),
        st.integers(0, 30),
        st.none() | st.integers(0, 3),
        st.sampled_from(["a1", "a1", "a1", "a2", "a3"]),
    ),
    max_size=40,
)
CUTS = st.lists(st.integers(0, 40), max_size=6)


def record(step, time_s, epoch, attempt):
    return Record(step, float(time_s), 0, attempt, {"loss": 1.0}, epoch)


def pieces_of(rows, key, cuts=()):
    history = History()
    pieces = Pieces(history, key)
    edges = sorted({0, len(rows), *(cut for cut in cuts if cut < len(rows))})
    for start, stop in itertools.pairwise(edges):
        history.extend(record(*row) for row in rows[start:stop])
        pieces.extend(stop)
    return pieces


def lost_of(steps):
    """Return which rows a later stretch trains again, one by one."""
    begins = [i for i in range(1, len(steps)) if steps[i] < steps[i - 1]]
    return [
        any(begin > i and steps[begin] <= step for begin in begins)
        for i, step in enumerate(steps)
    ]


def keys_of(rows, key):
    """Return the key of each row; NaN for a row that has no place."""
    found = []
    for i, (step, time_s, epoch, attempt) in enumerate(rows):
        goes_on = i > 0 and rows[i - 1][3] == attempt
        before = found[-1] if goes_on else math.nan
        own = {"step": step, "time": time_s, "epoch": epoch}[key]
        own = before if own is None else own
        found.append(max(own, before) if key == "time" and goes_on else own)
    return found


@given(ROWS, CUTS, st.sampled_from(["step", "time", "epoch"]))
def test_every_row_with_a_key_is_in_one_piece(rows, cuts, key):
    pieces = pieces_of(rows, key, cuts)
    keys = keys_of(rows, key)
    held = [row for piece in pieces.cut for row in range(piece.start, piece.stop)]
    assert held == [row for row, at in enumerate(keys) if not math.isnan(at)]
    for row in held:
        assert pieces.keys[row] == keys[row]
    for piece in pieces.cut:
        inside = keys[piece.start : piece.stop]
        assert inside == sorted(inside)
        assert {rows[row][3] for row in range(piece.start, piece.stop)} == {
            piece.attempt
        }
    known = [at for at in keys if not math.isnan(at)]
    assert pieces.extent == ((min(known), max(known)) if known else None)


@given(ROWS, CUTS, st.sampled_from(["step", "epoch"]))
def test_what_is_trained_again_is_not_kept(rows, cuts, key):
    lost = lost_of([row[0] for row in rows])
    for piece in pieces_of(rows, key, cuts).cut:
        assert {lost[row] for row in range(piece.start, piece.stop)} == {not piece.kept}


@given(ROWS, CUTS)
def test_by_time_all_is_kept(rows, cuts):
    assert all(piece.kept for piece in pieces_of(rows, "time", cuts).cut)


@given(ROWS, CUTS, st.sampled_from(["step", "time", "epoch"]))
def test_pieces_that_grow_are_those_of_all_rows(rows, cuts, key):
    grown, whole = pieces_of(rows, key, cuts), pieces_of(rows, key)
    assert grown.cut == whole.cut
    assert grown.begins == whole.begins


@given(ROWS, st.sampled_from(["step", "time", "epoch"]))
def test_neighbours_differ(rows, key):
    pieces = pieces_of(rows, key)
    for left, right in itertools.pairwise(pieces.cut):
        joined = left.stop == right.start and left.attempt == right.attempt
        falls = pieces.keys[right.start] < pieces.keys[left.stop - 1]
        anew = rows[right.start][0] < rows[right.start - 1][0]
        assert not joined or falls or anew or left.kept != right.kept


def test_a_line_begins_with_each_attempt_and_each_fall():
    rows = [(1, 0, 0, "a1"), (2, 1, 0, "a1"), (2, 2, 0, "a2"), (1, 3, 0, "a2")]
    assert pieces_of(rows, "step").begins == [0, 2, 3]


def test_taking_rows_back_is_counted():
    rows = [(step, step, 0, "a1") for step in (1, 2, 3, 4)]
    assert pieces_of(rows, "step").rewinds == 0
    assert pieces_of([*rows, (3, 5, 0, "a2")], "step").rewinds == 1
    assert pieces_of([*rows, (5, 5, 0, "a2")], "step").rewinds == 0
