"""The columns of a table's files: tidied, put below each other, read on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
from pandas.api.types import union_categoricals

from mswidget.profiler.files.column_buffers import (
    Bools,
    Columns,
    Integral,
    integers,
    repeated,
)
from mswidget.profiler.tables.spec import Table

# They say where a row belongs, not that it holds something.
_KEYS = {"device", "step", "step_id"}


def length(columns: Columns) -> int:
    """Return how many rows there are."""
    return len(next(iter(columns.values()), ()))


def tidy(columns: Columns, table: Table) -> tuple[Columns, list[str]]:
    """Drop rows that repeat others or hold nothing, and nameless empty columns.

    The columns that are given are used up.
    """
    for name in [name for name in columns if name.startswith("unnamed")]:
        if pd.isna(columns[name]).all():
            del columns[name]
    notes = []
    nothing = _holds_nothing(columns)
    if nothing.any():
        notes.append(f"{nothing.sum()} row(s) of nothing left out")
        columns = _kept(columns, ~nothing)
    for name, text in table.repeats:
        if name not in columns:
            continue
        repeats = np.asarray(columns[name] == text)
        # Without the rows that it sums up, a sum is all there is.
        if 0 < repeats.sum() < len(repeats):
            notes.append(
                f"{repeats.sum()} row(s) {text!r} left out: they repeat others"
            )
            columns = _kept(columns, ~repeats)
    return columns, notes


def join(parts: list[Columns]) -> pd.DataFrame:
    """Put columns below each other; the parts are empty afterwards.

    Column by column, a big table is in memory once.
    """
    if len(parts) == 1:
        return pd.DataFrame(parts[0], copy=False)
    names = dict.fromkeys(name for part in parts for name in part)
    counts = [length(part) for part in parts]
    columns = {
        name: _below(
            [
                part.pop(name) if name in part else repeated(None, count)
                for part, count in zip(parts, counts, strict=True)
            ]
        )
        for name in names
    }
    return pd.DataFrame(columns, copy=False)


def stack(frames: list[pd.DataFrame]) -> pd.DataFrame:
    """Put frames below each other; of those without a row the first stands for none."""
    # Their types do not count: pandas 2 warns that they will.
    return pd.concat([frame for frame in frames if len(frame)] or frames[:1])


def fitting(texts: pd.Series[Any], fits: Callable[[str], bool]) -> Bools:
    """Return which texts fit; a name that stands in 100,000 rows is looked at once."""
    column = texts.astype("category").cat
    hits = [fits(str(text)) for text in column.categories]
    # The last one is for what is missing, which has the code -1.
    return np.array([*hits, False])[column.codes]


def read_unknown(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Read columns that are not declared as numbers, where every cell is one."""
    known = {column.name for column in table.columns}
    for name in frame.columns.difference({*known, "folder"}):
        if isinstance(frame[name].dtype, pd.CategoricalDtype):
            frame[name] = _guess(frame[name].array)
    return frame


def _holds_nothing(columns: Columns) -> Bools:
    nothing = np.ones(length(columns), np.bool_)
    for name in columns.keys() - _KEYS:
        # Nearly always the first column ends it.
        if nothing.any():
            nothing &= pd.isna(columns[name])
    return nothing


def _kept(columns: Columns, keep: Bools) -> Columns:
    return {name: _plain(columns.pop(name)[keep]) for name in [*columns]}


def _plain(column: Any) -> Any:  # noqa: ANN401 - an array of any kind
    if isinstance(column, pd.Categorical):
        return column.remove_unused_categories()
    if isinstance(column, pd.arrays.IntegerArray):
        return integers(*_numbers(column))
    return column


def _below(columns: list[Any]) -> Any:  # noqa: ANN401 - as above
    """Put columns below each other: text if one is, else float64 if one is."""
    if any(isinstance(column, pd.Categorical) for column in columns):
        texts = union_categoricals(list(map(_texts, columns)), sort_categories=True)
        return texts.remove_unused_categories()
    if any(column.dtype == np.float64 for column in columns):
        return np.concatenate(list(map(_floats, columns)))
    values, gaps = zip(*map(_numbers, columns), strict=True)
    return integers(np.concatenate(values), np.concatenate(gaps))


def _floats(column: Any) -> npt.NDArray[np.float64]:  # noqa: ANN401 - as above
    if isinstance(column, pd.arrays.IntegerArray):
        return column.to_numpy(np.float64, na_value=np.nan)
    return np.asarray(column, np.float64)


def _numbers(column: Integral) -> tuple[npt.NDArray[np.int64], Bools]:
    if isinstance(column, pd.arrays.IntegerArray):
        return column.to_numpy(np.int64, na_value=0), column.isna()
    return column, np.zeros(len(column), np.bool_)


def _texts(column: Any) -> pd.Categorical:  # noqa: ANN401 - as above
    if isinstance(column, pd.Categorical):
        return column
    codes, numbers = pd.factorize(column)
    return pd.Categorical.from_codes(codes, pd.Index(map(str, numbers), dtype=str))


def _guess(texts: pd.Categorical) -> Any:  # noqa: ANN401 - as above
    names = pl.Series(texts.categories.to_list(), dtype=pl.String)
    gaps = texts.codes < 0
    for dtype in (pl.Int64, pl.Float64):
        numbers = names.cast(dtype, strict=False)
        if len(numbers) and not numbers.has_nulls():
            values = numbers.to_numpy()[texts.codes]
            if dtype == pl.Int64:
                return integers(values, gaps)
            return np.where(gaps, np.nan, values)
    return texts
