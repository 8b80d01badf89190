"""Many lines at once: straight to columns, or one by one where that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from mswidget.blocks import tally
from mswidget.records.history import History, Rows
from mswidget.records.record import NONFINITE, RESERVED, Event, Record, from_line

_SMALL = 2**14
_PIECE = 2**16
_EVENT = b'"event"'
_EVENT_HEAD = _EVENT[:4]
_KIND = pl.Enum(list(NONFINITE))
_NONFINITE = np.array(list(NONFINITE.values()))
Column = tuple[NDArray[np.int64], NDArray[np.float64]]
_COMMON: dict[str, Any] = {
    "step": pl.Int64,
    "epoch": pl.Int64,
    "timestamp": pl.Float64,
    "rank": pl.Int64,
    "attempt": pl.String,
}


class ParsedLines(NamedTuple):
    """Whole lines, how many there are, and what they say."""

    text: bytes
    length: int
    events: list[tuple[int, bytes]]
    """Lines with an event, and their numbers from 0."""
    rows: Rows | None
    """All others; None when they have to be read one by one."""


class Bulk:
    """Reads whole lines of one rank's file into a history.

    Lines of numbers go through polars, at a tenth of the time. Its result is taken
    only when it accounts for every key of every line; else the lines are read one by
    one, which also tells which of them is bad, and why. So are a few lines: they are
    not worth a table.

    Parameters
    ----------
    history
        Where records go.
    on_event
        Is given every event.
    on_bad
        Is given the number of a line, and what is wrong with it.
    """

    def __init__(
        self,
        history: History,
        on_event: Callable[[Event], None],
        on_bad: Callable[[int, str], None],
    ) -> None:
        self._history = history
        self._on_event = on_event
        self._on_bad = on_bad
        self._schema = dict(_COMMON)

    def read(self, text: bytes) -> ParsedLines:
        """Read lines, each with its line end; in any thread."""
        if len(text) <= _SMALL:
            return ParsedLines(text, text.count(b"\n"), [], None)
        numbers, events = _apart(text)
        return ParsedLines(text, tally(b"\n", text), events, self._columns(numbers))

    def take(self, lines: ParsedLines, first_line: int = 0) -> None:
        """Append what was read; ``first_line`` is the first's number in its file."""
        if lines.rows is not None:
            self._history.append(lines.rows)
            self._one_by_one((first_line + at, line) for at, line in lines.events)
        elif len(lines.text) <= _PIECE:
            self._one_by_one(enumerate(lines.text.split(b"\n"), first_line))
        else:
            # One bad line must not make all others slow.
            cut = lines.text.index(b"\n", len(lines.text) // 2) + 1
            half = self.read(lines.text[:cut])
            self.take(half, first_line)
            self.take(self.read(lines.text[cut:]), first_line + half.length)

    def _one_by_one(self, lines: Iterable[tuple[int, bytes]]) -> None:
        items = [self._item(line, number) for number, line in lines]
        self._history.extend(item for item in items if isinstance(item, Record))
        for item in items:
            if isinstance(item, Event):
                self._on_event(item)

    def _item(self, line: bytes, number: int) -> Record | Event | None:
        if not line.strip():
            return None
        try:
            return from_line(line.decode(errors="replace"))
        except ValueError as error:
            self._on_bad(number, str(error))
            return None

    def _columns(self, text: bytes) -> Rows | None:
        """Return lines of numbers as rows; None when they are something else too."""
        if not text or text.isspace():
            return History().rows()
        rows = _rows(text, self._schema)
        if rows is None:
            learnt = _learn(text)
            if learnt is not None:
                self._schema = _merge(self._schema, learnt)
                rows = _rows(text, self._schema)
        return rows


def _apart(text: bytes) -> tuple[bytes, list[tuple[int, bytes]]]:
    """Return the lines without an event, and those with one with their number."""
    if not tally(_EVENT_HEAD, text):
        return text, []
    plain: list[bytes] = []
    events: list[tuple[int, bytes]] = []
    done = number = 0
    for start, stop in _lines_with(_EVENT, text):
        plain.append(text[done:start])
        number += text.count(b"\n", done, start)
        events.append((number, text[start:stop]))
        number += 1
        done = stop
    return b"".join([*plain, text[done:]]), events


def _lines_with(word: bytes, text: bytes) -> Iterator[tuple[int, int]]:
    at = text.find(word)
    while at >= 0:
        start = text.rfind(b"\n", 0, at) + 1
        stop = text.index(b"\n", at) + 1
        yield start, stop
        at = text.find(word, stop)


def _rows(text: bytes, schema: dict[str, Any]) -> Rows | None:
    try:
        frame = pl.read_ndjson(text, schema=schema)
    except (pl.exceptions.PolarsError, ValueError):
        return None
    # Polars leaves out keys that the schema does not name, and the second of two.
    keys = tally(b'":', text) - tally(b'": n', text)
    if keys != sum(map(_keys, frame)) or frame["step"].null_count():
        return None
    return _to_rows(frame)


def _keys(column: pl.Series) -> int:
    """Return how many keys with a value a column stands for, its own included."""
    held = len(column) - column.null_count()
    if column.dtype == pl.Struct:
        held += sum(map(_keys, column.struct.unnest()))
    return held


def _to_rows(frame: pl.DataFrame) -> Rows | None:
    times = frame["timestamp"]
    if times.null_count():
        return None
    attempts = frame["attempt"].fill_null("a1")
    names = attempts.unique(maintain_order=True)
    return Rows(
        0,
        len(frame),
        frame["step"].to_numpy().astype(np.float64),
        frame["epoch"].to_numpy().astype(np.float64),
        times.to_numpy(),
        attempts.cast(pl.Enum(names)).to_physical().to_numpy().astype(np.int64),
        tuple(names),
        _metrics(frame),
    )


def _metrics(frame: pl.DataFrame) -> dict[str, Column]:
    """Return each metric's rows and values, in the order of their first ones."""
    columns = {c.name: c for c in frame if c.name not in RESERVED}
    columns |= {c.name: c for c in _fields(frame, "metrics")}
    kinds = {c.name: c for c in _fields(frame, "nonfinite")}
    empty = pl.repeat(None, len(frame), dtype=pl.Float64, eager=True)
    by_name = {
        name: _column(columns.get(name, empty), kinds.get(name))
        for name in dict.fromkeys([*columns, *kinds])
    }
    held = [(name, column) for name, column in by_name.items() if len(column[0])]
    return dict(sorted(held, key=lambda item: item[1][0][0]))


def _column(numbers: pl.Series, kinds: pl.Series | None) -> Column:
    values = numbers.to_numpy()
    if not numbers.null_count():
        return np.arange(len(values)), values
    held = numbers.is_not_null().to_numpy()
    if kinds is not None and kinds.null_count() < len(kinds):
        nonfinite = kinds.is_not_null().to_numpy()
        values = values.copy()
        values[nonfinite] = _NONFINITE[kinds.drop_nulls().to_physical().to_numpy()]
        held = held | nonfinite
    return np.flatnonzero(held), values[held]


def _fields(frame: pl.DataFrame, name: str) -> list[pl.Series]:
    return list(frame[name].struct.unnest()) if name in frame.columns else []


def _learn(text: bytes) -> dict[str, Any] | None:
    """Return the types of all keys in some lines; None when they are no numbers."""
    try:
        schema = pl.read_ndjson(text, infer_schema_length=None).schema
    except (pl.exceptions.PolarsError, ValueError):
        return None
    types = {name: _type(name, kind) for name, kind in schema.items()}
    return None if None in types.values() else types


def _type(name: str, kind: pl.DataType) -> object:
    if name in _COMMON:
        return _COMMON[name]
    if isinstance(kind, pl.Struct) and name in ("metrics", "nonfinite"):
        inner = pl.Float64 if name == "metrics" else _KIND
        return pl.Struct({field.name: inner for field in kind.fields})
    number = kind.is_numeric() or kind == pl.Null
    return pl.Float64 if number and name not in RESERVED else None


def _merge(known: dict[str, Any], learnt: dict[str, Any]) -> dict[str, Any]:
    merged = known | learnt
    for name in ("metrics", "nonfinite"):
        if name in known and name in learnt:
            fields = [*known[name].fields, *learnt[name].fields]
            merged[name] = pl.Struct({field.name: field.dtype for field in fields})
    return merged
