"""Every value of a run in memory, at full resolution, as numpy columns."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from mswidget.records.record import Record

Number = TypeVar("Number", np.float64, np.int64)


Places = NDArray[np.int64]
Column = tuple[Places, NDArray[np.float64]]
"""The rising rows that hold a value of a metric, and those values."""


class _Growing(Generic[Number]):
    """A numpy array that grows at the end, at constant cost per element."""

    def __init__(self, dtype: type[Number]) -> None:
        self._array: NDArray[Number] = np.empty(64, dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def extend(self, values: Iterable[float]) -> None:
        new = np.asarray(values, self._array.dtype)
        stop = self._length + len(new)
        if stop > len(self._array):
            grown = np.empty(max(stop, 2 * len(self._array)), self._array.dtype)
            grown[: self._length] = self._array[: self._length]
            self._array = grown
        self._array[self._length : stop] = new
        self._length = stop

    def __getitem__(self, at: int) -> float:
        return float(self._array[at if at >= 0 else self._length + at])

    @property
    def view(self) -> NDArray[Number]:
        """The elements so far; later growth does not change what it shows."""
        view = self._array[: self._length]
        view.flags.writeable = False
        return view


class _Held:
    """Rising row numbers: two numbers while no row is left out, else an array."""

    def __init__(self) -> None:
        self._first = 0
        self._count = 0
        self._sparse: _Growing[np.int64] | None = None

    def extend(self, rows: Places) -> None:
        if not self._count:
            self._first = int(rows[0])
        expected = self._first + self._count
        if self._sparse is None and rows[0] == expected and _is_range(rows):
            self._count += len(rows)
            return
        if self._sparse is None:
            sparse = _Growing(np.int64)
            sparse.extend(np.arange(self._first, expected))
            self._sparse = sparse
        self._sparse.extend(rows)

    def snapshot(self) -> tuple[int, int, Places | None]:
        """Return the first row, how many, and all rows where they are no range."""
        if self._sparse is None:
            return self._first, self._count, None
        rows = self._sparse.view
        return self._first, len(rows), rows

    def window(self, start: int, stop: int) -> tuple[slice, Places]:
        """Return which of the held rows lie in ``start`` to ``stop``, and those."""
        if self._sparse is None:
            first, last = self._first, self._first + self._count
            start, stop = (min(max(row, first), last) for row in (start, stop))
            return slice(start - first, stop - first), np.arange(start, stop)
        rows = self._sparse.view
        inside = slice(*np.searchsorted(rows, (start, stop)))
        return inside, rows[inside]


def _is_range(rows: Places) -> bool:
    return bool(rows[-1] - rows[0] == len(rows) - 1)


def _columns(rows: Sequence[Mapping[str, float]]) -> dict[str, Column]:
    """Return each metric's places and values, by when it first had one."""
    alike: dict[tuple[str, ...], list[int]] = {}
    for place, row in enumerate(rows):
        alike.setdefault(tuple(row), []).append(place)
    parts: dict[str, list[Column]] = {}
    for names, held in alike.items():
        values = chain.from_iterable([rows[place].values() for place in held])
        count = len(held) * len(names)
        table = np.fromiter(values, np.float64, count).reshape(len(held), len(names))
        places = np.array(held)
        for name, column in zip(names, table.T, strict=True):
            parts.setdefault(name, []).append((places, column))
    return {name: _joined(columns) for name, columns in parts.items()}


def _joined(parts: Sequence[Column]) -> Column:
    if len(parts) == 1:
        return parts[0]
    places, values = map(np.concatenate, zip(*parts, strict=True))
    order = np.argsort(places)
    return places[order], values[order]


@dataclass(frozen=True)
class Rows:
    """Rows ``start`` to ``stop`` of a history.

    ``steps``, ``epochs`` (NaN: unknown), ``wall_times_s`` and ``attempts`` (indices
    of ``attempt_names``) have shape (stop - start,); ``metrics`` gives per name the
    rising absolute rows that hold a value, and those values, both (m,). NaN is a
    value, absence is no row.
    """

    start: int
    stop: int
    steps: NDArray[np.float64]
    epochs: NDArray[np.float64]
    wall_times_s: NDArray[np.float64]
    attempts: NDArray[np.int64]
    attempt_names: tuple[str, ...]
    metrics: Mapping[str, Column]


