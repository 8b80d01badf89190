"""What was found of one rank, put together to rows, attempts and events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from mswidget.importers.formats.found import Fact, Happening, Number, Point
from mswidget.importers.formats.printed import Printed
from mswidget.records.history import History
from mswidget.records.loss_ranks import why_no_loss
from mswidget.records.record import Event, Record
from mswidget.records.set_back import SetBack

_AT_ONCE_S = 1.0
_LATEST_S = 1e10
_BATCH = 1000
_NEVER = (-(2**63), 0.0)


@dataclass
class _SheetRow:
    step: int
    wall_time_s: float
    epoch: int | None
    values: dict[str, float]


class Sheet:
    """Takes what is found of a rank, in the order of its file.

    Values of one step are one row. A step that comes again begins a new attempt,
    unless it is a late line of another process that prints into the same log: one
    step back, with nothing between or within a second; or any, if the log is known to
    be of several. Of that the first is kept.

    Parameters
    ----------
    rank
        Whose log it is.
    size
        How many ranks there are.
    clock
        Tells the time of what says none itself.
    processes
        So many are known to print into its log.
    """

    def __init__(
        self, rank: int, size: int, clock: Callable[[], float], processes: int = 1
    ) -> None:
        self._rank = rank
        self._processes = processes
        self.shows_more = False
        """Whether what was taken for an attempt proved to be one more process."""
        self.size = size
        self.history = History()
        """Its rows, up to the last `flush`."""
        self.events: list[Event] = []
        self.printed = Printed()
        self.set_back = SetBack()
        """Whether its clock was."""
        self.repeated = 0
        """Values left out since their step had been printed before."""
        self.untimed = False
        """Whether something says no time."""
        self._clock = clock
        self.facts: dict[str, object] = {}
        """What holds for the training: fields of its ``train_begin``."""
        self._time_s: float | None = None
        self._attempts = 0
        self._overtaken: int | None = None
        self._rows: list[_SheetRow] = []
        self._begin_attempt()

    def _begin_attempt(self) -> None:
        self._last: dict[str, tuple[int, float]] = {}
        self._previous_step: int | None = None
        self._newest_step: int | None = None
        self._behind: list[int] = []
        self._between = False
        self._begun = False

    @property
    def _attempt(self) -> str:
        return f"a{self._attempts}"

    def take(self, item: Fact | None) -> None:
        """Take the next thing found; None is something of somebody else."""
        if item is None:
            self._between = True
        else:
            # The event of the attempt that goes on holds this very dict.
            self.facts.update(item.fields)

    def take_at(
        self, item: Point | Happening, step: int | None, epoch: int | None
    ) -> None:
        """Take what stands at a step of the training; None is the newest."""
        step = (self._newest_step or 0) if step is None else step
        if isinstance(item, Point):
            self._point(item, step, epoch)
        else:
            self._happening(item, step)

    def flush(self) -> None:
        """Make rows of all that was taken."""
        self.history.extend(self._record(row) for row in self._rows)
        self._rows.clear()

    def _point(self, point: Point, step: int, epoch: int | None) -> None:
        time_s = self._time(point.wall_time_s)
        values = self._numbers(point.values)
        again = {n for n in values if self._last.get(n, _NEVER)[0] >= step}
        if again and not self._is_late(step, time_s):
            self.flush()
            self._overtaken = self._newest_step
            self._begin_attempt()
            again = set()
        self._look_for_process(step)
        # MindSpore writes some events twice: that says nothing new.
        self.repeated += sum(repr(values[n]) != repr(self._last[n][1]) for n in again)
        values = {n: v for n, v in values.items() if n not in again}
        self._begin(step, time_s)
        if values:
            self._add(_SheetRow(step, time_s, epoch, values))
        self._between = False

    def _is_late(self, step: int, time_s: float) -> bool:
        at_once = self._rows and abs(time_s - self._rows[-1].wall_time_s) < _AT_ONCE_S
        if self.untimed or not at_once:
            at_once = not self._between
        if self._processes > 1 and self._is_behind(step):
            return True
        previous = self._previous_step
        return (previous is None or step >= previous) and bool(at_once)

    def _is_behind(self, step: int) -> bool:
        """Take a step as the next of a process that is behind, if there is one."""
        nearest = max((n for n in self._behind if n < step), default=None)
        if nearest is not None:
            self._behind.remove(nearest)
        elif len(self._behind) >= self._processes - 1:
            return False
        self._behind.append(step)
        return True

    def _look_for_process(self, step: int) -> None:
        """See whether an attempt is none: it passes over the step it would come to.

        All its steps were printed before, but not the last one of these.
        """
        last, newest = self._overtaken, self._newest_step
        if last is None or newest is None or not newest < last < step:
            return
        self.flush()
        rows = self.history.rows(names=())
        of_this = rows.attempts == len(rows.attempt_names) - 1
        of_former = rows.attempts == len(rows.attempt_names) - 2
        self.shows_more |= bool(
            np.isin(rows.steps[of_this], rows.steps[of_former]).all()
        )

    def _begin(self, step: int, time_s: float) -> None:
        if self._begun:
            return
        self._begun = True
        self._attempts += 1
        self.facts = dict(self.facts)
        self._event("train_begin", max(step - 1, 0), time_s, self.facts)

    def _add(self, row: _SheetRow) -> None:
        if self._rows and self._rows[-1].step == row.step:
            self._rows[-1].values.update(row.values)
        else:
            if len(self._rows) >= _BATCH:
                self.flush()
            self._rows.append(row)
        self._last |= {n: (row.step, value) for n, value in row.values.items()}
        newest = self._newest_step
        if newest is None or row.step > newest:
            self._previous_step = row.step if newest is None else newest
            self._newest_step = row.step

    def _numbers(self, values: Mapping[str, float | Number]) -> dict[str, float]:
        for name, value in values.items():
            if isinstance(value, Number):
                self.printed.see(name, value)
        return {name: float(value) for name, value in values.items()}

    def _happening(self, happening: Happening, step: int) -> None:
        time_s = self._time(happening.wall_time_s)
        self._begin(step, time_s)
        self._event(happening.name, step, time_s, happening.fields)

    def _event(
        self, name: str, step: int, time_s: float, fields: Mapping[str, object]
    ) -> None:
        event = Event(name, step, time_s, self._rank, self._attempt, fields=fields)
        self.events.append(event)

    def _time(self, time_s: float | None) -> float:
        if time_s is not None and not 0 <= time_s < _LATEST_S:
            time_s = None
        if time_s is None and self._time_s is None:
            self.untimed = True
            return self._clock()
        self._time_s = self._time_s if time_s is None else time_s
        return self._time_s or 0.0

    def _record(self, row: _SheetRow) -> Record:
        values = row.values
        if self.why_no_loss():
            kept = (name for name in values if not _is_loss(name))
            values = {name: values[name] for name in kept}
        return Record(
            row.step, row.wall_time_s, self._rank, self._attempt, values, row.epoch
        )

    @property
    def stages(self) -> int | None:
        """Of the pipeline; None when its log says nothing."""
        stages = self.facts.get("pipeline_stages")
        return stages if isinstance(stages, int) and stages > 0 else None

    def why_no_loss(self) -> str:
        """Return why the loss of this rank means nothing; empty when it does."""
        scheduler = str(self.facts.get("pipeline_scheduler", ""))
        why = why_no_loss(self._rank, self.size, self.stages, scheduler)
        if why:
            self.facts |= {"loss_valid": False, "loss_invalid_because": why}
        return why


def _is_loss(name: str) -> bool:
    return name in ("loss", "loss_epoch_mean") or name.startswith("loss/")
