"""What was logged and is not in the history yet: rows and events, in order."""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import TypeVar

from mswidget.records.record import Event, Record
from mswidget.records.values import BadValueError, to_float
from mswidget.run.clock import Clock
from mswidget.run.pending import Pending, Row

T = TypeVar("T")
_MAX_STEP = 2**53  # float64 counts exactly up to here
_PATIENCE_S = 60.0
_SHARE = 0.1
_LOST_S = 1.0


def _floats(row: Row) -> dict[str, float]:
    """Return the values that are numbers."""
    return {str(name): v for name, v in row.values.items() if isinstance(v, float)}


class Inbox:
    """Takes from the training, any thread, at once; gives to the worker.

    Parameters
    ----------
    rank, attempt
        Who logs.
    step
        The last one of the attempt before.
    deferred
        Read tensors a step behind, not in the step that logs.
    counts
        A step that is not given is one more than the last. Else whoever trains gives
        each step, and what others log without one, or late, belongs to the last.
    on_notice
        Told what the user should know.
    numbers
        Is given every row in turn, read. Returns the numbers to record.
    """

    def __init__(
        self,
        rank: int,
        attempt: str,
        *,
        step: int = 0,
        deferred: bool,
        counts: bool = True,
        on_notice: Callable[[str], None],
        numbers: Callable[[Row], dict[str, float]] = _floats,
    ) -> None:
        self._rank = rank
        self._attempt = attempt
        self._notice = on_notice
        self._numbers = numbers
        self._counts = counts
        self._items: deque[Row | Event] = deque()
        self._pending = Pending(deferred=deferred, on_difference=on_notice)
        # Two threads that log at once must not get the same step.
        self._counting = threading.Lock()
        self.now_s = Clock()
        """The time of all that is logged."""
        self._beside: Mapping[str, float] = {}
        self._row_s = self.now_s()
        self._alone_s = 0.0
        self.step = step
        """The last step logged; 0 before the first."""
        self.epoch: int | None = None
        """The last epoch logged."""

    def put(
        self, values: Mapping[str, object], step: int | None, epoch: int | None
    ) -> float:
        """Take the values of one step; returns when, in Unix seconds."""
        with self._counting:
            row = self._row(values, step, epoch)
            if self._beside and row.step >= self.step:
                row.values = {**self._beside, **row.values}
                row.plain, self._beside = False, {}
            self.step = row.step if self._counts else max(row.step, self.step)
            self._row_s = row.wall_time_s
            if row.epoch is not None:
                self.epoch = row.epoch
            self._items.append(row)
        if not row.ready:
            self._pending.add(row)
        return row.wall_time_s

    def put_beside(self, values: Mapping[str, float]) -> None:
        """Take values that belong to no step: the next row carries them along.

        A table so keeps one row a step. When no step comes for a minute they stand
        alone, at the last one, ever more rarely: a run may wait for days. There is no
        step before the first.
        """
        now_s = self.now_s()
        self._beside = values
        since_row_s, since_any_s = now_s - self._row_s, now_s - self._alone_s
        patience_s = max(_PATIENCE_S, _SHARE * since_row_s)
        if self.step and min(since_row_s, since_any_s) > patience_s:
            self._items.append(Row(self.step, self.epoch, now_s, dict(values)))
            self._beside, self._alone_s = {}, now_s

    def put_event(
        self, name: str, step: int | None, fields: Mapping[str, object]
    ) -> Event:
        """Take an event, by default at the last step logged; returns it."""
        if step is None:
            step = self.step
        elif type(step) is not int:
            step = self._whole("step", step, self.step)
        epoch = fields.get("epoch")
        if type(epoch) is not int:
            epoch = None
        now_s = self.now_s()
        event = Event(name, step, now_s, self._rank, self._attempt, epoch, fields)
        self._items.append(event)
        return event

    def read(self, before_s: float) -> None:
        """Read the tensors of rows logged before a Unix time, from any thread."""
        self._pending.read(before_s)

    def __len__(self) -> int:
        """Return how many items are not taken yet."""
        return len(self._items)

    def take(
        self, most: int = sys.maxsize, *, waiting_too: bool
    ) -> list[Record | Event]:
        """Give out items in order, up to the first whose tensors are not read.

        Parameters
        ----------
        most
            No more than so many.
        waiting_too
            Read those too: nothing follows.
        """
        items: list[Record | Event] = []
        lost_s = self.now_s() - _LOST_S
        for _ in range(min(most, len(self._items))):
            item = self._items[0]
            if isinstance(item, Row) and not item.ready:
                # An interrupt may have kept an old one from those read in time.
                if not waiting_too and item.wall_time_s > lost_s:
                    break
                item.read()
            self._items.popleft()
            items.append(self._record(item) if isinstance(item, Row) else item)
        return items

    def _row(
        self, values: Mapping[str, object], step: int | None, epoch: int | None
    ) -> Row:
        if step is None:
            step = self.step + self._counts
        elif type(step) is not int or not -_MAX_STEP <= step <= _MAX_STEP:
            step = self._whole("step", step, self.step + 1)
        if epoch is not None and (type(epoch) is not int or abs(epoch) > _MAX_STEP):
            epoch = self._whole("epoch", epoch, self.epoch)
        try:
            named = dict(values)
        except Exception:  # noqa: BLE001 - any object may be given, a broken one too
            named = {}
            self._notice(
                "log: expected metric names with values, such as {'loss': 0.5}; found "
                f"{type(values).__name__}"
            )
        return Row(step, epoch, self.now_s(), named)

    def _whole(self, what: str, given: object, otherwise: T) -> int | T:
        try:
            number = to_float(given)
        except BadValueError as error:
            kind = error.kind
        else:
            if abs(number) <= _MAX_STEP:
                return int(number)
            kind = "a number that is not finite or too large"
        self._notice(
            f"{what}: expected a whole number, found {kind}; the {what} is guessed "
            "from the last one"
        )
        return otherwise

    def _record(self, row: Row) -> Record:
        values = self._numbers(row)
        return Record(
            row.step, row.wall_time_s, self._rank, self._attempt, values, row.epoch
        )
