"""Blocks made ahead come in their turn, and words are counted right."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.blocks import ahead, tally


def test_all_come_in_turn_though_the_first_takes_longest():
    last_is_made = threading.Event()

    def make(number):
        if number == 0:
            assert last_is_made.wait(60)
        if number == 2:
            last_is_made.set()
        return -number

    assert list(ahead(make, range(20))) == [-number for number in range(20)]


def test_no_more_is_taken_than_is_worked_on():
    taken = iter(range(1000))
    next(ahead(abs, taken))
    assert next(taken) < 10


def test_what_is_raised_comes_out():
    with pytest.raises(ZeroDivisionError):
        list(ahead(lambda number: 1 // number, [1, 0]))


@given(st.text('a": n', max_size=60), st.sampled_from(['"', '":', '": n']))
def test_words_are_counted_as_by_bytes(text, word):
    assert tally(word.encode(), text.encode()) == text.count(word)
