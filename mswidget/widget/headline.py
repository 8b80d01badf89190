"""All that the page shows of a run beside its numbers."""

from __future__ import annotations

import functools
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from mswidget.metrics import describe, in_order
from mswidget.records.alert import ALERT, Alert
from mswidget.records.record import Event, Record
from mswidget.widget.protocol import (
    AlertInfo,
    Head,
    Mark,
    MetricInfo,
    RunInfo,
    Status,
)

_MARKS = 200
_RATE_S = 10.0
_SLOW_STEP_S = 3.0


class Headline:
    """The status, the marks, and how metrics are shown.

    Parameters
    ----------
    run
        What does not change while the run goes on.
    """

    def __init__(self, run: RunInfo) -> None:
        self._run = run
        self._marks: dict[str, deque[Mark]] = {}
        self._alerts: deque[AlertInfo] = deque(maxlen=_MARKS)
        self._alert_count = 0
        self._rates: deque[tuple[float, int]] = deque()
        self.status = fresh_status()

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change keys of the status; a new phase begins now."""
        if changes.get("phase", self.status["phase"]) != self.status["phase"]:
            self.status["phase_since_s"] = time.time()
        self.status.update(changes)  # type: ignore[typeddict-item]

    def logged(self, step: int, epoch: int | None, wall_time_s: float) -> None:
        """Note that a step was logged."""
        self.status["step"] = step
        self.status["epoch"] = epoch
        self.status["last_value_s"] = wall_time_s
        if self.status["phase"] == "waiting":
            self.change({"phase": "training"})

    def mark(self, step: int, kind: str, fields: Mapping[str, object]) -> None:
        """Mark an event across the panels."""
        told = ((k, v) for k, v in fields.items() if not isinstance(v, Mapping))
        words = [f"{key} {value}" for key, value in told if str(value)]
        if kind != ALERT:  # comes as an `Alert` as well
            self._mark({"step": step, "kind": kind, "text": ", ".join(words)})

    def alert(self, alert: Alert) -> None:
        """List an alert, and mark it where its metric is drawn."""
        self._alerts.append(alert_info(alert))
        self._alert_count += 1
        self._mark(alert_mark(alert))

    def begin(self) -> None:
        """Begin anew: how long the last call of train took says nothing of this."""
        self._rates.clear()
        fresh = {"phase": "waiting", "stop": "", "detail": "", "steps_per_s": None}
        self.change({**fresh, "begun_s": time.time()})

    def take(self, items: Sequence[Record | Event]) -> None:
        """Note how fast the steps come."""
        records = [item for item in items if isinstance(item, Record)]
        if records:
            self.rate(records[-1].wall_time_s, self.status["step"] or 0)

    def rate(self, now_s: float, step: int) -> None:
        """Take the steps per second over the last ten seconds of records."""
        if self._rates and step == self._rates[-1][1]:
            return  # an evaluation, or the machine, at the last step
        if self._rates and step < self._rates[-1][1]:
            self._rates.clear()  # the steps of another epoch, counted anew
        self._rates.append((now_s, step))
        while now_s - self._rates[0][0] > _RATE_S and len(self._rates) > 2:  # noqa: PLR2004 - a rate takes two
            self._rates.popleft()
        first_s, first = self._rates[0]
        if now_s > first_s:
            self.status["steps_per_s"] = (step - first) / (now_s - first_s)

    def is_slow(self) -> bool:
        """Say whether a step may take seconds: it compiles, or steps did so far."""
        steps_per_s = self.status["steps_per_s"]
        if self.status["phase"] in ("compiling", "evaluating") or steps_per_s is None:
            return True
        return steps_per_s * _SLOW_STEP_S < 1

    def head(self, metrics: Sequence[str], notices: list[str]) -> Head:
        """Return it as the page gets it."""
        return {
            "run": self._run,
            "status": {**self.status, "sent_s": time.time()},
            "metrics": [metric_info(name) for name in in_order(metrics)],
            "marks": [mark for marks in self._marks.copy().values() for mark in marks],
            "alerts": list(self._alerts.copy()),
            "alert_count": self._alert_count,
            "notices": notices,
        }

    def _mark(self, mark: Mark) -> None:
        # A bound for each kind: many evaluations must not push out the epochs.
        self._marks.setdefault(mark["kind"], deque(maxlen=_MARKS)).append(mark)


def fresh_status() -> Status:
    """Return the status of a run that waits for its first step."""
    now_s = time.time()
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
        "stop": "",
        "stoppable": True,
        "controls": False,
        "detail": "",
    }


def alert_info(alert: Alert) -> AlertInfo:
    """Return an alert as the page lists it."""
    return {
        "rule": alert.rule,
        "step": alert.step,
        "wall_time_s": alert.wall_time_s,
        "rank": alert.rank,
        "severity": alert.severity,
        "metric": alert.metric,
        "message": alert.message,
        "advice": alert.advice,
    }


def alert_mark(alert: Alert) -> Mark:
    """Return an alert as it stands on the curves."""
    return {
        "step": alert.step,
        "kind": ALERT,
        "text": alert.rule.replace("_", " "),
        "metric": alert.metric,
    }


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
