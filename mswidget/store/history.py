"""Every value of a run in memory, at full resolution, as numpy columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from mswidget.store.record import Record

Number = TypeVar("Number", np.float64, np.int64)


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

    @property
    def view(self) -> NDArray[Number]:
        """The elements so far; later growth does not change what it shows."""
        view = self._array[: self._length]
        view.flags.writeable = False
        return view


@dataclass(frozen=True)
class Rows:
    """Rows ``start`` to ``stop`` of a history.

    ``steps``, ``epochs`` (NaN: unknown) and ``wall_times_s`` have shape
    (stop - start,); ``metrics`` gives per name the rising absolute rows that hold
    a value, and those values, both (m,). NaN is a value, absence is no row.
    """

    start: int
    stop: int
    steps: NDArray[np.float64]
    epochs: NDArray[np.float64]
    wall_times_s: NDArray[np.float64]
    metrics: Mapping[str, tuple[NDArray[np.int64], NDArray[np.float64]]]


class History:
    """The records of one rank, column by column. Written by one thread."""

    def __init__(self) -> None:
        self._steps = _Growing(np.float64)
        self._epochs = _Growing(np.float64)
        self._wall_times_s = _Growing(np.float64)
        self._metrics: dict[str, tuple[_Growing[np.int64], _Growing[np.float64]]] = {}

    def __len__(self) -> int:
        return len(self._steps)

    @property
    def names(self) -> list[str]:
        """The metrics, in the order in which they first had a value."""
        return list(self._metrics)

    def extend(self, records: Iterable[Record]) -> None:
        """Append records in the order given."""
        batch = list(records)
        columns: dict[str, tuple[list[int], list[float]]] = {}
        for row, record in enumerate(batch, start=len(self)):
            for name, value in record.values.items():
                rows, values = columns.setdefault(name, ([], []))
                rows.append(row)
                values.append(value)
        for name, (rows, values) in columns.items():
            self._column(name, rows, values)
        epochs = [np.nan if r.epoch is None else r.epoch for r in batch]
        self._epochs.extend(epochs)
        self._wall_times_s.extend([r.wall_time_s for r in batch])
        # The steps go last: their number is what readers take as the length.
        self._steps.extend([r.step for r in batch])

    def rows(self, start: int = 0, stop: int | None = None) -> Rows:
        """Return the rows ``start`` to ``stop`` (default: all so far)."""
        end = len(self) if stop is None else min(stop, len(self))
        begin = min(max(start, 0), end)
        return Rows(
            begin,
            end,
            self._steps.view[begin:end],
            self._epochs.view[begin:end],
            self._wall_times_s.view[begin:end],
            {name: self._slice(name, begin, end) for name in self.names},
        )

    def values(self, name: str) -> NDArray[np.float64]:
        """Return all values of a metric, not copied; none for an unknown name."""
        column = self._metrics.get(name)
        return column[1].view if column else np.empty(0)

    def last(self, name: str) -> float | None:
        """Return the newest value of a metric, None when there is none."""
        column = self._metrics.get(name)
        return float(column[1].view[-1]) if column else None

    def _column(self, name: str, rows: list[int], values: list[float]) -> None:
        if name not in self._metrics:
            self._metrics[name] = (_Growing(np.int64), _Growing(np.float64))
        held_rows, held_values = self._metrics[name]
        held_values.extend(values)
        held_rows.extend(rows)

    def _slice(
        self, name: str, start: int, stop: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        held_rows, held_values = self._metrics[name]
        rows, values = held_rows.view, held_values.view
        first, last = np.searchsorted(rows, (start, stop))
        return rows[first:last], values[first:last]
