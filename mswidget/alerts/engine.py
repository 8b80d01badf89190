"""The alerts of a run that goes on: found, written, told."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from mswidget.alerts.inspector import Inspector
from mswidget.files.writer import Writer
from mswidget.records.alert import ALERT, Alert, folded
from mswidget.records.record import Event, Record

CHECKS = 32
PAUSE_S = 1.0
"""Values are looked at once in so many seconds: rules cost per call, not per value."""
_TICK_S = 0.02


class Alerts:
    """The alerts of one rank.

    Parameters
    ----------
    inspector
        Finds them.
    path
        ``alerts_rank_<r>.jsonl``; made at the first alert.
    tell
        Is given each new alert.
    pause_s
        How long new values wait at most.
    """

    def __init__(
        self,
        inspector: Inspector,
        path: Path,
        tell: Callable[[Alert], None],
        pause_s: float = PAUSE_S,
    ) -> None:
        self._pause_s = pause_s
        self._next_s = 0.0
        self._inspector = inspector
        self._tell = tell
        self._writer = Writer(path)
        self._fresh: dict[str, None] = {}  # metrics with new values, oldest first
        self._events: list[Event] = []

    @property
    def found(self) -> list[Alert]:
        """All alerts so far, in order."""
        return folded(self._events.copy())

    @property
    def trouble(self) -> str:
        """Why alerts wait to be written, in words; empty when all are."""
        return self._writer.trouble

    def take(self, items: Sequence[Record | Event]) -> None:
        """Take alerts that were logged, and what the begin of a training says."""
        for item in items:
            if isinstance(item, Event):
                self._take_event(item)

    def tick(self) -> None:
        """Check a bounded number of metrics, and write."""
        now_s = time.monotonic()
        if now_s >= self._next_s:
            self._next_s = now_s + self._pause_s
            self._find_unseen()
        self._check(CHECKS, now_s + _TICK_S)
        if self._writer.trouble:
            self._writer.write(())  # what waits

    def end(self) -> None:
        """Check what is left, and release the file."""
        self._find_unseen()
        while self._fresh:
            self._check(len(self._fresh))
        self._writer.close()

    def add(self, alert: Alert) -> None:
        """Take an alert, or one that was taken before and has passed."""
        event = alert.to_event()
        self._events.append(event)
        self._writer.write([event])
        if alert.last_step is None:
            self._tell(alert)

    def _find_unseen(self) -> None:
        self._fresh.update(dict.fromkeys(self._inspector.unseen()))

    def _take_event(self, event: Event) -> None:
        if event.name == ALERT:
            self.add(Alert.from_event(event))
        elif event.name == "train_begin":
            self._inspector.begin(event.fields)

    def _check(self, most: int, until_s: float = math.inf) -> None:
        for metric in list(islice(self._fresh, most)):
            del self._fresh[metric]
            for alert in self._inspector.inspect(metric):
                self.add(alert)
            if not self._inspector.is_done(metric):
                self._fresh[metric] = None
            if time.monotonic() > until_s:
                break
