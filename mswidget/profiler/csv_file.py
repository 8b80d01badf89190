"""One CSV file of the profiler -> frames of its rows, and what was wrong with it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import numpy as np
import polars as pl

_BLOCK = 4 << 20  # bytes: what is in memory as text
_LONGEST_ROW = 1 << 20  # bytes: a quote that is open for longer is a stray one

Types = Mapping[str, pl.DataType]


class CsvFile:
    """The rows of a file, block by block."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._end, self._cut = whole_lines(path)
        self._line = 2  # where the next block begins, below the header
        self._rows = 0
        self._damaged = 0
        self._short: list[int] = []
        self._long: list[int] = []
        with path.open("rb") as file:
            self._first_line = file.readline()
        first = pl.scan_csv(io.BytesIO(self._first_line))
        self.header = first.collect_schema().names()

    @property
    def notes(self) -> list[str]:
        """What was wrong with the frames that were read."""
        notes = [*self._cut]
        if self._damaged:
            count = self._rows + self._damaged
            notes.append(f"{self._damaged} damaged line(s) of {count} left out")
        if self._short:
            notes.append(
                f"{len(self._short)} row(s) with too few cells, the first on line "
                f"{self._short[0]}: the cells that are missing are left empty"
            )
        if self._long:
            notes.append(
                f"{len(self._long)} row(s) with too many cells, the first on line "
                f"{self._long[0]}: those beyond the header are left out"
            )
        return notes

    def most_rows(self) -> int:
        """Return how many lines end: there are no more rows below the header."""
        with self._path.open("rb") as file:
            return sum(_count(piece, b"\n") for piece in _pieces(file))

    def frames(self, types: Types) -> Iterator[pl.DataFrame]:
        """Yield the rows as the types declare; as text where a cell is out of order.

        A gap in the last column may mean a short row: let its type hold any text.
        """
        frames = self._frames(types)
        return _ahead(frames) if self._end > _BLOCK else frames

    def _frames(self, types: Types) -> Iterator[pl.DataFrame]:
        for block in _blocks(self._path, self._end):
            frame = self._frame(block, types)
            self._line += _count(block, b"\n")
            self._rows += len(frame)
            yield frame

    def _frame(self, block: bytes, types: Types) -> pl.DataFrame:
        if _has_open_quote(block):
            return self._whole_lines_of(block)
        texts = dict.fromkeys(self.header, pl.String())
        for declared, truncate in ((types, False), (texts, False), (texts, True)):
            with suppress(pl.exceptions.PolarsError):
                frame = _read(self._first_line + block, declared, truncate=truncate)
                if truncate or frame[self.header[-1]].has_nulls():
                    self._look_for_uneven(block)
                return frame
        return self._whole_lines_of(block)

    def _whole_lines_of(self, block: bytes) -> pl.DataFrame:
        texts = dict.fromkeys(self.header, pl.String())
        lines = list(map(_cells, block.removesuffix(b"\n").split(b"\n")))
        whole = [line for line in lines if len(line) == len(texts)]
        self._damaged += len(lines) - len(whole)
        return pl.DataFrame(whole, schema=texts, orient="row")

    def _look_for_uneven(self, block: bytes) -> None:
        width = len(self.header)
        for line, row in _rows(block, self._line):
            if 0 < len(row) < width:
                self._short.append(line)
            elif any(row[width:]):
                self._long.append(line)


def whole_lines(path: Path) -> tuple[int, list[str]]:
    """Return where the whole lines end, and a note for what comes behind."""
    size = path.stat().st_size
    with path.open("rb") as file:
        header = file.readline()
        file.seek(max(size - _LONGEST_ROW, 0))
        tail = file.read()
    _, newline, last = tail.rpartition(b"\n")
    if not newline or not last.strip():
        return size, []
    found, wanted = len(_cells(last)), len(_cells(header))
    if found >= wanted:
        return size, ["no line end after the last line: its last cell may be cut"]
    note = f"the last line is cut ({found} of {wanted} cells) and left out"
    return size - len(last), [note]


def _blocks(path: Path, end: int) -> Iterator[bytes]:
    """Yield what is below the header, up to a byte, in blocks of whole rows."""
    with path.open("rb") as file:
        file.readline()
        while (left := end - file.tell()) > 0:
            lines = file.read(min(_BLOCK, left))
            if not lines.endswith(b"\n"):
                lines += file.readline(end - file.tell())
            yield lines + _rest_of_row(lines, file, end)


def _rest_of_row(lines: bytes, file: BinaryIO, end: int) -> bytes:
    """Return the lines up to the closing quote, if the last row holds line ends."""
    start, rest, is_open = file.tell(), [], _has_open_quote(lines)
    while is_open and file.tell() < min(start + _LONGEST_ROW, end):
        rest.append(file.readline(end - file.tell()))
        is_open ^= _has_open_quote(rest[-1])
    if is_open:
        file.seek(start)
        return b""
    return b"".join(rest)


def _read(content: bytes, types: Types, *, truncate: bool) -> pl.DataFrame:
    numbers = [header for header, dtype in types.items() if dtype.is_numeric()]
    return pl.scan_csv(
        io.BytesIO(content),
        infer_schema=False,
        schema_overrides=types,
        null_values=dict.fromkeys(numbers, "N/A"),
        truncate_ragged_lines=truncate,
        encoding="utf8-lossy",
    ).collect()


def _ahead(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Yield frames, while a thread reads the next one."""
    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, frames, None)
        while (frame := coming.result()) is not None:
            coming = thread.submit(next, frames, None)
            yield frame


def _rows(block: bytes, line: int) -> Iterator[tuple[int, list[str]]]:
    """Yield rows and the lines that they begin on; the first line is given."""
    text = io.StringIO(block.decode(errors="replace"), newline="\n")
    rows, at = csv.reader(text), line
    with suppress(csv.Error):
        for row in rows:
            yield at, row
            at = line + rows.line_num


def _cells(line: bytes) -> list[str]:
    # Line by line: an open quote spoils its own line only.
    text = line.decode(errors="replace").strip("\r\n")
    try:
        return next(csv.reader([text]), [])
    except csv.Error:
        return []


def _has_open_quote(rows: bytes) -> bool:
    return _count(rows, b'"') % 2 == 1


def _count(text: bytes, byte: bytes) -> int:
    # Four times as fast as bytes.count.
    return int(np.count_nonzero(np.frombuffer(text, np.uint8) == ord(byte)))


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: file.read(_BLOCK), b"")
