"""One rank of a run: what is known of it by now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from mswidget.records.alert import Alert
from mswidget.records.axis import StepUnits, units_of
from mswidget.records.curve import Curve, curves
from mswidget.records.history import History
from mswidget.records.phase import ENDED, SavedPhase, phase_of
from mswidget.records.record import Event, Record
from mswidget.records.rounding import Rounding


@dataclass(frozen=True, eq=False)
class Rank:
    """One rank of a run, as far as it is known.

    Parameters
    ----------
    rank
        Its number.
    history, events, alerts
        What it has logged, in the order written.
    path
        Where that stands; a log may be shared with other ranks.
    skipped
        The first lines that could not be read: file, number, why.
    rounding
        By metric: how its values were rounded when they were printed.
    notes
        What a reader of its numbers has to know, one sentence each.
    own
        Whether mswidget itself writes it.
    left_out, unread
        Bytes at the begin of its file that are not read at all, and at the end that
        are not yet.
    lost
        Why nothing more will come, though it has not said its end; empty otherwise.
    """

    rank: int
    history: History = field(default_factory=History)
    events: Sequence[Event] = ()
    alerts: Sequence[Alert] = ()
    path: Path = Path()
    skipped: Sequence[str] = ()
    rounding: Mapping[str, Rounding] = field(default_factory=dict)
    notes: Sequence[str] = ()
    own: bool = True
    left_out: int = 0
    unread: int = 0
    lost: str = ""

    @property
    def records(self) -> list[Record]:
        """Return every record as an object of its own; `history` is far smaller."""
        return self.history.records(self.rank)

    @cached_property
    def phase(self) -> tuple[SavedPhase, str]:
        """What it does, and the detail in words."""
        if self.lost and not self.has_ended:
            return "lost", self.lost
        return self._told

    @property
    def has_ended(self) -> bool:
        """Whether it has said so."""
        return self._told[0] in ENDED

    @cached_property
    def _told(self) -> tuple[SavedPhase, str]:
        return phase_of(self.history, self.events)

    @cached_property
    def _begin(self) -> Event | None:
        begins = (e for e in reversed(self.events) if e.name == "train_begin")
        return next(begins, None)

    @property
    def begin(self) -> Mapping[str, object]:
        """What the last begin of its training says."""
        return self._begin.fields if self._begin else {}

    @property
    def begun_s(self) -> float:
        """When that was; when it began at all if nothing says so."""
        return self._begin.wall_time_s if self._begin else self.started_s

    @cached_property
    def why_no_loss(self) -> str:
        """Why its loss means nothing; empty when it does."""
        return why_no_loss(self.begin)

    @cached_property
    def curves(self) -> Mapping[str, Curve]:
        """Its metrics."""
        return curves(self.history.rows())

    @cached_property
    def units(self) -> StepUnits:
        """What its steps stand for."""
        return units_of(self.history.rows(), self.begin)

    @cached_property
    def started_s(self) -> float:
        """When it began."""
        first = self.history.step_and_time_s(0)
        times = [first[1]] if first else []
        return min([*times, *(e.wall_time_s for e in self.events[:1])], default=0.0)

    @property
    def last_s(self) -> float:
        """When it logged its last values."""
        last = self.history.step_and_time_s(-1)
        return last[1] if last else 0.0


def why_no_loss(begin: Mapping[str, object]) -> str:
    """Return why the loss means nothing, as the begin of a training says it; or ""."""
    outputs = begin.get("outputs")
    inner = outputs if isinstance(outputs, Mapping) else {}
    return str({**begin, **inner}.get("loss_invalid_because", ""))