@dataclass(frozen=True)
class Series:
    """Values of one metric, in order, and the rows that hold them."""

    values: NDArray[np.float64]
    first: int
    sparse: Places | None
    """Their rows; None where those follow one another from ``first`` on."""

    def before(self, rows: Places) -> Places:
        """Return how many values stand before each of some rows."""
        if self.sparse is None:
            return np.minimum(np.maximum(rows - self.first, 0), len(self.values))
        return np.minimum(np.searchsorted(self.sparse, rows), len(self.values))

    def rows(self, places: Places) -> Places:
        """Return the rows of the values at some places."""
        return self.first + places if self.sparse is None else self.sparse[places]


class History:
    """The records of one rank, column by column. Written by one thread.

    Rows are counted from 0. What earlier attempts had logged may stand before them, in
    rows below 0: whoever wants that too asks for the rows from `first` on.
    """

    def __init__(self) -> None:
        self._steps = _Growing(np.float64)
        self._epochs = _Growing(np.float64)
        self._wall_times_s = _Growing(np.float64)
        self._attempts: _Growing[np.int64] = _Growing(np.int64)
        self._attempt_names: list[str] = []
        self._metrics: dict[str, tuple[_Held, _Growing[np.float64]]] = {}
        self._earlier: History | None = None

    def __len__(self) -> int:
        return len(self._steps)

    @property
    def first(self) -> int:
        """The first row: 0, or below it where earlier attempts are known."""
        return -len(self._earlier) if self._earlier else 0

    @property
    def names(self) -> list[str]:
        """The metrics, in the order in which they first had a value."""
        earlier = self._earlier.names if self._earlier else []
        return list(dict.fromkeys([*self._metrics, *earlier]))

    def put_before(self, earlier: History) -> None:
        """Let the rows of earlier attempts stand before the first; they are all."""
        self._earlier = earlier

    def extend(self, records: Iterable[Record]) -> None:
        """Append records in the order given."""
        batch = list(records)
        if not batch:
            return
        steps, times_s, _, attempts, values, epochs = zip(*batch, strict=True)
        for name, (rows, column) in _columns(values).items():
            self._column(name, rows + len(self), column)
        self._epochs.extend([np.nan if epoch is None else epoch for epoch in epochs])
        self._wall_times_s.extend(times_s)
        codes = {name: self._attempt(name) for name in dict.fromkeys(attempts)}
        self._attempts.extend([codes[name] for name in attempts])
        # The steps go last: their number is what readers take as the length.
        self._steps.extend(steps)

    def append(self, rows: Rows) -> None:
        """Append rows of another history."""
        shift = len(self) - rows.start
        for name, (at, values) in rows.metrics.items():
            if len(at):
                self._column(name, at + shift, values)
        self._epochs.extend(rows.epochs)
        self._wall_times_s.extend(rows.wall_times_s)
        codes = [self._attempt(name) for name in rows.attempt_names]
        self._attempts.extend(np.array(codes, np.int64)[rows.attempts])
        self._steps.extend(rows.steps)

    def rows(
        self,
        start: int = 0,
        stop: int | None = None,
        names: Iterable[str] | None = None,
    ) -> Rows:
        """Return the rows ``start`` to ``stop`` (default: all so far from 0 on).

        Parameters
        ----------
        start, stop
            Which rows; those that are not there are left out.
        names
            Of which metrics; all by default, which costs with each of them.
        """
        end = len(self) if stop is None else min(stop, len(self))
        begin = min(max(start, self.first), end)
        if self._earlier is not None and begin < 0:
            return _with_earlier(self._earlier, self, begin, end, names)
        begin, end = max(begin, 0), max(end, 0)
        return Rows(
            begin,
            end,
            self._steps.view[begin:end],
            self._epochs.view[begin:end],
            self._wall_times_s.view[begin:end],
            self._attempts.view[begin:end],
            tuple(self._attempt_names),
            {name: self._slice(name, begin, end) for name in self.having(names)},
        )

    def having(self, names: Iterable[str] | None) -> Sequence[str]:
        """Return which of some metrics, None for all, have a value from row 0 on."""
        if names is None:
            return list(self._metrics)
        return [name for name in names if name in self._metrics]

    def values(self, name: str) -> NDArray[np.float64]:
        """Return all values from row 0 on, not copied; none for an unknown name."""
        column = self._metrics.get(name)
        return column[1].view if column else np.empty(0)

    def series(self, name: str, stop: int) -> Series:
        """Return a metric in the rows from 0 to ``stop``, not copied.

        An unknown name has no values.
        """
        if name not in self._metrics:
            return Series(np.empty(0), 0, None)
        held_rows, held_values = self._metrics[name]
        first, count, sparse = held_rows.snapshot()
        if sparse is None:
            count = min(max(stop - first, 0), count)
        else:
            count = int(np.searchsorted(sparse, stop))
        return Series(held_values.view[:count], first, sparse)

    def joined(self, metrics: Mapping[str, Column]) -> History:
        """Return a history that has further metrics; this one must not grow any more.

        Parameters
        ----------
        metrics
            By name; the memory of all else is shared.
        """
        twin = copy.copy(self)
        twin._metrics = dict(self._metrics)  # noqa: SLF001 - it is one of us
        for name, (rows, values) in metrics.items():
            if len(rows):
                twin._column(name, rows, values)  # noqa: SLF001
        return twin

    def records(self, rank: int) -> list[Record]:
        """Return every row as a `Record` of a rank."""
        rows = self.rows()
        values: list[dict[str, float]] = [{} for _ in rows.steps]
        for name, (at, logged) in rows.metrics.items():
            for row, value in zip(at.tolist(), logged.tolist(), strict=True):
                values[row][name] = value
        common = (rows.steps, rows.wall_times_s, rows.attempts, rows.epochs)
        return [
            Record(
                step=int(step),
                wall_time_s=wall_time_s,
                rank=rank,
                attempt=rows.attempt_names[attempt],
                values=held,
                epoch=None if math.isnan(epoch) else int(epoch),
            )
            for step, wall_time_s, attempt, epoch, held in zip(
                *(column.tolist() for column in common), values, strict=True
            )
        ]

    def counts(self) -> dict[str, int]:
        """Return how many values each metric has from row 0 on."""
        return {name: len(values) for name, (_, values) in self._metrics.items()}

    def last(self, name: str) -> float | None:
        """Return the newest value of a metric, None when there is none."""
        column = self._metrics.get(name)
        return float(column[1].view[-1]) if column else None

    def step_and_time_s(self, row: int) -> tuple[float, float] | None:
        """Return a row's step and wall time in s, of the last for -1; None if none."""
        if not len(self):
            return None
        return self._steps[row], self._wall_times_s[row]

    def _attempt(self, name: str) -> int:
        if name not in self._attempt_names:
            self._attempt_names.append(name)
        return self._attempt_names.index(name)

    def _column(self, name: str, rows: Places, values: Iterable[float]) -> None:
        if name not in self._metrics:
            self._metrics[name] = (_Held(), _Growing(np.float64))
        held_rows, held_values = self._metrics[name]
        # The rows go last: readers find the values by them.
        held_values.extend(values)
        held_rows.extend(rows)

    def _slice(self, name: str, start: int, stop: int) -> Column:
        held_rows, held_values = self._metrics[name]
        inside, rows = held_rows.window(start, stop)
        return rows, held_values.view[inside]


