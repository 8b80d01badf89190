"""Words are counted fast, and right."""

from hypothesis import given
from hypothesis import strategies as st

from mswidget.tally import tally


@given(st.text('a": n', max_size=60), st.sampled_from(['"', '":', '": n']))
def test_words_are_counted_as_by_bytes(text, word):
    assert tally(word.encode(), text.encode()) == text.count(word)
