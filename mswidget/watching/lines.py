"""Lines of text about runs of other processes."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from mswidget.alerts.notify.channel import Channel
from mswidget.pictures.drawn_run import DrawnRun
from mswidget.pictures.standing import quiet
from mswidget.records.alert import Alert
from mswidget.records.alerts_table import shared
from mswidget.records.history import History
from mswidget.records.phase import ENDED
from mswidget.records.shared_notes import rank_words
from mswidget.run.text import TextLines, one_line, say
from mswidget.watching.watch import READ_S, Watch
from mswidget.widget.protocol import Status

# Ranks that come to it, and numbers; those in the names of files are none.
_GROWING = re.compile(r"\branks? \d[\dto, ]*: |(?<!\S)\d\S*(?: lines?\b)?")
NEWEST = 1000
"""So many rows, at most, are looked at for one line."""


class RunLines:
    """Prints what runs log: a line a run, at most once a second, and how it ended.

    What a reader of the values has to know is printed before them.

    Parameters
    ----------
    folders
        Each a run or a folder of runs; it need not exist yet.
    pattern, steps_per_epoch
        See `load_run`.
    channels
        See `Watch`.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        pattern: str | None = None,
        steps_per_epoch: int | None = None,
        channels: Sequence[Channel] = (),
    ) -> None:
        self._watch = Watch(folders, None, pattern, steps_per_epoch, channels)
        self._told = {
            name: _Told(run, run.alerts()) for name, run in self._watch.runs.items()
        }

    def follow(self) -> None:
        """Print until somebody interrupts it."""
        while True:
            self.tick()
            time.sleep(READ_S)

    def tick(self) -> None:
        """Read what is new, and print it."""
        self._watch.read()
        for name, run in self._watch.runs.items():
            self._told.setdefault(name, _Told(run, [])).tick()


class _Told:
    """What was told of a run, or was there before."""

    def __init__(self, run: DrawnRun, known: Sequence[Alert]) -> None:
        self._run = run
        self._history = History()
        self._done = 0
        self._lines = TextLines(run.run.name, self._status)
        self._notices: set[str] = set()
        self._quiet = ""
        self._lost: set[int] = set()
        self._alerts = set(map(_said, known))

    def tick(self) -> None:
        self._print(self._run.notices())
        self._tell_lost()
        self._tell_alerts()
        rank, history = self._run.main.rank, self._run.main.history
        self._lines.name = self._name()
        if history is not self._history:
            self._history, self._done = history, 0
        rows = history.rows(max(self._done, len(history) - NEWEST))
        self._done = rows.stop
        fresh = History()
        fresh.append(rows)
        self._lines.take(fresh.records(rank))
        if self._status()["phase"] in ENDED:
            self._lines.end()
        else:
            self._lines.tick()
            self._tell_quiet()

    def _tell_alerts(self) -> None:
        for alert, ranks in shared(self._run.alerts()):
            # Of a rank that is lost the line above has told.
            if _said(alert) not in self._alerts and alert.rule != "process_gone":
                whose = f" on {rank_words(ranks)}" if len(self._run.ranks) > 1 else ""
                text = f"{alert.severity} at step {alert.step}{whose}: {alert.title}"
                say(one_line(f"{self._run.run.name}: {text}"), sys.stdout)
            self._alerts.add(_said(alert))

    def _tell_quiet(self) -> None:
        before, self._quiet = self._quiet, quiet(self._run.main)
        if self._quiet not in ("", before):
            say(one_line(f"{self._run.run.name}: {self._quiet}"), sys.stdout)

    def _tell_lost(self) -> None:
        """Tell of each rank that is lost; of the one that speaks, its end does."""
        ranks = self._run.ranks
        lost = {n: r for n, r in ranks.items() if r.phase[0] == "lost"}
        for number in sorted(lost.keys() - self._lost - {ranks.main.rank}):
            last = lost[number].history.step_and_time_s(-1)
            where = f"at step {last[0]:.0f}" if last else "before its first step"
            text = f"rank {number} is lost {where}: {lost[number].lost}"
            say(one_line(f"{self._run.run.name}: {text}"), sys.stdout)
        self._lost = {*lost}

    def _name(self) -> str:
        """Return the run's name, and which of its ranks speaks for it."""
        name, count = self._run.run.name, len(self._run.ranks)
        main = self._run.main.rank
        return name if count == 1 else f"{name} (rank {main} of {count} ranks)"

    def _print(self, notices: Iterable[str]) -> None:
        """Print notices that are new; a number in them that grows makes none new."""
        kinds = {_GROWING.sub("", notice): notice for notice in notices}
        for kind, notice in kinds.items():
            if kind not in self._notices:
                say(one_line(notice), sys.stdout)
        self._notices |= kinds.keys()

    def _status(self) -> Status:
        # Each attempt has an end of its own.
        return {**self._run.status(), "begun_s": self._run.main.begun_s}


def _said(alert: Alert) -> tuple[object, ...]:
    """Return what makes an alert another than those that were told."""
    return alert.rule, alert.metric, alert.step, alert.attempt, alert.message
