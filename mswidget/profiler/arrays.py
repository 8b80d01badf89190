"""Columns that are filled block by block, in the memory that they stay in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl

_GAP = 2**32 - 1  # as int32 it is -1, which pandas takes for a gap

Bools = npt.NDArray[np.bool_]
Integral = npt.NDArray[np.int64] | pd.arrays.IntegerArray
# Arrays of one length by name: beside many small files DataFrames take long to make.
Columns = dict[str, Any]


class Numbers:
    """float64; a gap is NaN."""

    def __init__(self, room: int) -> None:
        self._values = np.empty(room)

    def fill(self, start: int, cells: pl.Series) -> None:
        """Put cells behind those that are there."""
        self._values[start : start + len(cells)] = cells.to_numpy()

    def first(self, count: int) -> npt.NDArray[np.float64]:
        """Return what was filled."""
        return self._values[:count]


class Integers:
    """int64, or Int64 where there are gaps."""

    def __init__(self, room: int) -> None:
        # Of zeros, what is never filled takes no memory: a column of gaps.
        self._values = np.zeros(room, np.int64)
        self._gaps = np.zeros(room, np.bool_)

    def fill(self, start: int, cells: pl.Series) -> None:
        """Put cells behind those that are there."""
        at = slice(start, start + len(cells))
        if not cells.has_nulls():
            self._values[at] = cells.to_numpy()
            return
        self._gaps[at] = cells.is_null().to_numpy()
        if cells.null_count() < len(cells):
            self._values[at] = cells.fill_null(0).to_numpy()

    def first(self, count: int) -> Integral:
        """Return what was filled."""
        return integers(self._values[:count], self._gaps[:count])


class Texts:
    """Categories, sorted.

    Parameters
    ----------
    room
        The most cells there may be.
    dtype
        Categories of this column alone, which number its texts through all blocks.
    clean
        Gives the text of a cell as written, or None where it stands for no value.
    """

    def __init__(
        self, room: int, dtype: pl.DataType, clean: Callable[[str], str | None]
    ) -> None:
        # While a Series of theirs lives, polars does not number the texts anew.
        self._numbered = pl.Series(dtype=dtype)
        self._clean = clean
        self._codes: npt.NDArray[np.signedinteger[Any]] = np.empty(room, np.int8)
        self._texts: dict[int, str] = {}
        self._highest = -1

    def fill(self, start: int, cells: pl.Series) -> None:
        """Put cells behind those that are there."""
        cells = cells.cast(self._numbered.dtype)
        numbers = cells.to_physical()
        numbers = numbers.fill_null(_GAP) if numbers.has_nulls() else numbers
        codes = numbers.to_numpy().view(np.int32)
        highest = int(codes.max(initial=-1))
        # A code may be of a cell that was left out, and come again.
        if highest > self._highest or self._highest >= len(self._texts):
            self._learn(cells)
        self._codes[start : start + len(cells)] = codes

    def first(self, count: int) -> pd.Categorical:
        """Return what was filled."""
        clean = {code: self._clean(text) for code, text in self._texts.items()}
        names = sorted({name for name in clean.values() if name is not None})
        place: dict[str | None, int] = {name: at for at, name in enumerate(names)}
        # The last place is that of code -1.
        places = np.full(self._highest + 2, -1, self._codes.dtype)
        for code, name in clean.items():
            places[code] = place.get(name, -1)
        codes = places[self._codes[:count]]
        return pd.Categorical.from_codes(codes, pd.Index(names, dtype=str))

    def _learn(self, cells: pl.Series) -> None:
        texts = cells.drop_nulls().unique()
        codes = texts.to_physical().to_list()
        self._texts.update(zip(codes, texts.cast(pl.String).to_list(), strict=True))
        self._highest = max([self._highest, *codes])
        # A byte a cell while there are few texts.
        wide = np.min_scalar_type(-1 - self._highest)
        self._codes = self._codes.astype(wide, copy=False)


Array = Numbers | Integers | Texts


def integers(values: npt.NDArray[np.int64], gaps: Bools) -> Integral:
    """Return int64, or Int64 if there are gaps."""
    return pd.arrays.IntegerArray(values, gaps) if gaps.any() else values


def repeated(value: int | None, count: int) -> Integral:
    """Return one number, or a gap, for every row."""
    # Of zeros, what is never read takes no memory.
    zeros = np.zeros(count, np.int64)
    values = zeros if value is None else np.full(count, value)
    return integers(values, np.full(count, value is None))
