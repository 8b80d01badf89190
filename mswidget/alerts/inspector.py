"""Asks the rules about one rank's history, as it grows or at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from mswidget.alerts.glance import Digests, Fault, Glance, Rule
from mswidget.guard import Guard
from mswidget.metrics import fits
from mswidget.records.alert import Alert
from mswidget.records.batches import Batches
from mswidget.records.history import History
from mswidget.records.rank import why_no_loss

QUIET = 100
AT_ONCE = 2**16
"""So many values of a metric, at most, are looked at in one go."""
_OF_LOSS = ("loss", "loss/*")


@dataclass
class _Case:
    """What is known of a rule and a metric."""

    lasting: Alert | None = None
    quiet: int = 0
    again_at: int = 0


class Inspector:
    """Finds alerts in a history: each once, and again only when it had cleared.

    The second time comes at least `QUIET` values after the first, the third after
    twice as many more, and so on: what comes and goes stays a short list.

    Parameters
    ----------
    history
        What the rules look at.
    rules
        All that are asked.
    guard
        Calls each rule apart.
    rank
        Whose history it is.
    """

    def __init__(
        self, history: History, rules: Sequence[Rule], guard: Guard, rank: int
    ) -> None:
        self._history = history
        self._guard = guard
        self._rank = rank
        self._digests = Digests(history)
        self._done: dict[str, int] = {}
        self._cases: dict[tuple[Rule, str], _Case] = {}
        self._watching: Callable[[str], list[Rule]] = cache(
            lambda metric: [rule for rule in rules if rule.watches(metric)]
        )
        self._has_loss = True
        self._begin: Mapping[str, object] = {}
        self._batches: Batches | None = None

    def begin(self, begin: Mapping[str, object]) -> None:
        """Take what the begin of a training says: of its loss, and of its data."""
        self._has_loss = not why_no_loss(begin)
        self._begin, self._batches = begin, Batches.of(begin)

    def unseen(self) -> list[str]:
        """Return the metrics that have values that no rule has looked at."""
        counts = self._history.counts()
        return [
            m
            for m, n in counts.items()
            if n > self._done.get(m, 0) and self._watches(m)
        ]

    def inspect(self, metric: str) -> Iterator[Alert]:
        """Glance at the new values of a metric, some of them if they are very many.

        Yields
        ------
        Alert
            One that begins, or one that was yielded before and has cleared.
        """
        start = self._done.get(metric, 0)
        series = self._history.series(metric, len(self._history))
        values = series.values[: start + AT_ONCE]
        if len(values) == start or not self._watches(metric):
            return
        self._done[metric] = len(values)
        held = replace(series, values=values)
        glance = Glance(self._history, metric, held, self._digests, start, self._begin)
        for rule in self._watching(metric):
            yield from self._ask(rule, glance)

    def is_done(self, metric: str) -> bool:
        """Say whether all values of a metric were looked at."""
        known = len(self._history.values(metric))
        return not self._watches(metric) or self._done.get(metric, 0) >= known

    def _watches(self, metric: str) -> bool:
        no_loss = not self._has_loss and any(fits(metric, p) for p in _OF_LOSS)
        return not no_loss and bool(self._watching(metric))

    def _ask(self, rule: Rule, glance: Glance) -> Iterator[Alert]:
        # NaN and overflows are what some rules look for.
        with np.errstate(all="ignore"):
            found = self._guard(f"the alert rule {rule.name}", rule.find, glance)
        case = self._cases.setdefault((rule, glance.metric), _Case())
        if found is None:
            if case.lasting is not None:
                yield self._cleared(case.lasting, glance, glance.start)
                case.lasting = None
        else:
            yield from self._walk(rule, glance, found, case)

    def _walk(
        self, rule: Rule, glance: Glance, found: Fault, case: _Case
    ) -> Iterator[Alert]:
        on, off = (glance.start + np.flatnonzero(f) for f in (found.bad, ~found.bad))
        place = glance.start
        while True:
            if case.lasting is not None:
                after = off[np.searchsorted(off, place) :][:1]
                if not len(after):
                    return
                place = int(after[0])
                yield self._cleared(case.lasting, glance, place)
                case.lasting = None
            begins = on[np.searchsorted(on, max(place, case.again_at)) :][:1]
            if not len(begins):
                return
            place = int(begins[0])
            alert = self._guard(
                f"the alert rule {rule.name}", self._alert, rule, glance, found, place
            )
            if alert is None:
                return
            case.lasting = alert
            case.quiet = max(QUIET, 2 * case.quiet)
            case.again_at = place + case.quiet
            yield alert

    def _cleared(self, alert: Alert, glance: Glance, place: int) -> Alert:
        """Return an alert that has lasted until the value before a place."""
        row = int(glance.series.rows(np.array([max(place - 1, 0)]))[0])
        step = self._history.rows(row, row + 1, ()).steps[0]
        return replace(alert, last_step=max(int(step), alert.step))

    def _alert(self, rule: Rule, glance: Glance, found: Fault, place: int) -> Alert:
        row = int(glance.series.rows(np.array([place]))[0])
        rows = self._history.rows(row, row + 1, ())
        step = int(rows.steps[0])
        epoch = None if np.isnan(rows.epochs[0]) else int(rows.epochs[0])
        batch = ""
        if rule.names_batch and self._batches is not None:
            batch = self._batches.words(step, epoch)
        return Alert(
            rule=rule.name,
            step=step,
            wall_time_s=float(rows.wall_times_s[0]),
            rank=self._rank,
            attempt=rows.attempt_names[rows.attempts[0]],
            severity=rule.severity,
            metric=glance.metric,
            message=f"{found.tell(place)}{batch}",
            advice=rule.advice,
            epoch=epoch,
        )
