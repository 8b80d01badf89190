"""Rows under any version's headers -> typed columns under our names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
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
from mswidget.profiler.tables.spec import PLACES, Column, Table

Types = dict[str, pl.DataType]
Damage = tuple[str, str]  # of which column, and what is wrong


class FileBlock(NamedTuple):
    """Some rows of a table, and how many cells of each column are damaged."""

    values: pl.DataFrame
    gaps: pl.DataFrame  # of those that have some; a number's are NaN among its values
    damaged: Counter[Damage]


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
    return len(own_columns(columns, table)) < min(2, len(table.own))


def own_columns(headers: Iterable[str], table: Table) -> frozenset[str]:
    """Return which of a table's own columns some headers name."""
    return table.own & {table.find(header).name for header in headers}


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
    for reason, fits, is_wrong in _IMPOSSIBLE:
        suspects = [header for header, column in columns.items() if fits(column)]
        if wrong := _where(values, suspects, is_wrong):
            values = values.with_columns(
                cells.empty_where(header, is_wrong(header)) for header in wrong
            )
            damaged.update({(columns[h].name, reason): n for h, n in wrong.items()})
    some = pl.col([c.name for c in values if c.has_nulls() and c.dtype != pl.Float64])
    filled = values.with_columns(some.fill_null(0))
    return FileBlock(filled, values.select(some.is_null()), damaged)


def _unreadable(
    frame: pl.DataFrame,
    values: pl.DataFrame,
    columns: dict[str, Column],
    texts: dict[str, pl.Expr],
) -> Counter[Damage]:
    """Return how many cells of each column have no value and do not stand for none."""
    holes = [header for header in texts if values[header].has_nulls()]
    nothing = frame.select(cells.is_nothing(texts[h], columns[h]) for h in holes)
    return Counter(
        {
            (columns[h].name, _UNREADABLE): int(
                (values[h].is_null() & ~nothing[h]).sum()
            )
            for h in holes
            if columns[h].kind not in PLACES
        }
    )


def _where(
    values: pl.DataFrame, headers: list[str], is_wrong: Callable[[str], pl.Expr]
) -> dict[str, int]:
    """Return how many cells of a column are wrong, if there are."""
    counts = values.select(is_wrong(header).sum().alias(header) for header in headers)
    return {c.name: int(c.item()) for c in counts if c.item()}


def _is_duration(column: Column) -> bool:
    return (column.kind, column.unit) == ("number", "us")


def _is_other_number(column: Column) -> bool:
    return column.kind == "number" and not _is_duration(column)


def _is_known_duration(column: Column) -> bool:
    # Of what another column means nobody here knows.
    return _is_duration(column) and bool(column.written_in)


_UNREADABLE = "cannot be read"
_IMPOSSIBLE: tuple[
    tuple[str, Callable[[Column], bool], Callable[[str], pl.Expr]], ...
] = (
    (_UNREADABLE, _is_duration, cells.is_endless),
    (_UNREADABLE, _is_other_number, cells.is_infinite),
    ("are below 0", _is_known_duration, cells.is_negative),
    (
        "are no time, among times of today",
        lambda column: column.kind == "time",
        cells.is_unset,
    ),
)


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
    damage, rows = Counter[Damage](), 0
    for block in blocks:
        at = slice(rows, rows := rows + len(block.values))
        gaps = {column.name: column.to_numpy() for column in block.gaps}
        for header, array in arrays.items():
            array.fill(at, block.values[header].to_numpy(), gaps.get(header))
        damage.update(block.damaged)
    return {c.name: arrays.pop(h).first(rows) for h, c in columns.items()}, [
        f"{count} of {rows} cells of {name} {reason} and are left empty"
        for (name, reason), count in damage.items()
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
