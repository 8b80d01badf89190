"""One file of a profile -> typed columns, and notes on what could not be read."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from mswidget.profiler.files.cells import types
from mswidget.profiler.files.column_buffers import Columns
from mswidget.profiler.files.communication import (
    bandwidth_rows,
    matrix_rows,
    op_rows,
    packet_rows,
    sample_rows,
)
from mswidget.profiler.files.csv_file import CsvFile
from mswidget.profiler.files.file_names import ending
from mswidget.profiler.files.frames import length, tidy
from mswidget.profiler.files.minddata_pipeline import csv_summary, summary_rows
from mswidget.profiler.files.rows import convert, is_foreign, match, read
from mswidget.profiler.tables.spec import Form, Table

Reading = tuple[Columns, list[str]]
Rows = Iterator[dict[str, str]]

_FROM_JSON: dict[Form, Callable[[Any], Rows]] = {
    "communication": op_rows,
    "bandwidth": bandwidth_rows,
    "packets": packet_rows,
    "matrix": matrix_rows,
    "samples": sample_rows,
    "pipeline": summary_rows,
}


# What reading nested JSON of another shape, or of depth, raises.
_NOT_OURS = (AttributeError, KeyError, RecursionError, TypeError, ValueError, csv.Error)


def read_table(path: Path, table: Table) -> Reading:
    """Read a file by its table's declaration; never raises for what it holds.

    Returns
    -------
    The good rows under our names (no columns when there are none), and a note for
    everything else.
    """
    try:
        if not path.stat().st_size:
            return {}, ["the file is empty (0 bytes)"]
        of_form = _read_csv if table.form == "csv" else _read_nested
        columns, notes = of_form(path, table)
        if not columns:
            return columns, notes or ["no rows"]
        columns, left_out = tidy(columns, table)
    except (OSError, pl.exceptions.PolarsError) as problem:
        first_line = str(problem).partition("\n")[0]
        return {}, [f"cannot be read: {first_line}"]
    notes = [*notes, *left_out]
    return columns, notes if length(columns) else [*notes, "no rows"]


def _read_csv(path: Path, table: Table) -> Reading:
    file = CsvFile(path)
    columns = match(file.header, table)
    if is_foreign(columns, table):
        headers = ", ".join(repr(header) for header in list(columns)[:6])
        return {}, [f"is no {table.stem} table: its columns are {headers}"]
    declared = types(columns)
    blocks = file.blocks(declared, partial(read, columns=columns, types=declared))
    values, damage = convert(blocks, columns, declared, file.about_rows())
    return values, [*file.notes, *damage]


def _read_nested(path: Path, table: Table) -> Reading:
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    try:
        if ending(path) == ".csv":
            content = csv_summary(text)
        else:
            # Numbers stay text, so that a time keeps all its digits.
            content = json.loads(text, parse_float=str, parse_int=str)
        rows = list(_FROM_JSON[table.form](content))
    except json.JSONDecodeError as problem:
        place = f"line {problem.lineno}, column {problem.colno}"
        return {}, [f"is no whole JSON: {problem.msg} at {place}"]
    except _NOT_OURS:
        return {}, [f"is no {table.stem} file: its entries are others"]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(_headers(rows), pl.String))
    columns = match(frame.columns, table)
    declared = types(columns)
    blocks = map(partial(read, columns=columns, types=declared), [frame])
    return convert(blocks, columns, declared, len(frame))


def _headers(rows: list[dict[str, str]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))
