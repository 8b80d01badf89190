"""One CSV file of the profiler -> frames of its rows, and what was wrong with it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

import polars as pl

from mswidget.blocks import ahead, tally

_BLOCK = 4 << 20  # bytes: what is in memory as text
_LONGEST_ROW = 1 << 20  # bytes: a quote that is open for longer is a stray one

T = TypeVar("T")
Types = Mapping[str, pl.DataType]
_Place = tuple[int, int]  # where a block starts, the lines above in that block


class _Block(NamedTuple):
    """Some lines, and where in the file; whole rows but for a stray quote."""

    start: int
    rows: bytes
    has_open_quote: bool


class CsvFile:
    """The rows of a file, block by block."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._end, self._cut = whole_lines(path)
        # Several threads put counts and lines here, in any order.
        self._rows: list[int] = []
        self._damaged: list[int] = []
        self._short: list[_Place] = []
        self._long: list[_Place] = []
        with path.open("rb") as file:
            self._first_line = file.readline()
        first = pl.scan_csv(io.BytesIO(self._first_line))
        self.header = first.collect_schema().names()

    @property
    def notes(self) -> list[str]:
        """What was wrong with the frames that were read."""
        notes = [*self._cut]
        if damaged := sum(self._damaged):
            count = sum(self._rows) + damaged
            notes.append(f"{damaged} damaged line(s) of {count} left out")
        if self._short:
            notes.append(
                f"{len(self._short)} row(s) with too few cells, the first on line "
                f"{self._line(min(self._short))}: the cells that are missing are left "
                "empty"
            )
        if self._long:
            notes.append(
                f"{len(self._long)} row(s) with too many cells, the first on line "
                f"{self._line(min(self._long))}: those beyond the header are left out"
            )
        return notes

    def about_rows(self) -> int:
        """Return about how many rows there are: rather more than fewer."""
        with self._path.open("rb") as file:
            sample = file.read(_BLOCK)
        blocks = self._end / max(len(sample), 1)
        return 1 + int(1.1 * blocks * tally(b"\n", sample))

    def blocks(self, types: Types, use: Callable[[pl.DataFrame], T]) -> Iterator[T]:
        """Yield what is made of frames of rows, by several threads at once.

        They are as the types declare; of text where a cell is out of order. A gap in
        the last column may mean a short row: let its type hold any text.
        """

        def read(block: _Block) -> T:
            frame = self._frame(block, types)
            self._rows.append(len(frame))
            return use(frame)

        return ahead(read, _blocks(self._path, self._end))

    def _frame(self, block: _Block, types: Types) -> pl.DataFrame:
        start, rows, has_open_quote = block
        if has_open_quote:
            return self._whole_lines_of(rows)
        texts = dict.fromkeys(self.header, pl.String())
        for declared, header in ((types, b""), (texts, b""), (texts, self._first_line)):
            with suppress(pl.exceptions.PolarsError):
                frame = _read(rows, declared, header)
                if header or frame[self.header[-1]].has_nulls():
                    self._look_for_uneven(start, rows)
                return frame
        return self._whole_lines_of(rows)

    def _whole_lines_of(self, rows: bytes) -> pl.DataFrame:
        texts = dict.fromkeys(self.header, pl.String())
        lines = list(map(_cells, rows.removesuffix(b"\n").split(b"\n")))
        whole = [line for line in lines if len(line) == len(texts)]
        self._damaged.append(len(lines) - len(whole))
        return pl.DataFrame(whole, schema=texts, orient="row")

    def _look_for_uneven(self, start: int, block: bytes) -> None:
        width = len(self.header)
        for line, row in _rows(block):
            if 0 < len(row) < width:
                self._short.append((start, line))
            elif any(row[width:]):
                self._long.append((start, line))

    def _line(self, place: _Place) -> int:
        start, line = place
        with self._path.open("rb") as file:
            blocks = iter(lambda: file.read(min(_BLOCK, start - file.tell())), b"")
            return 1 + line + sum(tally(b"\n", block) for block in blocks)


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
    cells, columns = len(_cells(last)), len(_cells(header))
    if cells >= columns:
        return size, ["no line end after the last line: its last cell may be cut"]
    note = f"the last line is cut ({cells} of {columns} cells) and left out"
    return size - len(last), [note]


def _blocks(path: Path, end: int) -> Iterator[_Block]:
    """Yield what is below the header, up to a byte, in blocks of whole rows."""
    with path.open("rb") as file:
        file.readline()
        while (start := file.tell()) < end:
            file.seek(start + _BLOCK)
            file.readline()
            stop = min(file.tell(), end)
            file.seek(start)
            rows = file.read(stop - start)
            is_open = _has_open_quote(rows)
            if is_open and (rest := _rest_of_row(file, end)):
                rows, is_open = rows + rest, False
            yield _Block(start, rows, is_open)


def _rest_of_row(file: BinaryIO, end: int) -> bytes:
    """Return the lines up to the closing quote, nothing if it is too far."""
    start, rest = file.tell(), []
    while file.tell() < min(start + _LONGEST_ROW, end):
        rest.append(file.readline(end - file.tell()))
        if _has_open_quote(rest[-1]):
            return b"".join(rest)
    file.seek(start)
    return b""


def _read(rows: bytes, types: Types, header: bytes) -> pl.DataFrame:
    """Return rows; if there is a header, what is longer than it is cut."""
    numbers = [name for name, dtype in types.items() if dtype.is_numeric()]
    return pl.scan_csv(
        io.BytesIO(header + rows),
        has_header=bool(header),
        schema=types,
        null_values=dict.fromkeys(numbers, "N/A"),
        truncate_ragged_lines=bool(header),
        encoding="utf8-lossy",
    ).collect()


def _rows(text: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield rows and how many lines are above each."""
    lines = io.StringIO(text.decode(errors="replace"), newline="\n")
    rows, above = csv.reader(lines), 0
    with suppress(csv.Error):
        for row in rows:
            yield above, row
            above = rows.line_num


def _cells(line: bytes) -> list[str]:
    # Line by line: an open quote spoils its own line only.
    text = line.decode(errors="replace").strip("\r\n")
    try:
        return next(csv.reader([text]), [])
    except csv.Error:
        return []


def _has_open_quote(rows: bytes) -> bool:
    return tally(b'"', rows) % 2 == 1
