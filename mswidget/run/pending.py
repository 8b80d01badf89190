"""Rows whose values are still on the device, read in one go a step behind.

Reading a tensor waits for the device. Read in the step that made it, on an Ascend
it would serialise the dispatch; read a step later, the value has long been there.
"""

from __future__ import annotations

import math
import struct
from collections import deque
from collections.abc import Callable
from typing import Any

from mswidget.records.values import BadValueError, is_deferred, to_float

RING = 64
AGE_S = 0.1
CHECKED_ROWS = 3


class Row:
    """What one step logged; not ready while a value waits on the device.

    What does not wait is read at once. ``values`` holds float64 once ready, or the
    `BadValueError` of what is none. ``plain`` says that they were Python's own floats,
    by names that are text.
    """

    __slots__ = ("epoch", "plain", "ready", "step", "values", "wall_time_s")

    def __init__(
        self,
        step: int,
        epoch: int | None,
        wall_time_s: float,
        values: dict[str, Any],
    ) -> None:
        self.step = step
        self.epoch = epoch
        self.wall_time_s = wall_time_s
        self.values = values
        self.ready = self.plain = True
        for name, value in values.items():
            if type(value) is float and type(name) is str:
                continue
            self.plain = False
            if is_deferred(value):
                self.ready = False
            else:
                values[name] = _read(value)

    def read(self) -> None:
        """Read everything. Two threads may do so at once: they read the same."""
        if not self.ready:
            self.values = {
                name: value if type(value) is float else _read(value)
                for name, value in self.values.items()
            }
            self.ready = True


class Pending:
    """The rows that wait, at most `RING` and at most `AGE_S` old.

    Parameters
    ----------
    deferred
        False reads every row at once.
    on_difference
        Told when a value read late was not the value read at once; from then on
        rows are read at once. The first rows are checked for it.
    """

    def __init__(self, *, deferred: bool, on_difference: Callable[[str], None]) -> None:
        self._deferred = deferred
        self._on_difference = on_difference
        self._rows: deque[Row] = deque()
        self._checks: list[tuple[Row, dict[str, object]]] = []
        self._checked = 0
        self._read_s = 0.0

    def add(self, row: Row) -> None:
        """Take a row that is not ready; read the rows before it when it is time."""
        if not self._deferred:
            row.read()
            return
        self._rows.append(row)
        if self._checked < CHECKED_ROWS:
            self._checked += 1
            self._checks.append((row, {k: _read(v) for k, v in row.values.items()}))
        if row.wall_time_s - self._read_s >= AGE_S or len(self._rows) > RING:
            self._read_s = row.wall_time_s
            self.read(keep=1)
            if not self._deferred:  # a check has just failed
                self.read()

    def read(self, before_s: float = math.inf, keep: int = 0) -> None:
        """Read the rows, from any thread.

        Parameters
        ----------
        before_s
            Only those logged before this Unix time.
        keep
            Leave so many of the newest.
        """
        while len(self._rows) > keep and self._oldest_s() < before_s:
            try:
                row = self._rows.popleft()
            except IndexError:  # the other thread took it
                break
            try:
                row.read()
            except BaseException:  # an interrupt: later rows wait for this one
                self._rows.appendleft(row)
                raise
        self._check()

    def _oldest_s(self) -> float:
        try:
            return self._rows[0].wall_time_s
        except IndexError:  # asking first whether there is one would be a race
            return math.inf

    def _check(self) -> None:
        ready = [check for check in self._checks if check[0].ready]
        self._checks = [check for check in self._checks if not check[0].ready]
        for row, early in ready:
            for name, value in early.items():
                if not _same(value, row.values[name]):
                    self._give_up(name, row, value)
                    row.values[name] = value

    def _give_up(self, name: str, row: Row, early: object) -> None:
        if self._deferred:
            self._deferred = False
            self._on_difference(
                f"{name} at step {row.step} was {early} when read at once and "
                f"{row.values[name]} a step later: from now on values are read at "
                "once, which is slower; values of the steps just before are doubtful"
            )


def _read(value: object) -> object:
    if isinstance(value, BadValueError):  # read already, beside others that waited
        return value
    try:
        return to_float(value)
    except BadValueError as error:
        return error


def _same(first: object, second: object) -> bool:
    if isinstance(first, float) and isinstance(second, float):
        return struct.pack("d", first) == struct.pack("d", second)
    return type(first) is type(second)
