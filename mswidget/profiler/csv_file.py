"""One CSV file of the profiler -> rows of text, and what was wrong with it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import polars as pl

_BLOCK = 16 << 20  # bytes: what is in memory as text
_TAIL = 1 << 20  # bytes: the longest last line that is looked at


def header_of(path: Path) -> list[str]:
    """Return the names in a file's first line as polars reads them."""
    with path.open("rb") as file:
        return scan_csv(file.readline()).collect_schema().names()


def whole_lines(path: Path) -> tuple[int, list[str]]:
    """Return where the whole lines end, and a note for what comes behind."""
    size = path.stat().st_size
    with path.open("rb") as file:
        header = file.readline()
        file.seek(max(size - _TAIL, 0))
        tail = file.read()
    _, newline, last = tail.rpartition(b"\n")
    if not newline or not last.strip():
        return size, []
    found, wanted = (
        len(_cells(line.decode(errors="replace"))) for line in (last, header)
    )
    if found >= wanted:
        return size, ["no line end after the last line: its last cell may be cut"]
    note = f"the last line is cut ({found} of {wanted} cells) and left out"
    return size - len(last), [note]


def blocks(path: Path, end: int) -> Iterator[bytes]:
    """Yield a file up to a byte in blocks of whole rows, each below the header.

    A line end inside quotes ends no row: the quotes before it are odd in number.
    """
    with path.open("rb") as file:
        header, rest = file.readline(), b""
        while data := file.read(min(_BLOCK, max(end - file.tell(), 0))):
            rest += data
            cut = rest.rfind(b"\n") + 1
            while cut and rest.count(b'"', 0, cut) % 2:
                cut = rest.rfind(b"\n", 0, cut - 1) + 1
            if cut:
                yield header + rest[:cut]
                rest = rest[cut:]
        yield header + rest


def scan_csv(
    content: bytes, types: dict[str, type[pl.DataType]] | None = None
) -> pl.LazyFrame:
    """Open rows lazily: of text, or of declared types where they are given."""
    return pl.scan_csv(
        io.BytesIO(content),
        infer_schema=False,
        schema_overrides=types,
        null_values=["N/A"] if types else None,
        truncate_ragged_lines=True,
        encoding="utf8-lossy",
    )


def salvage_csv(path: Path, header: list[str]) -> tuple[pl.LazyFrame, list[str]]:
    """Read a file that polars cannot, line by line; keep the whole lines."""
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        lines = [_cells(line) for line in file][1:]
    whole = [line for line in lines if len(line) == len(header)]
    rows = pl.DataFrame(
        {name: [line[at] for line in whole] for at, name in enumerate(header)},
        schema=dict.fromkeys(header, pl.String),
    )
    lost = len(lines) - len(whole)
    notes = [f"{lost} damaged line(s) of {len(lines)} left out"] if lost else []
    return rows.lazy(), notes


def _cells(line: str) -> list[str]:
    # Line by line: an open quote spoils its own line only.
    try:
        return next(csv.reader([line.strip("\r\n")]), [])
    except csv.Error:
        return []
