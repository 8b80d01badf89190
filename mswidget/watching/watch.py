"""Runs of other processes in a live picture, while this kernel is free."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mswidget.alerts.notify.channel import Channel
from mswidget.alerts.notify.ledger import NAME as LEDGER
from mswidget.alerts.notify.ledger import Ledger
from mswidget.alerts.notify.notifier import Notifier
from mswidget.alerts.options import Notify, alert_options
from mswidget.alerts.run_check import RunCheck
from mswidget.files.folder import log_dir_of
from mswidget.files.stop_request import StopError, ask_to_stop
from mswidget.guard import Guard, tell
from mswidget.pictures.drawn_run import DrawnRun
from mswidget.pictures.scene import (
    head_of,
    head_of_none,
    histories_of,
    looked_at,
    metrics_of,
)
from mswidget.records.alert import Alert
from mswidget.records.history import History
from mswidget.run.worker import WORKER
from mswidget.saved.follow import Follower
from mswidget.saved.rank_source import RankSource
from mswidget.saved.run import SavedRun
from mswidget.widget.protocol import AskStop, AskTracks, Head
from mswidget.widget.surroundings import in_kernel

if TYPE_CHECKING:
    from mswidget.widget.live import LiveView

READ_S = 0.5
"""How often the files are looked at."""
BIG_BYTES = 512 * 2**20
"""Of a run whose files are more than this in all, one rank is read whole."""
TAIL_BYTES = 2**16
"""So much is read of its other ranks, to begin with."""
FIRST_RUNS = 6
"""So many runs, the newest, are read until others are asked for."""


class Watch:
    """Follows runs in folders, and shows them. Made by `watch`.

    Parameters
    ----------
    folders
        See `Follower`.
    run
        Watch only the run of this name.
    pattern, steps_per_epoch
        See `load_run`.
    channels
        Where alerts are sent to that were not there at first.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        run: str | None = None,
        pattern: str | None = None,
        steps_per_epoch: int | None = None,
        channels: Sequence[Channel] = (),
    ) -> None:
        self._channels = channels
        self._notifiers: dict[str, Notifier] = {}
        self._checks: dict[str, RunCheck] = {}
        self._told: dict[str, set[Alert]] = {}
        self._seen_at_first = False
        self._folders = folders
        self._follower = Follower(folders, run, pattern, steps_per_epoch)
        self._head = head_of_none("", [])
        self._guard = Guard(self._notice)
        self._troubles: list[str] = []
        self._chosen: set[str] | None = None
        self._offered: set[str] = set()
        self._next_read_s = 0.0
        self._view: LiveView | None = None
        self.runs: dict[str, DrawnRun] = {}
        """The runs found so far, by name, oldest first."""
        self.histories: dict[str, History] = {}
        """The numbers of what can be asked, by the track's id."""
        self.read()

    def read(self) -> bool:
        """Read what is new; returns whether anything is."""
        changed = self._follower.poll(self._is_open)
        if self._meet():
            changed |= self._follower.poll(self._is_open)
        for name, run in self.runs.items():
            run.update()
            self._guard("the alert rules", self._check, name, run)
        self._seen_at_first = True
        self.histories = self._asked_of()
        self._head = self._make_head()
        return bool(changed)

    def _check(self, name: str, run: DrawnRun) -> None:
        """Ask the rules about a run, and tell of what is new."""
        if name not in self._checks:
            self._checks[name] = RunCheck()
        self._checks[name].read(run.ranks, time.time())
        run.found = self._checks[name].alerts
        known = self._told.setdefault(name, set())
        fresh = [a for a in run.alerts() if replace(a, last_step=None) not in known]
        known.update(replace(alert, last_step=None) for alert in fresh)
        if self._seen_at_first and self._channels:
            for alert in fresh:
                self._notifier(name, run).take(alert)

    def _notifier(self, name: str, run: DrawnRun) -> Notifier:
        if name not in self._notifiers:
            # Nothing is written into a folder of another tool.
            folder = run.main.path.parent if run.main.own else None
            ledger = Ledger(folder and folder / LEDGER)
            told = Notifier(name, self._channels, ledger, self._notice)
            self._notifiers[name] = told
        return self._notifiers[name]

    def show(self) -> None:
        """Show the live picture below the running cell; the kernel stays free."""
        # Only a notebook has IPython.
        from mswidget.widget.live import LiveView  # noqa: PLC0415

        if self._view is None:
            self._view = LiveView(
                lambda: self.histories,
                self.head,
                {"ask_stop": self._stop, "ask_tracks": self._choose},
            )
            WORKER.add(self._tick)
        self._view.show()

    def close(self) -> None:
        """Follow no longer; the picture stays as it is."""
        WORKER.remove(self._tick)
        if self._view is not None:
            self._guard("the widget", self._view.finish)

    def __repr__(self) -> str:
        """Folders and runs."""
        places = ", ".join(map(str, self._folders))
        runs = ", ".join(self.runs) or "no run yet"
        return f"<Watch of {places}: {runs}>"

    def _tick(self) -> None:
        if time.monotonic() >= self._next_read_s:
            began_s = time.monotonic()
            self._guard("reading runs", self.read)
            spent_s = time.monotonic() - began_s
            # Long files are read bit by bit, at a third of the time; else what very
            # many ranks cost is held to a twentieth.
            pause_s = 3 * spent_s if self._follower.behind else 20 * spent_s
            least_s = 0 if self._follower.behind else READ_S
            self._next_read_s = began_s + max(least_s, pause_s)
        if self._view is not None:
            self._guard("the widget", self._view.tick)

    def _meet(self) -> bool:
        """Take in runs that have appeared; returns whether there are any."""
        new = [r for name, r in self._follower.runs.items() if name not in self.runs]
        for run in sorted(new, key=_changed_s):
            if sum(map(_size, run.sources.values())) > BIG_BYTES:
                for rank in sorted(run.sources)[1:]:
                    run.sources[rank].start_near_end(TAIL_BYTES)
            self.runs[run.name] = DrawnRun(run, len(self.runs))
        return bool(new)

    def _is_open(self, run: SavedRun) -> bool:
        return run.name in self._open()

    def _open(self) -> list[str]:
        if self._chosen is None:
            return list(self.runs)[-FIRST_RUNS:]
        chosen = [n for n, run in self.runs.items() if run.ids() & self._chosen]
        return [*chosen, *self._new()]

    def _new(self) -> list[str]:
        """Return the runs among which nobody has chosen yet."""
        new = [name for name in self.runs if name not in self._offered]
        return new[-FIRST_RUNS:]

    def _shown(self) -> set[str]:
        first = self._open() if self._chosen is None else self._new()
        return (self._chosen or set()).union(
            *(self.runs[name].shown_first() for name in first)
        )

    def _asked_of(self) -> dict[str, History]:
        """Return what is shown, and the track that the cards are of."""
        runs = self._open_runs()
        spoken = {looked_at(runs).main_id} if runs else set()
        return histories_of(self.runs.values(), self._shown() | spoken)

    def choose(self, shown: Sequence[str]) -> None:
        """Show these tracks; their rows come with the next readings."""
        self._chosen, self._offered = set(map(str, shown)), set(self.runs)
        self._next_read_s = 0.0

    def _choose(self, asked: AskTracks) -> str:
        self.choose(asked["shown"])
        return ""

    def _stop(self, _asked: AskStop) -> str:
        runs = self._open_runs()
        if not runs:
            raise StopError("there is no run to stop")
        return ask_to_stop(looked_at(runs).main.path.parent)

    def head(self) -> Head:
        """Return all that the picture shows beside its numbers."""
        return {**self._head, "status": {**self._head["status"], "sent_s": time.time()}}

    def _make_head(self) -> Head:
        runs = self._open_runs()
        if not runs:
            return head_of_none(", ".join(map(str, self._folders)), self._troubles)
        shown, metrics = self._shown(), metrics_of(self.histories)
        head = head_of(runs, shown, metrics, self._troubles, self.runs.values())
        head["status"]["stoppable"] = looked_at(runs).main.own
        return head

    def _open_runs(self) -> list[DrawnRun]:
        return [self.runs[name] for name in self._open()]

    def _notice(self, text: str) -> None:
        self._troubles.append(text)
        tell(text)


