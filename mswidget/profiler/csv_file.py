"""One CSV file of the profiler -> rows of text, and what was wrong with it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import polars as pl

_TAIL = 1 << 20  # bytes: the longest last line that is looked at


def whole_lines(path: Path) -> tuple[Path | io.BytesIO, list[str]]:
    """Return what to read of a file, without a last line that was cut.

    Returns
    -------
    The source for `scan_csv`, and a note for what was left out.
    """
    cut, notes = _cut(path)
    return (io.BytesIO(path.read_bytes()[:cut]) if cut else path), notes


def scan_csv(
    source: Path | io.BytesIO, types: dict[str, type[pl.DataType]] | None = None
) -> pl.LazyFrame:
    """Open a file as lazy rows: of text, or of declared types where they are given."""
    return pl.scan_csv(
        source,
        infer_schema=False,
        schema_overrides=types,
        null_values=["N/A"] if types else None,
        truncate_ragged_lines=True,
        encoding="utf8-lossy",
        glob=False,  # a folder may be called "run[1]"
    )


def salvage_csv(path: Path) -> tuple[pl.LazyFrame, list[str]]:
    """Read a file that polars cannot, line by line; keep the whole lines."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        header, *lines = [_cells(line) for line in file] or [[]]
    whole = [line for line in lines if len(line) == len(header)]
    rows = pl.DataFrame(
        {name: [line[i] for line in whole] for i, name in enumerate(header)},
        schema=dict.fromkeys(header, pl.String),
    )
    lost = len(lines) - len(whole)
    notes = [f"{lost} damaged line(s) of {len(lines)} left out"] if lost else []
    return rows.lazy(), notes


def _cut(path: Path) -> tuple[int, list[str]]:
    """Return where a last line that is not whole begins, 0 for none."""
    size = path.stat().st_size
    with path.open("rb") as file:
        header = file.readline()
        file.seek(max(size - _TAIL, 0))
        tail = file.read()
    before, newline, last = tail.rpartition(b"\n")
    if not newline or not last.strip():
        return 0, []
    found, wanted = (
        len(_cells(line.decode(errors="replace"))) for line in (last, header)
    )
    if found >= wanted:
        return 0, ["no line end after the last line: its last cell may be cut"]
    note = f"the last line is cut ({found} of {wanted} cells) and left out"
    return size - len(tail) + len(before) + 1, [note]


def _cells(line: str) -> list[str]:
    # Line by line: an open quote spoils its own line only.
    try:
        return next(csv.reader([line.strip("\r\n")]), [])
    except csv.Error:
        return []
