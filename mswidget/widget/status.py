"""All that the page shows of a live run beside its numbers."""

from __future__ import annotations

import functools
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from mswidget.metrics import describe, in_order
from mswidget.records.alert import ALERT, Alert
from mswidget.records.axis import GrowingUnits
from mswidget.records.history import History
from mswidget.records.rank import Rank
from mswidget.records.record import Event, Record
from mswidget.records.silence import KERNEL_S, RANK_S, STEP_S, STEP_TIMES
from mswidget.records.step_pace import StepPace
from mswidget.records.step_rate import steps_per_s
from mswidget.widget.marks import (
    BEGIN,
    MARKS,
    alert_info,
    alert_mark,
    event_mark,
    event_marks,
)
from mswidget.widget.protocol import (
    AlertInfo,
    Head,
    Mark,
    MetricInfo,
    Phase,
    RunInfo,
    Silence,
    Status,
    Track,
)
from mswidget.widget.track import only_track
from mswidget.widget.wishes import WISHES, Wishes

SILENCE: Silence = {
    "rank_s": RANK_S,
    "step_times": STEP_TIMES,
    "step_s": STEP_S,
    "kernel_s": KERNEL_S,
}
_LOOK_S = 1.0
"""For shorter pauses nobody asks what the training does in them."""
_SLOW_STEP_S = 3.0
_LONG = ("compiling", "evaluating", "saving")


