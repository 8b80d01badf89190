"""Names of metrics as they are shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.drawing.names import shown, visible


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("loss/bbox", "loss/bbox"),
        ("two words", "two words"),
        ("", '""'),
        ("loss ", "loss␣"),
        (" loss", "␣loss"),
        ("a  b", "a ␣b"),
        ("  ", "␣␣"),
        ("a\x00\ud800b", "a\\x00\\ud800b"),
        ("损失", "损失"),
    ],
)
def test_nothing_of_a_name_is_unseen(name, seen):
    assert visible(name) == seen


@pytest.mark.parametrize("place", [0, 150, 299])
def test_long_names_that_differ_anywhere_are_told_apart(place):
    names = ["x" * place + mark + "x" * (299 - place) for mark in "abc"]
    found = shown(names, 36)
    assert [*found] == names
    assert len(set(found.values())) == 3
    assert all(len(text) <= 40 for text in found.values())


@given(st.lists(st.text("ab ␣", max_size=60), unique=True))
def test_no_two_names_look_the_same(names):
    assert len({*shown(names, 20).values()}) == len(names)
