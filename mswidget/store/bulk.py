"""Many lines at once: straight to columns, or one by one where that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from mswidget.store.history import History, Rows
from mswidget.store.record import NONFINITE, RESERVED, Event, Record, from_line

_SMALL = 2**14
_PIECE = 2**16
_EVENT = b'"event"'
_COMMON: dict[str, Any] = {
    "step": pl.Int64,
    "epoch": pl.Int64,
    "timestamp": pl.Float64,
    "rank": pl.Int64,
    "attempt": pl.String,
}


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
        Is given the number of a line, from 0 within what `__call__` got, and what is
        wrong with it.
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

    def __call__(self, text: bytes, first_line: int = 0) -> None:
        """Read lines; each ends with a line end."""
        numbers, events = _apart(text)
        rows = self._columns(numbers) if len(text) > _SMALL else None
        if rows is not None:
            self._history.append(rows)
            self._one_by_one((first_line + at, line) for at, line in events)
        elif len(text) <= _PIECE:
            self._one_by_one(enumerate(text.split(b"\n"), first_line))
        else:
            # One bad line must not make all others slow.
            cut = text.index(b"\n", len(text) // 2) + 1
            self(text[:cut], first_line)
            self(text[cut:], first_line + text.count(b"\n", 0, cut))

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
    keys = text.count(b'":') - text.count(b'": null')
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
    attempts = frame["attempt"].fill_null("a1")
    names = attempts.unique(maintain_order=True)
    metrics = _metrics(frame)
    if times.null_count() or metrics is None:
        return None
    return Rows(
        0,
        len(frame),
        frame["step"].cast(pl.Float64).to_numpy(),
        frame["epoch"].cast(pl.Float64).fill_null(np.nan).to_numpy(),
        times.to_numpy(),
        attempts.cast(pl.Enum(names)).to_physical().cast(pl.Int64).to_numpy(),
        tuple(names),
        metrics,
    )


def _metrics(
    frame: pl.DataFrame,
) -> dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]] | None:
    """Return each metric's rows and values; None for a kind that does not exist."""
    columns = {c.name: c for c in frame if c.name not in RESERVED}
    if "metrics" in frame.columns:
        columns |= {c.name: c for c in frame["metrics"].struct.unnest()}
    kinds = {c.name: c for c in _fields(frame, "nonfinite")}
    found = {}
    for name in [*columns, *(kind for kind in kinds if kind not in columns)]:
        values = columns.get(name, pl.Series(name, [None] * len(frame), pl.Float64))
        if name in kinds:
            bad = kinds[name].replace_strict(NONFINITE, default=None)
            if bad.null_count() != kinds[name].null_count():
                return None
            values = bad.cast(pl.Float64).zip_with(bad.is_not_null(), values)
        if values.null_count() < len(values):
            at = values.is_not_null().arg_true().to_numpy().astype(np.int64)
            found[name] = (at, values.drop_nulls().to_numpy())
    # As in a live run: in the order in which they first had a value.
    return dict(sorted(found.items(), key=lambda item: item[1][0][0]))


def _fields(frame: pl.DataFrame, name: str) -> list[pl.Series]:
    return list(frame[name].struct.unnest()) if name in frame.columns else []


def _learn(text: bytes) -> dict[str, Any] | None:
    """Return the types of all keys in some lines; None when they are no numbers."""
    try:
        found = pl.read_ndjson(text, infer_schema_length=None).schema
    except (pl.exceptions.PolarsError, ValueError):
        return None
    types = {name: _type(name, kind) for name, kind in found.items()}
    return None if None in types.values() else types


def _type(name: str, kind: pl.DataType) -> object:
    if name in _COMMON:
        return _COMMON[name]
    if isinstance(kind, pl.Struct) and name in ("metrics", "nonfinite"):
        inner = pl.Float64 if name == "metrics" else pl.String
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
