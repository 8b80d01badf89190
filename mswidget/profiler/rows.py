"""Rows of text under any version's headers -> typed columns under our names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from mswidget.profiler import cells
from mswidget.profiler.spec import Column, Table

if TYPE_CHECKING:
    import pandas as pd

# They say where a row belongs, not that it holds something.
_KEYS = {"device", "step", "step_id"}
_DTYPES = {"number": pl.Float64, "text": pl.Categorical}
_MARK = "\0"  # no header begins with it


def match(headers: Iterable[str], table: Table) -> dict[str, Column]:
    """Return the column of every header; of two alike the first gets the name."""
    columns: dict[str, Column] = {}
    for header in headers:
        column = table.find(header)
        if column.name in {c.name for c in columns.values()}:
            column = Column(f"{header} {len(columns)}", "text")
        columns[header] = column
    return columns


def is_foreign(columns: dict[str, Column], table: Table) -> bool:
    """Whether no header is one of the table's own."""
    own = {c.name for c in table.columns if c.kind != "device" and "*" not in c.header}
    return own.isdisjoint(column.name for column in columns.values())


def convert(
    blocks: Iterable[pl.LazyFrame], columns: dict[str, Column], *, typed: bool = False
) -> tuple[pl.DataFrame, list[str]]:
    """Return the values of blocks of text, or of rows scanned by declared types.

    Returns
    -------
    The frame, and a note for every column with cells that cannot be read.
    """
    read = cells.typed if typed else cells.value
    checked = {h: c for h, c in columns.items() if not typed or c.kind == "time"}
    values = [read(h, c).alias(c.name) for h, c in columns.items()]
    damage = [cells.damage(h, c).alias(_MARK + c.name) for h, c in checked.items()]
    frames, counts = [], Counter[str]()
    for rows in blocks:
        frame = rows.select(*values, *damage).collect(engine="streaming")
        counts.update({c.name: frame[_MARK + c.name].sum() for c in checked.values()})
        frames.append(frame.select(column.name for column in columns.values()))
    frame = pl.concat(frames)
    return frame, [
        f"{count} of {len(frame)} cells of {name} cannot be read and are left empty"
        for name, count in counts.items()
        if count
    ]


def tidy(frame: pl.DataFrame, table: Table) -> tuple[pl.DataFrame, list[str]]:
    """Drop rows that repeat others or hold nothing, and nameless empty columns."""
    nameless = [s.name for s in frame if s.name.startswith("unnamed") and _is_empty(s)]
    return _filled(frame.drop(nameless), table)


def read_unknown(frame: pl.DataFrame, table: Table) -> pl.DataFrame:
    """Read columns that are not declared as numbers, where every cell is one."""
    known = {column.name for column in table.columns}
    texts = [s for s in frame if s.dtype == pl.Categorical and s.name not in known]
    return frame.with_columns(_guess(series) for series in texts)


def no_rows(table: Table) -> pl.DataFrame:
    """Return the declared columns of a table, without a row."""
    known = [column for column in table.columns if "*" not in column.header]
    return pl.DataFrame(schema={c.name: _DTYPES.get(c.kind, pl.Int64) for c in known})


def to_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    """Return a frame as pandas: int64 (Int64 with gaps), float64, categories.

    The frame is empty afterwards: column by column, a big table is in memory once.
    """
    # Only who opens a table pays for pandas.
    import pandas as pd  # noqa: PLC0415

    columns = {name: _column(frame.drop_in_place(name)) for name in frame.columns}
    return pd.DataFrame(columns, copy=False)


def _column(series: pl.Series) -> object:
    import pandas as pd  # noqa: PLC0415

    if series.dtype == pl.Categorical:
        return _categories(series)
    if series.dtype == pl.Int64 and series.null_count():
        values = series.fill_null(0).to_numpy()
        return pd.arrays.IntegerArray(values.copy(), series.is_null().to_numpy())
    return series.to_numpy(writable=True)


def _categories(series: pl.Series) -> pd.Categorical:
    import pandas as pd  # noqa: PLC0415

    names = series.drop_nulls().unique()
    order = names.cast(pl.String).arg_sort()
    used = names.to_physical().gather(order).to_numpy()
    # The numbers of polars are shared by all columns: count anew.
    codes = np.full(int(used.max(initial=0)) + 1, -1, dtype=np.int32)
    codes[used] = np.arange(len(used))
    at = series.to_physical().fill_null(0).to_numpy()
    numbers = np.where(series.is_null().to_numpy(), -1, codes[at])
    return pd.Categorical.from_codes(
        numbers, names.cast(pl.String).gather(order).to_list()
    )


def _filled(frame: pl.DataFrame, table: Table) -> tuple[pl.DataFrame, list[str]]:
    """Drop the rows without a value, and those that sum up or average others."""
    values = [name for name in frame.columns if name not in _KEYS]
    holds = frame.select(pl.any_horizontal(pl.col(values).is_not_null())).to_series()
    # A filter copies everything, and nearly always there is nothing to drop.
    filled = frame if holds.all() else frame.filter(holds)
    notes = []
    if len(frame) > len(filled):
        notes.append(f"{len(frame) - len(filled)} row(s) of nothing left out")
    for name, text in table.repeats:
        if name not in filled.columns:
            continue
        own = filled.filter(pl.col(name).cast(pl.String).ne_missing(text))
        # Without the rows that it sums up, a sum is all there is.
        if 0 < len(own) < len(filled):
            count = len(filled) - len(own)
            notes.append(f"{count} row(s) {text!r} left out: they repeat others")
            filled = own
    return filled, notes


def _guess(series: pl.Series) -> pl.Series:
    """Read an unknown column as numbers if every cell is one."""
    texts = series.cast(pl.String)
    for dtype in (pl.Int64, pl.Float64):
        numbers = texts.cast(dtype, strict=False)
        if numbers.null_count() == series.null_count() and not _is_empty(series):
            return numbers
    return series


def _is_empty(series: pl.Series) -> bool:
    return series.null_count() == len(series)
