"""The rules over what is read: runs of other processes, and logs of other tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from mswidget.alerts.glance import Rule
from mswidget.alerts.inspector import Inspector
from mswidget.alerts.rule_table import RULES
from mswidget.alerts.rules.ranks import drift
from mswidget.guard import Guard, tell
from mswidget.records.alert import Alert
from mswidget.records.history import History
from mswidget.records.rank import Rank


class RankCheck:
    """The alerts of one rank, attempt by attempt, as it is read.

    Parameters
    ----------
    rank
        Its number.
    rules
        All that are asked.
    """

    def __init__(self, rank: int, rules: Sequence[Rule] = RULES) -> None:
        self._rank = rank
        self._rules = rules
        self._guard = Guard(tell)
        self._history: History | None = None

    @property
    def alerts(self) -> list[Alert]:
        """All so far, in the order found."""
        return [*self._alerts.values()]

    def read(self, rank: Rank) -> None:
        """Look at what is new of it."""
        history = rank.history
        if history is not self._history:  # new, or read anew
            self._history, self._read, self._attempt = history, 0, ""
            self._alerts: dict[Alert, Alert] = {}
        for start, stop, attempt in _attempts(history, self._read):
            if attempt != self._attempt or not start:
                self._attempt = attempt
                self._begin()
            self._inspector.begin(rank.begin)
            self._own.append(history.rows(start, stop))
            self._inspect()
            self._read = stop

    def _begin(self) -> None:
        """Begin with an attempt: what was before says nothing of it."""
        self._own = History()
        self._inspector = Inspector(self._own, self._rules, self._guard, self._rank)

    def _inspect(self) -> None:
        while unseen := self._inspector.unseen():
            for metric in unseen:
                for alert in self._inspector.inspect(metric):
                    self._alerts[replace(alert, last_step=None)] = alert


def check(ranks: Mapping[int, Rank]) -> list[Alert]:
    """Return what the rules find in the numbers of some ranks."""
    alerts: list[Alert] = []
    for number, rank in ranks.items():
        looked_at = RankCheck(number)
        looked_at.read(rank)
        alerts += looked_at.alerts
    return [*alerts, *drift(ranks)]


def _attempts(history: History, start: int) -> Iterator[tuple[int, int, str]]:
    """Yield begin, end and name of each stretch of rows of one attempt."""
    rows = history.rows(start, names=())
    cuts = np.flatnonzero(np.diff(rows.attempts)) + 1
    ends = [0, *cuts.tolist(), len(rows.attempts)] if len(rows.attempts) else []
    for begin, end in pairwise(ends):
        yield (
            rows.start + begin,
            rows.start + end,
            rows.attempt_names[rows.attempts[begin]],
        )