def _with_earlier(
    earlier: History, own: History, start: int, stop: int, names: Iterable[str] | None
) -> Rows:
    """Return rows from below 0 on, of which the ``earlier`` ones end before row 0."""
    first = -len(earlier)
    wanted = None if names is None else list(names)
    bounds = {
        earlier: (start - first, min(stop, 0) - first),
        own: (0, max(stop, 0)),
    }
    before, after = (h.rows(*bounds[h], ()) for h in bounds)
    attempts = list(dict.fromkeys([*before.attempt_names, *after.attempt_names]))

    def codes(rows: Rows) -> NDArray[np.int64]:
        numbers = [attempts.index(name) for name in rows.attempt_names]
        return np.array(numbers, np.int64)[rows.attempts]

    return Rows(
        start,
        stop,
        np.concatenate([before.steps, after.steps]),
        np.concatenate([before.epochs, after.epochs]),
        np.concatenate([before.wall_times_s, after.wall_times_s]),
        np.concatenate([codes(before), codes(after)]),
        tuple(attempts),
        _Columns(bounds, first, wanted),
    )


class _Columns(Mapping[str, Column]):
    """The metrics of rows on both sides of row 0, each joined when it is asked for.

    All of them at once are as large as the histories.
    """

    def __init__(
        self,
        bounds: Mapping[History, tuple[int, int]],
        first: int,
        names: Sequence[str] | None,
    ) -> None:
        self._shifts = dict(zip(bounds, (first, 0), strict=True))
        self._bounds = bounds
        held = dict.fromkeys(n for history in bounds for n in history.having(names))
        self._names = list(held)

    def __getitem__(self, name: str) -> Column:
        if name not in self._names:
            raise KeyError(name)
        rows, values = zip(*self._pieces(name), strict=True)
        return np.concatenate(rows), np.concatenate(values)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def _pieces(self, name: str) -> Iterator[Column]:
        for history, (start, stop) in self._bounds.items():
            columns = history.rows(start, stop, [name]).metrics
            if name in columns:
                rows, values = columns[name]
                yield rows + self._shifts[history], values
