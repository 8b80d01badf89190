"""Asks the rules, and keeps what they find."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeGuard

from mswidget.alerts.rules import Fault, Rule, rules_of
from mswidget.files.writer import Writer
from mswidget.guard import Guard
from mswidget.records.alert import ALERT, Alert
from mswidget.records.history import History
from mswidget.records.record import Event, Record

CHECKS = 32
QUIET_STEPS = 100


class Alerts:
    """The alerts of one rank: each once, and again only when it had cleared.

    The second time comes at least `QUIET_STEPS` after the first, the third after
    twice as many more, and so on: what comes and goes stays a short list.

    Parameters
    ----------
    history
        What the rules look at.
    guard
        Calls each rule apart.
    path
        ``alerts_rank_<r>.jsonl``; made at the first alert.
    tell
        Is given each new alert.
    """

    def __init__(
        self,
        history: History,
        guard: Guard,
        path: Path,
        tell: Callable[[Alert], None],
    ) -> None:
        self._history = history
        self._guard = guard
        self._tell = tell
        self._writer = Writer(path)
        self._fresh: dict[str, None] = {}  # metrics with new values, oldest first
        self._counts: dict[str, int] = {}
        self._last: Record | None = None
        self._active: set[tuple[str, str]] = set()
        self._quiet: dict[tuple[str, str], tuple[int, int]] = {}
        self._found: list[Alert] = []

    @property
    def found(self) -> list[Alert]:
        """All alerts so far, in order."""
        return self._found.copy()

    @property
    def trouble(self) -> str:
        """Why alerts wait to be written, in words; empty when all are."""
        return self._writer.trouble

    def take(self, items: Sequence[Record | Event]) -> None:
        """Note which metrics have new values; take alerts that were logged."""
        self._last = next(filter(_is_record, reversed(items)), self._last)
        if items:
            counts, before = self._history.counts(), self._counts
            self._fresh.update(
                dict.fromkeys(n for n in counts if counts[n] != before.get(n))
            )
            self._counts = counts
        for item in items:
            if isinstance(item, Event) and item.name == ALERT:
                self._add(Alert.from_event(item))

    def tick(self) -> None:
        """Check a bounded number of metrics, and write."""
        self._check(CHECKS)
        if self._writer.trouble:
            self._writer.write(())  # what waits

    def end(self) -> None:
        """Check what is left, and release the file."""
        self._check(len(self._fresh))
        self._writer.close()

    def _check(self, most: int) -> None:
        watched = 0
        while self._fresh and watched < most:
            name = next(iter(self._fresh))
            del self._fresh[name]
            rules = _rules_of(name)
            watched += bool(rules)
            for rule in rules:
                part = f"the alert rule {rule.name}"
                fault = self._guard(part, rule.check, self._history, name)
                self._judge(rule, name, fault)

    def _judge(self, rule: Rule, name: str, fault: Fault | None) -> None:
        key = (rule.name, name)
        if fault is None:
            self._active.discard(key)
        elif key not in self._active and self._last is not None:
            before, quiet = self._quiet.get(key, (self._last.step, 0))
            if abs(self._last.step - before) >= quiet:
                self._active.add(key)
                self._quiet[key] = (self._last.step, max(QUIET_STEPS, 2 * quiet))
                self._add(_alert(rule, name, fault, self._last))

    def _add(self, alert: Alert) -> None:
        self._found.append(alert)
        self._writer.write([alert.to_event()])
        self._tell(alert)


def _is_record(item: Record | Event) -> TypeGuard[Record]:
    return isinstance(item, Record)


_rules_of = functools.cache(rules_of)


def _alert(rule: Rule, name: str, fault: Fault, last: Record) -> Alert:
    return Alert(
        rule.name,
        last.step,
        last.wall_time_s,
        last.rank,
        last.attempt,
        fault.severity,
        name,
        fault.message,
        fault.advice,
    )
