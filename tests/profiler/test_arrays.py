"""Columns are the same however their cells come."""

import polars as pl
import pytest

from mswidget.profiler.arrays import Texts


@pytest.mark.parametrize("left_out", [[], ["lost"], ["lost", "c", "a"]])
def test_texts_of_rows_that_were_left_out_change_no_others(left_out):
    own = pl.Categorical(pl.Categories.random())
    column = Texts(6, own, clean=str)
    alive = pl.Series(left_out, dtype=own)
    for at, cells in enumerate((["a", "b"], [None, None], ["lost", "c"])):
        column.fill(2 * at, pl.Series(cells, dtype=own))
    assert column.first(6).tolist()[:2] == ["a", "b"]
    assert column.first(6).tolist()[4:] == ["lost", "c"]
    assert column.first(6).isna().tolist() == [False, False, True, True, False, False]
    assert len(alive) == len(left_out)


def test_many_texts_keep_their_places():
    names = [f"op {number}" for number in range(300)]
    own = pl.Categorical(pl.Categories.random())
    column = Texts(300, own, clean=str)
    for at in range(0, 300, 100):
        column.fill(at, pl.Series(names[at : at + 100], dtype=own))
    assert column.first(300).tolist() == names