def watch(
    *folders: str | os.PathLike[str],
    run: str | None = None,
    pattern: str | None = None,
    steps_per_epoch: int | None = None,
    notify: Sequence[Notify] = (),
) -> Watch:
    """Show runs of other processes live, from the folders that they write.

    Parameters
    ----------
    folders
        Each a run or a folder of runs, shared or copied; it need not exist yet.
        Default: ``MSWIDGET_LOG_DIR``, else ``train_logs``.
    run
        Watch only the run of this name.
    pattern, steps_per_epoch
        What finds values in the lines of other tools' logs: as of `load_run`.
    notify
        Who is told of alerts from now on: see `mswidget.start_run`. What the ranks
        send themselves is not sent twice.

    Returns
    -------
    Watch
        Shown already where this is a Jupyter kernel; it is free meanwhile.
    """
    places = [log_dir_of(folder).absolute() for folder in folders or [None]]
    channels = alert_options(notify=notify).channels
    found = Watch(places, run, pattern, steps_per_epoch, channels)
    if in_kernel():
        found.show()
    return found


def _changed_s(run: SavedRun) -> float:
    return max(_stat(source).st_mtime for source in run.sources.values())


def _size(source: RankSource) -> int:
    return _stat(source).st_size


def _stat(source: RankSource) -> os.stat_result:
    try:
        return source.path.stat()
    except OSError:
        return os.stat_result([0] * 10)
