"""Rows under any version's headers -> typed columns under our names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial

import polars as pl

from mswidget.profiler import cells
from mswidget.profiler.arrays import Array, Columns, Integers, Numbers, Texts
from mswidget.profiler.spec import Column, Table

Types = dict[str, pl.DataType]


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
    found = own.intersection(column.name for column in columns.values())
    return len(found) < min(2, len(own))


def convert(
    blocks: Iterable[pl.DataFrame], columns: dict[str, Column], types: Types, room: int
) -> tuple[Columns, list[str]]:
    """Return the values of blocks of rows.

    Parameters
    ----------
    blocks
        Rows of text, or read by ``types``; each is dropped before the next is asked
        for.
    columns
        What each header means.
    types
        From `cells.types`.
    room
        The most rows there may be.

    Returns
    -------
    The columns, and a note for every column with cells that cannot be read.
    """
    arrays = {h: _array(c, types[h], room) for h, c in columns.items()}
    damage, rows = Counter[str](), 0
    for block in blocks:
        values, damaged = _values(block, columns)
        for header, array in arrays.items():
            array.fill(rows, values[header])
        damage.update(damaged)
        rows += len(block)
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
    if column.kind == "text":
        return Texts(room, dtype, partial(cells.text, column=column))
    return Numbers(room) if column.kind == "number" else Integers(room)


def _values(
    block: pl.DataFrame, columns: dict[str, Column]
) -> tuple[pl.DataFrame, dict[str, int]]:
    """Return the values of a block, and how many cells of each column are damaged."""
    read = {h: c for h, c in columns.items() if c.kind != "text"}
    schema = block.schema
    texts = {h: c for h, c in read.items() if schema[h] == pl.String}
    bare = block.with_columns(cells.bare(h, c).alias(h) for h, c in texts.items())
    values = bare.with_columns(
        (cells.value if h in texts else cells.number)(h, c).alias(h)
        for h, c in read.items()
    )
    return values, {
        c.name: values[h].null_count() - bare[h].null_count()
        for h, c in texts.items()
        if c.kind != "device"
    }
