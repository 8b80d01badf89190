"""The frames of a table's files: tidied, put below each other, read on."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
from pandas.api.types import union_categoricals

from mswidget.profiler.arrays import Bools, integers, repeated
from mswidget.profiler.spec import Table

# They say where a row belongs, not that it holds something.
_KEYS = {"device", "step", "step_id"}


def tidy(frame: pd.DataFrame, table: Table) -> tuple[pd.DataFrame, list[str]]:
    """Drop rows that repeat others or hold nothing, and nameless empty columns."""
    nameless = [
        name
        for name in frame.columns
        if name.startswith("unnamed") and frame[name].isna().all()
    ]
    for name in nameless:
        del frame[name]
    notes = []
    nothing = _holds_nothing(frame)
    if nothing.any():
        notes.append(f"{nothing.sum()} row(s) of nothing left out")
        frame = _kept(frame, ~nothing)
    for name, text in table.repeats:
        if name not in frame:
            continue
        repeats = (frame[name] == text).to_numpy()
        # Without the rows that it sums up, a sum is all there is.
        if 0 < repeats.sum() < len(frame):
            notes.append(
                f"{repeats.sum()} row(s) {text!r} left out: they repeat others"
            )
            frame = _kept(frame, ~repeats)
    return frame, notes


def join(frames: list[pd.DataFrame]) -> pd.DataFrame:
    """Put frames below each other; they are empty afterwards.

    Column by column, a big table is in memory once.
    """
    if len(frames) == 1:
        return frames[0]
    names = dict.fromkeys(name for frame in frames for name in frame.columns)
    counts = [len(frame) for frame in frames]
    columns = {
        name: _below(
            [
                frame.pop(name) if name in frame else pd.Series(repeated(None, count))
                for frame, count in zip(frames, counts, strict=True)
            ]
        )
        for name in names
    }
    return pd.DataFrame(columns, copy=False)


def read_unknown(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Read columns that are not declared as numbers, where every cell is one."""
    known = {column.name for column in table.columns}
    for name in frame.columns.difference({*known, "folder"}):
        if isinstance(frame[name].dtype, pd.CategoricalDtype):
            frame[name] = _guess(frame[name].array)
    return frame


def _holds_nothing(frame: pd.DataFrame) -> Bools:
    nothing = np.ones(len(frame), np.bool_)
    for name in frame.columns.difference(_KEYS):
        # Nearly always the first column ends it.
        if nothing.any():
            nothing &= frame[name].isna().to_numpy()
    return nothing


def _kept(frame: pd.DataFrame, keep: Bools) -> pd.DataFrame:
    names = frame.columns.to_list()
    return pd.DataFrame({n: _plain(frame.pop(n)[keep]) for n in names}, copy=False)


def _plain(column: pd.Series[Any]) -> Any:  # noqa: ANN401 - an array of any kind
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.array.remove_unused_categories()
    if column.dtype == "Int64":
        return integers(*_numbers(column))
    return column.to_numpy()


def _below(columns: list[pd.Series[Any]]) -> Any:  # noqa: ANN401 - as above
    """Put columns below each other: text if one is, else float64 if one is."""
    if any(isinstance(column.dtype, pd.CategoricalDtype) for column in columns):
        texts = union_categoricals(list(map(_texts, columns)), sort_categories=True)
        return texts.remove_unused_categories()
    if any(column.dtype == np.float64 for column in columns):
        return np.concatenate(
            [c.to_numpy(np.float64, na_value=np.nan) for c in columns]
        )
    values, gaps = zip(*map(_numbers, columns), strict=True)
    return integers(np.concatenate(values), np.concatenate(gaps))


def _numbers(column: pd.Series[Any]) -> tuple[npt.NDArray[np.int64], Bools]:
    return column.to_numpy(np.int64, na_value=0), column.isna().to_numpy()


def _texts(column: pd.Series[Any]) -> pd.Categorical:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.array
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
