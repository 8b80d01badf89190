"""Rows under any version's headers -> typed columns under our names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import polars as pl

from mswidget.profiler.files import cells
from mswidget.profiler.files.column_buffers import (
    Array,
    Columns,
    Integers,
    Numbers,
    Texts,
)
from mswidget.profiler.tables.spec import Column, Table

Types = dict[str, pl.DataType]


class FileBlock(NamedTuple):
    """Some rows of a table, and how many cells of each column are damaged."""

    values: pl.DataFrame
    gaps: pl.DataFrame  # of those that have some; a number's are NaN among its values
    damaged: dict[str, int]


def match(headers: Iterable[str], table: Table) -> dict[str, Column]:
    """Return the column of every header; of two alike the first gets the name."""
    columns: dict[str, Column] = {}
    taken: set[str] = set()
    for header in headers:
        column = table.find(header)
        if column.name in taken:
            column = Column(f"{header} {len(columns)}", "text")
        taken.add(column.name)
        columns[header] = column
    return columns


def is_foreign(columns: dict[str, Column], table: Table) -> bool:
    """Whether fewer than two headers are the table's own: a name alone says nothing."""
    own = {c.name for c in table.columns if c.kind != "device" and "*" not in c.header}
    known = own.intersection(column.name for column in columns.values())
    return len(known) < min(2, len(own))


def read(frame: pl.DataFrame, columns: dict[str, Column], types: Types) -> FileBlock:
    """Return the values of rows of text, or of rows that were read by ``types``."""
    schema = frame.schema
    texts = {
        header: cells.bare(header)
        for header, column in columns.items()
        if column.kind != "text" and schema[header] == pl.String
    }
    values = frame.select(
        _expression(header, column, texts.get(header), types[header]).alias(header)
        for header, column in columns.items()
    )
    damaged = _unreadable(frame, values, columns, texts)
    if endless := _endless(values, columns):
        values = values.with_columns(map(cells.but_endless, endless))
        damaged.update({columns[h].name: count for h, count in endless.items()})
    some = pl.col([c.name for c in values if c.has_nulls() and c.dtype != pl.Float64])
    filled = values.with_columns(some.fill_null(0))
    return FileBlock(filled, values.select(some.is_null()), damaged)


def _unreadable(
    frame: pl.DataFrame,
    values: pl.DataFrame,
    columns: dict[str, Column],
    texts: dict[str, pl.Expr],
) -> Counter[str]:
    """Return how many cells of each column have no value and do not stand for none."""
    holes = [header for header in texts if values[header].has_nulls()]
    nothing = frame.select(cells.is_nothing(texts[h], columns[h]) for h in holes)
    return Counter(
        {
            columns[h].name: int((values[h].is_null() & ~nothing[h]).sum())
            for h in holes
            if columns[h].kind != "device"
        }
    )


def _endless(values: pl.DataFrame, columns: dict[str, Column]) -> dict[str, int]:
    """Return how many durations of a column are longer than any run, if there are."""
    durations = [h for h, c in columns.items() if (c.kind, c.unit) == ("number", "us")]
    # Nearly always the largest of each says that there are none.
    longest = values.select(pl.col(durations).abs().max())
    counts = {
        header: values.select(cells.is_endless(header).sum()).item()
        for header in durations
        if (longest[header] > cells.LONGEST_US).any()
    }
    return {header: int(count) for header, count in counts.items() if count}


def _expression(
    header: str, column: Column, text: pl.Expr | None, dtype: pl.DataType
) -> pl.Expr:
    if column.kind == "text":
        return pl.col(header).cast(dtype).to_physical()
    if text is None:
        return cells.number(header, column)
    return cells.value(text, header, column)


def convert(
    blocks: Iterable[FileBlock], columns: dict[str, Column], types: Types, room: int
) -> tuple[Columns, list[str]]:
    """Return the values of blocks of rows.

    Parameters
    ----------
    blocks
        From `read`, lazily: numbers of texts count while the columns are there.
    columns
        What each header means.
    types
        From `cells.types`.
    room
        About how many rows there will be; they may become more.

    Returns
    -------
    The columns, and a note for every column with cells that cannot be read.
    """
    arrays = {h: _array(c, types[h], room) for h, c in columns.items()}
    damage, rows = Counter[str](), 0
    for block in blocks:
        at = slice(rows, rows := rows + len(block.values))
        gaps = {column.name: column.to_numpy() for column in block.gaps}
        for header, array in arrays.items():
            array.fill(at, block.values[header].to_numpy(), gaps.get(header))
        damage.update(block.damaged)
    return {c.name: arrays.pop(h).first(rows) for h, c in columns.items()}, [
        f"{count} of {rows} cells of {name} cannot be read and are left empty"
        for name, count in damage.items()
        if count
    ]


def no_rows(table: Table) -> Columns:
    """Return the declared columns of a table, without a row."""
    known = {c.header: c for c in table.columns if "*" not in c.header}
    return convert([], known, cells.types(known), 0)[0]


def _array(column: Column, dtype: pl.DataType, room: int) -> Array:
    if isinstance(dtype, pl.Categorical):
        return Texts(room, dtype, partial(cells.text, column=column))
    return Numbers(room) if column.kind == "number" else Integers(room)
