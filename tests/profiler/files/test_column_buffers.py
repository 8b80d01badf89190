"""Columns are the same however their cells come."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from mswidget.profiler.files.column_buffers import Integers, Numbers, Texts

GAPS = np.array([False, True, False])


def numbers_of(texts, dtype):
    return pl.Series(texts, dtype=dtype).to_physical().to_numpy()


@pytest.mark.parametrize("left_out", [[], ["lost"], ["lost", "c", "a"]])
def test_texts_of_rows_that_were_left_out_change_no_others(left_out):
    own = pl.Categorical(pl.Categories.random())
    column = Texts(6, own, clean=str)
    numbers_of(left_out, own)
    column.fill(slice(0, 2), numbers_of(["a", "b"], own), None)
    nothing = np.zeros(2, np.uint32)
    column.fill(slice(2, 4), nothing, np.array([True, True]))
    column.fill(slice(4, 6), numbers_of(["lost", "c"], own), None)
    texts = column.first(6)
    assert texts[:2].tolist() + texts[4:].tolist() == ["a", "b", "lost", "c"]
    assert texts.isna().tolist() == [False, False, True, True, False, False]
    assert texts.categories.tolist() == ["a", "b", "c", "lost"]


def test_texts_keep_their_places_where_there_was_no_room():
    names = [f"op {number}" for number in range(300)]
    own = pl.Categorical(pl.Categories.random())
    column = Texts(2, own, clean=str)
    for at in range(0, 300, 100):
        part = slice(at, at + 100)
        column.fill(part, numbers_of(names[part], own), None)
    assert column.first(300).tolist() == names


def test_gaps_are_gaps_whatever_stands_in_them():
    values = np.array([2**62 + 1, 0, 3])
    integers, numbers = Integers(3), Numbers(3)
    integers.fill(slice(0, 3), values, GAPS)
    numbers.fill(slice(0, 3), np.where(GAPS, np.nan, values), None)
    assert integers.first(3).tolist() == [2**62 + 1, pd.NA, 3]
    assert np.isnan(numbers.first(3)).tolist() == GAPS.tolist()


@pytest.mark.parametrize("kind", [Numbers, Integers])
def test_numbers_keep_their_places_where_there_was_no_room(kind):
    column, numbers = kind(2), np.arange(300)
    for at in range(0, 300, 100):
        column.fill(slice(at, at + 100), numbers[at : at + 100], None)
    assert column.first(300).tolist() == numbers.tolist()
