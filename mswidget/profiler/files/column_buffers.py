"""Columns that are filled block by block, in the memory that they stay in.

Of zeros, what is never filled takes no memory: room for too many rows is no waste.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl

Bools = npt.NDArray[np.bool_]
Cells = npt.NDArray[Any]
Integral = npt.NDArray[np.int64] | pd.arrays.IntegerArray
# Arrays of one length by name: beside many small files DataFrames take long to make.
Columns = dict[str, Any]


class Numbers:
    """float64; a gap is NaN."""

    def __init__(self, room: int) -> None:
        self._values = np.zeros(room)

    def fill(self, at: slice, values: Cells, _: Bools | None) -> None:
        """Put cells where they belong; gaps are NaN among them."""
        self._values = _with_room(self._values, at.stop)
        self._values[at] = values

    def first(self, count: int) -> npt.NDArray[np.float64]:
        """Return what was filled."""
        return self._values[:count]


class Integers:
    """int64, or Int64 where there are gaps."""

    def __init__(self, room: int) -> None:
        self._values = np.zeros(room, np.int64)
        self._gaps = np.zeros(room, np.bool_)

    def fill(self, at: slice, values: Cells, gaps: Bools | None) -> None:
        """Put cells where they belong."""
        self._values = _with_room(self._values, at.stop)
        self._gaps = _with_room(self._gaps, at.stop)
        if gaps is not None:
            self._gaps[at] = gaps
        if gaps is None or not gaps.all():
            self._values[at] = values

    def first(self, count: int) -> Integral:
        """Return what was filled."""
        return integers(self._values[:count], self._gaps[:count])


class Texts:
    """Categories, sorted.

    Parameters
    ----------
    room
        About how many cells there will be; they may become more.
    dtype
        Categories of this column alone, whose numbers of its texts are the cells.
    clean
        Gives the text of a cell as written, or None where it stands for no value.
    """

    def __init__(
        self, room: int, dtype: pl.Categorical, clean: Callable[[str], str | None]
    ) -> None:
        # While a Series of theirs lives, polars does not number the texts anew.
        self._alive = pl.Series(dtype=dtype)
        self._texts = dtype.categories
        self._clean = clean
        self._codes: npt.NDArray[np.signedinteger[Any]] = np.zeros(room, np.int8)

    def fill(self, at: slice, values: Cells, gaps: Bools | None) -> None:
        """Put cells where they belong."""
        codes = values.view(np.int32)
        if gaps is not None:
            codes = np.where(gaps, -1, codes)
        # A byte a cell while there are few texts.
        wide = np.min_scalar_type(-1 - int(codes.max(initial=-1)))
        dtype = np.promote_types(wide, self._codes.dtype)
        room = _with_room(self._codes, at.stop)
        self._codes = room.astype(dtype, copy=False)
        self._codes[at] = codes

    def first(self, count: int) -> pd.Categorical:
        """Return what was filled."""
        codes = self._codes[:count]
        is_used = np.zeros(int(codes.max(initial=-1)) + 2, np.bool_)
        is_used[codes] = True
        clean = [
            self._clean(str(self._texts[code])) if here else None
            for code, here in enumerate(is_used[:-1])
        ]
        names = sorted({name for name in clean if name is not None})
        place: dict[str | None, int] = {name: at for at, name in enumerate(names)}
        # The last place is that of code -1.
        places = np.array([*(place.get(name, -1) for name in clean), -1], codes.dtype)
        return pd.Categorical.from_codes(places[codes], pd.Index(names, dtype=str))


Array = Numbers | Integers | Texts


def _with_room(array: npt.NDArray[Any], stop: int) -> npt.NDArray[Any]:
    """Return an array that reaches so far; it is made anew when it must grow."""
    if stop <= len(array):
        return array
    grown = np.zeros(stop * 5 // 4, array.dtype)
    grown[: len(array)] = array
    return grown


def integers(values: npt.NDArray[np.int64], gaps: Bools) -> Integral:
    """Return int64, or Int64 if there are gaps."""
    return pd.arrays.IntegerArray(values, gaps) if gaps.any() else values


def repeated(value: int | None, count: int) -> Integral:
    """Return one number, or a gap, for every row."""
    # Of zeros, what is never read takes no memory.
    zeros = np.zeros(count, np.int64)
    values = zeros if value is None else np.full(count, value)
    return integers(values, np.full(count, value is None))
