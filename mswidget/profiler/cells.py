"""Cells as written -> numbers, exact times and text, as polars expressions."""

from __future__ import annotations

import polars as pl

from mswidget.profiler.spec import UNITS, Column, split_unit

_NOTHING = ("", "N/A", "-")
# Digits behind the point that make a nanosecond.
_DIGITS = {"ns": 0, "us": 3, "ms": 6, "s": 9}
_TYPES: dict[str, type[pl.DataType]] = {"number": pl.Float64, "integer": pl.Int64}
# A spreadsheet turns 1736405443881410.320 into 1.73641E+15: hours are lost.
_ROUNDED = r"(?i)\de\+?\d"


def types(columns: dict[str, Column]) -> dict[str, type[pl.DataType]]:
    """Return how polars may read a file whose cells are all in order: fast."""
    return {
        header: _TYPES.get(column.kind, pl.String) for header, column in columns.items()
    }


def typed(header: str, column: Column) -> pl.Expr:
    """Return the expression that reads a column scanned with `types`."""
    if column.kind not in _TYPES:
        return value(header, column)
    return _scaled(_without(pl.col(header), column), header, column)


def value(header: str, column: Column) -> pl.Expr:
    """Return the expression that reads a column of text written under ``header``.

    What cannot be read is null; see `damage`.
    """
    cell = _cell(header, column)
    if column.kind == "time":
        return _nanoseconds(cell, _unit(header, column))
    if column.kind == "integer":
        return cell.str.replace(r"\.0+$", "").cast(pl.Int64, strict=False)
    if column.kind == "device":
        return cell.str.extract(r"^(?:NPU:)?(\d{1,9})$").cast(pl.Int64)
    if column.kind == "text":
        return cell.cast(pl.Categorical)
    number = cell.str.strip_suffix("%").cast(pl.Float64, strict=False)
    return _scaled(number, header, column)


def damage(header: str, column: Column) -> pl.Expr:
    """Return the expression that is true where a cell is there but unreadable."""
    if column.kind in {"text", "device"}:
        return pl.lit(value=False)
    return _cell(header, column).is_not_null() & value(header, column).is_null()


def _unit(header: str, column: Column) -> str:
    return split_unit(header)[1] or column.written_in


def _without(number: pl.Expr, column: Column) -> pl.Expr:
    nothing = [int(text) for text in column.none]
    return number.replace(nothing, None) if nothing else number


def _scaled(number: pl.Expr, header: str, column: Column) -> pl.Expr:
    factor = _factor(_unit(header, column), column.unit)
    return number if factor == 1 else number * factor


def _cell(header: str, column: Column) -> pl.Expr:
    """Strip blanks, the tab behind every time, and the quotes around shapes."""
    bare = pl.col(header).str.strip_chars(' \t\r\n"')
    # NA is how one tool writes no value, and a fine name for an operator.
    nothing = _NOTHING if column.kind == "text" else (*_NOTHING, "NA", "nan", "NaN")
    return pl.when(bare.is_in([*nothing, *column.none])).then(None).otherwise(bare)


def _nanoseconds(cell: pl.Expr, unit: str) -> pl.Expr:
    # float64 holds a time of today in steps of 0.25 us only: decimals are exact.
    digits = _DIGITS[unit or "us"]
    whole = pl.when(cell.str.contains(_ROUNDED)).then(None).otherwise(cell)
    exact = whole.cast(pl.Decimal(38, digits), strict=False)
    return (exact * 10**digits).cast(pl.Int64, strict=False)


def _factor(written: str, wanted: str) -> float:
    if not written or not wanted or UNITS[written][1] != UNITS[wanted][1]:
        return 1.0
    return UNITS[written][2] / UNITS[wanted][2]
