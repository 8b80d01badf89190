"""An alert: what a rule found at a step, and its line in the file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from mswidget.records.record import Event

Severity = Literal["warning", "error"]
ALERT = "alert"
"""The name of the event that says an alert."""


@dataclass(frozen=True)
class Alert:
    """What a rule found wrong.

    Parameters
    ----------
    rule
        Which rule: one of `mswidget.alerts.rules`, or a name of the user's own.
    step, wall_time_s, rank, attempt
        Where it was found, as in a `Record`.
    severity
        ``warning`` or ``error``.
    metric
        The metric that it concerns; empty when it is the run as a whole.
    message
        What was found, in one sentence.
    advice
        What to try.
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
        severity = event.fields.get("severity")
        return cls(
            **said,
            # Some things are known before the first step; their curve begins there.
            step=max(event.step, 1),
            wall_time_s=event.wall_time_s,
            rank=event.rank,
            attempt=event.attempt,
            severity="error" if severity == "error" else "warning",
        )

    def to_event(self) -> Event:
        """Return the event whose line stands in ``alerts_rank_<r>.jsonl``."""
        fields = asdict(self)
        common = {
            name: fields.pop(name)
            for name in ("step", "wall_time_s", "rank", "attempt")
        }
        return Event(name=ALERT, fields=fields, **common)
