"""What is wrong with a run that others write, as it is read."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from dataclasses import replace

from mswidget.alerts.check import RankCheck
from mswidget.alerts.rules.ranks import SILENT_S, drift, gone, silent
from mswidget.records.alert import Alert
from mswidget.records.rank import Rank
from mswidget.records.ranks import Ranks

_FIRST_S = 5.0
_VALUES, _FEWEST = 100_000, 100
_SHARE = 20.0
_LONG_AGO_S = 600.0


class RunCheck:
    """Asks the rules about its ranks, and about the values of other tools' logs.

    Of a run of mswidget's own the ranks ask these themselves.
    """

    def __init__(self) -> None:
        self._values: dict[int, RankCheck] = {}
        self._standing: dict[tuple[str, int, str], Alert] = {}
        self._next_drift_s = 0.0
        self._begun_s = 0.0

    @property
    def alerts(self) -> list[Alert]:
        """All so far."""
        values = [a for check in self._values.values() for a in check.alerts]
        return [*values, *self._standing.values()]

    def read(self, ranks: Ranks, now_s: float) -> None:
        """Look at what is new."""
        for number, rank in ranks.items():
            if not rank.own:
                self._values.setdefault(number, RankCheck(number)).read(rank)
        heard_s = {n: _heard_s(rank, now_s) for n, rank in ranks.items()}
        if not self._begun_s:
            self._begun_s = now_s
        # What was over before anybody looked is no news.
        long_ago_s = self._begun_s - _LONG_AGO_S
        heard_s = {n: at_s for n, at_s in heard_s.items() if at_s > long_ago_s}
        here = {number: ranks[number] for number in heard_s}
        self._stand("process_gone", gone(here, now_s))
        self._stand("rank_silent", silent(ranks, now_s, heard_s))
        self._look_for_drift(ranks)

    def _look_for_drift(self, ranks: Ranks) -> None:
        """Look at the last rows, at a twentieth of the time, and after the picture."""
        began_s = time.monotonic()
        if not self._next_drift_s:
            self._next_drift_s = began_s + _FIRST_S
        if began_s >= self._next_drift_s:
            most = max(_VALUES // max(len(ranks), 1), _FEWEST)
            self._stand("rank_drift", drift(ranks.with_loss, most))
            spent_s = time.monotonic() - began_s
            self._next_drift_s = began_s + max(1.0, _SHARE * spent_s)

    def _stand(self, rule: str, found: Iterable[Alert]) -> None:
        """Take what a rule finds now; what it found before, and not now, has passed."""
        now = {(rule, alert.rank, alert.attempt): alert for alert in found}
        for key, alert in self._standing.items():
            if key[0] == rule and key not in now and alert.last_step is None:
                self._standing[key] = replace(alert, last_step=alert.step)
        for key, alert in now.items():
            before = self._standing.get(key)
            if before is None or before.last_step is not None:
                self._standing[key] = alert


def _heard_s(rank: Rank, now_s: float) -> float:
    """Return when a rank was heard last."""
    if rank.own and rank.last_s > now_s - SILENT_S:
        return rank.last_s
    # What a log says may be the time of another zone, and what is copied comes late.
    with contextlib.suppress(OSError):
        return rank.path.stat().st_mtime
    return rank.last_s
