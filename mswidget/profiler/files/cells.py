"""Cells as written -> numbers, exact times and text, as polars expressions."""

from __future__ import annotations

import polars as pl

from mswidget.profiler.tables.spec import PLACES, UNITS, Column, split_unit

_NOTHING = ("", "N/A", "-")
# NA is how one tool writes no value, and a fine name for an operator.
_NO_NUMBER = (*_NOTHING, "NA", "nan", "NaN")
_AROUND = ' \t\r\n"'  # the tab behind every time, the quotes around shapes
# Digits behind the point that make a nanosecond.
_DIGITS = {"ns": 0, "us": 3, "ms": 6, "s": 9}
# A spreadsheet turns 1736405443881410.320 into 1.73641E+15: hours are lost.
_ROUNDED = r"(?i)\de\+?\d"
LONGEST_US = 1e14  # three years
TODAY = 10**18  # ns since 1970: in 2001


def types(columns: dict[str, Column]) -> dict[str, pl.DataType]:
    """Return how polars may read a file whose cells are all in order: fast.

    The last number is read as text, so that an empty cell is not the same as N/A.
    """
    declared = {header: _type(column) for header, column in columns.items()}
    last = [*declared][-1:]
    numbers = [header for header in last if declared[header].is_numeric()]
    return declared | dict.fromkeys(numbers, pl.String())


def text(cell: str, column: Column) -> str | None:
    """Return the text of a cell, None if it stands for no value."""
    bare = cell.strip(_AROUND)
    return None if bare in _NOTHING or bare in column.none else bare


def bare(header: str) -> pl.Expr:
    """Return the expression of cells of text without what is around them."""
    return pl.col(header).str.strip_chars(_AROUND)


def is_nothing(cell: pl.Expr, column: Column) -> pl.Expr:
    """Return the expression of which `bare` cells stand for no value."""
    return cell.is_in([*_NO_NUMBER, *column.none])


def value(cell: pl.Expr, header: str, column: Column) -> pl.Expr:
    """Return the expression that reads `bare` cells.

    Null or NaN is what stands for no value, null what cannot be read.
    """
    if column.none:
        cell = pl.when(cell.is_in([*column.none])).then(None).otherwise(cell)
    if column.kind == "time":
        return _nanoseconds(cell, _unit(header, column))
    if column.kind == "integer":
        return cell.str.replace(r"\.0+$", "").cast(pl.Int64, strict=False)
    if column.kind in PLACES:
        return cell.str.extract(r"^(?:NPU:)?(\d{1,9})$").cast(pl.Int64)
    number = cell.str.strip_suffix("%").cast(pl.Float64, strict=False)
    return _scaled(number, header, column)


def is_endless(header: str) -> pl.Expr:
    """Return the expression of which durations in us are longer than any run."""
    # NaN, a gap, is more than any number here.
    return (pl.col(header).abs() > LONGEST_US) & pl.col(header).is_not_nan()


def is_infinite(header: str) -> pl.Expr:
    """Return the expression of which numbers are none."""
    return pl.col(header).is_infinite()


def is_negative(header: str) -> pl.Expr:
    """Return the expression of which durations are below nothing."""
    return pl.col(header) < 0


def is_unset(header: str) -> pl.Expr:
    """Return the expression of which moments are none among those of today."""
    return (pl.col(header) <= 0) & (pl.col(header).max() > TODAY)


def empty_where(header: str, is_none: pl.Expr) -> pl.Expr:
    """Return the expression of cells, null where a condition holds."""
    return pl.when(is_none).then(None).otherwise(pl.col(header)).alias(header)


def number(header: str, column: Column) -> pl.Expr:
    """Return the expression of cells that polars read as numbers."""
    nothing = [*{float(text) for text in column.none}]
    cell = pl.col(header)
    read = cell.replace(nothing, None) if nothing else cell
    return _scaled(read, header, column)


def _type(column: Column) -> pl.DataType:
    if column.kind == "text":
        return pl.Categorical(pl.Categories.random())
    numeric = {"number": pl.Float64(), "integer": pl.Int64()}
    return numeric.get(column.kind, pl.String())


def _unit(header: str, column: Column) -> str:
    return split_unit(header)[1] or column.written_in


def _scaled(number: pl.Expr, header: str, column: Column) -> pl.Expr:
    factor = _factor(_unit(header, column), column.unit)
    return number if factor == 1 else number * factor


def _nanoseconds(cell: pl.Expr, unit: str) -> pl.Expr:
    # float64 holds a time of today in steps of 0.25 us only: decimals are exact.
    digits = _DIGITS[unit or "us"]
    exact = cell.cast(pl.Decimal(38, digits), strict=False)
    time = (exact * 10**digits).cast(pl.Int64, strict=False)
    return pl.when(cell.str.contains(_ROUNDED)).then(None).otherwise(time)


def _factor(written: str, wanted: str) -> float:
    if not written or not wanted or UNITS[written][1] != UNITS[wanted][1]:
        return 1.0
    return UNITS[written][2] / UNITS[wanted][2]