class LiveStatus:
    """The status of a run that goes on, its marks, and its track.

    Parameters
    ----------
    run
        What does not change while the run goes on.
    history
        Its numbers, which somebody else writes.
    now_s
        The clock of the run.
    doing
        Returns what a thread is in the middle of, such as ``saving``; None for a step.
    """

    def __init__(
        self,
        run: RunInfo,
        history: History,
        now_s: Callable[[], float],
        doing: Callable[[int], Phase | None] = lambda _: None,
    ) -> None:
        self._run = run
        self._history = history
        self._now_s = now_s
        self._begin: Mapping[str, object] = {}
        self._begun_row = 0
        self._units = GrowingUnits()
        self._earlier_marks: Sequence[Mark] = ()
        self._earlier_alerts: Sequence[AlertInfo] = ()
        self._marks: dict[str, deque[Mark]] = {}
        self._wishes = Wishes()
        self._alerts: deque[AlertInfo] = deque(maxlen=MARKS)
        self._alert_count = 0
        self._doing = doing
        self._pace = StepPace()
        self._thread = 0
        self._held_up_s = 0.0
        self.status = fresh_status(now_s())

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change keys of the status; a new phase begins now."""
        if changes.get("phase", self.status["phase"]) != self.status["phase"]:
            self.status["phase_since_s"] = self._now_s()
        self.status.update(changes)  # type: ignore[typeddict-item]

    def logged(self, step: int, epoch: int | None, wall_time_s: float) -> None:
        """Note that a step was logged; more values of it make no other."""
        if step != self.status["step"]:
            self.stepped(wall_time_s)
        self.status["step"] = step
        self.status["epoch"] = epoch
        self.status["last_value_s"] = wall_time_s
        if self.status["phase"] == "waiting":
            self.change({"phase": "training"})

    def stepped(self, wall_time_s: float) -> None:
        """Note that a step has ended, in the thread that makes them."""
        self._pace.ended(wall_time_s)
        self._thread = threading.get_ident()

    def mark(self, event: Event) -> None:
        """Mark an event across the panels."""
        kind = event.name
        if kind in WISHES:
            self._wishes.take(event)
            return
        # Each call of train begins again, of which the attempt's first counts; an
        # alert comes as an `Alert` as well.
        if kind != ALERT and not (kind == BEGIN and kind in self._marks):
            self._mark(event_mark(event, ""))
        if kind == BEGIN:
            self._begin = event.fields

    def alert(self, alert: Alert) -> None:
        """List an alert, and mark it where its metric is drawn."""
        self._alerts.append(alert_info(alert, ""))
        self._alert_count += 1
        self._mark(alert_mark(alert, ""))

    def recall(self, earlier: Rank) -> None:
        """Show what earlier attempts did, too."""
        alerts = [alert_mark(alert, "") for alert in earlier.alerts[-MARKS:]]
        self._earlier_marks = [*event_marks(earlier.events, ""), *alerts]
        self._earlier_alerts = [alert_info(alert, "") for alert in earlier.alerts]
        self._wishes.put_before(earlier.events)
        if earlier.started_s:
            self.change({"started_s": earlier.started_s})

    def begin(self) -> None:
        """Begin anew: how long the last call of train took says nothing of this."""
        fresh = {"phase": "waiting", "stop": "", "detail": "", "steps_per_s": None}
        self.change({**fresh, "begun_s": self._now_s()})
        self._begun_row = len(self._history)
        self._pace.forget()

    def take(self, items: Sequence[Record | Event]) -> None:
        """Note how fast the steps come."""
        if any(isinstance(item, Record) for item in items):
            self.status["steps_per_s"] = steps_per_s(self._history, self._begun_row)

    def is_slow(self) -> bool:
        """Say whether seconds may pass without a step, as they do in a long phase."""
        steps_per_s = self.status["steps_per_s"]
        if steps_per_s is None or self.status["phase"] in _LONG:
            return True
        return steps_per_s * _SLOW_STEP_S < 1

    @property
    def thread(self) -> int:
        """Which thread makes the steps, as `threading.get_ident` names it."""
        return self._thread

    def now(self) -> Status:
        """Return the status as it is now, with what holds the next step up."""
        return self._at(self._now_s())

    def head(self, notices: list[str]) -> Head:
        """Return it as the page gets it."""
        marks = (mark for marks in self._marks.copy().values() for mark in marks)
        return {
            "run": self._run,
            "status": self._at(self._now_s()),
            "metrics": metric_infos(self._history.names, self._wishes.panels),
            "marks": [*self._earlier_marks, *marks],
            "references": self._wishes.references,
            "alerts": [*self._earlier_alerts, *self._alerts.copy()][-MARKS:],
            "alert_count": len(self._earlier_alerts) + self._alert_count,
            "notices": notices,
            "tracks": [self._track()],
            "silence": SILENCE,
        }

    def _at(self, now_s: float) -> Status:
        """Return the status now, with what holds the next step up."""
        last_s, usual_s = self._pace.last_s, self._pace.usual_s
        status: Status = {**self.status, "sent_s": now_s, "usual_step_s": usual_s}
        if last_s is None:
            return status
        if status["phase"] == "training" and now_s - last_s > _LOOK_S:
            phase = self._doing(self._thread)
            if phase is not None:
                self._held_up_s = now_s
                status |= {"phase": phase, "phase_since_s": last_s}
        return {**status, "last_step_s": max(last_s, self._held_up_s)}

    def _track(self) -> Track:
        phase, started_s = self.status["phase"], self.status["started_s"]
        units = self._units.of(self._history, self._begin)
        last = self._history.step_and_time_s(-1)
        track = only_track(self._run["name"], phase, started_s, last, units)
        return {**track, "rank": self._run["rank"]}

    def _mark(self, mark: Mark) -> None:
        # A bound for each kind: many evaluations must not push out the epochs.
        self._marks.setdefault(mark["kind"], deque(maxlen=MARKS)).append(mark)


def fresh_status(now_s: float) -> Status:
    """Return the status of a run that waits for its first step."""
    return {
        "phase": "waiting",
        "phase_since_s": now_s,
        "started_s": now_s,
        "begun_s": now_s,
        "sent_s": now_s,
        "step": None,
        "total_steps": None,
        "epoch": None,
        "total_epochs": None,
        "steps_per_epoch": None,
        "steps_per_s": None,
        "last_value_s": None,
        "last_step_s": None,
        "usual_step_s": None,
        "stop": "",
        "stoppable": True,
        "commands": [],
        "controls": False,
        "detail": "",
    }


def metric_infos(names: Iterable[str], panels: Mapping[str, str]) -> list[MetricInfo]:
    """Return how metrics are shown, by importance; some have a panel by wish."""
    infos = map(metric_info, in_order(names))
    return [
        {**info, "panel": panels.get(info["name"], info["panel"])} for info in infos
    ]


@functools.cache
def metric_info(name: str) -> MetricInfo:
    """Return how a metric is shown."""
    metric = describe(name)
    return {
        "name": name,
        "label": metric.label or name,
        "unit": metric.unit,
        "better": metric.better,
        "panel": metric.panel,
    }
