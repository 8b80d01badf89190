"""An alert: what a rule found at a step, and its line in the file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Literal, get_args

from mswidget.records.record import Event

Severity = Literal["info", "warning", "error"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
ALERT = "alert"
"""The name of the event that says an alert."""


@dataclass(frozen=True)
class Alert:
    """What a rule found wrong.

    Parameters
    ----------
    rule
        Which rule: one of `mswidget.alerts.rule_table`, or a name of the user's own.
    step, wall_time_s, rank, attempt
        Where it was found, as in a `Record`.
    severity
        ``info``, ``warning`` or ``error``.
    metric
        The metric that it concerns; empty when it is the run as a whole.
    message
        What was found, in one sentence.
    advice
        What to try.
    epoch
        In which it was found; None when nobody knows.
    last_step
        The last step at which it was so; None while it lasts, and for what has no end.
    """

    rule: str
    step: int
    wall_time_s: float
    rank: int
    attempt: str
    severity: Severity
    metric: str
    message: str
    advice: str
    epoch: int | None = None
    last_step: int | None = None

    @property
    def kind(self) -> str:
        """Its rule in words."""
        return self.rule.replace("_", " ") or ALERT

    @property
    def title(self) -> str:
        """What was found, or the kind where nobody said so."""
        return self.message or self.kind

    @classmethod
    def from_event(cls, event: Event) -> Alert:
        """Return the alert that an event says; what it leaves out is empty."""
        said = {
            name: str(event.fields.get(name, ""))
            for name in ("rule", "metric", "message", "advice")
        }
        severity, last_step = map(event.fields.get, ("severity", "last_step"))
        return cls(
            **said,
            # Some things are known before the first step; their curve begins there.
            step=max(event.step, 1),
            wall_time_s=event.wall_time_s,
            rank=event.rank,
            attempt=event.attempt,
            severity=severity if severity in SEVERITIES else "warning",
            epoch=event.epoch,
            last_step=last_step if type(last_step) is int else None,
        )

    def to_event(self) -> Event:
        """Return the event whose line stands in ``alerts_rank_<r>.jsonl``."""
        fields = asdict(self)
        common = {
            name: fields.pop(name)
            for name in ("step", "wall_time_s", "rank", "attempt", "epoch")
        }
        if self.last_step is None:
            del fields["last_step"]
        return Event(name=ALERT, fields=fields, **common)


def folded(events: Iterable[Event]) -> list[Alert]:
    """Return the alerts that events say, in their order; a later one ends the earlier.

    Its line is the same but for the last step.
    """
    alerts: dict[Alert, Alert] = {}
    for event in events:
        alert = Alert.from_event(event)
        alerts[replace(alert, last_step=None)] = alert
    return [*alerts.values()]
