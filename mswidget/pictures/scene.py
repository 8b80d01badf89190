"""What a picture of runs shows beside the numbers."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence

from mswidget.metrics import in_order
from mswidget.pictures.drawn_run import Drawable, DrawnRun
from mswidget.records.history import History
from mswidget.records.phase import ENDED
from mswidget.widget.merged import Merged, metrics_of
from mswidget.widget.protocol import Head
from mswidget.widget.status import SILENCE, fresh_status, metric_info

MANY_RANKS = 16
"""Of so many ranks in all, each is shown at once where nothing more will come."""
_ALERTS = 200


class SavedScene:
    """What a picture of runs shows that were read.

    Parameters
    ----------
    saved
        The runs, in the order of their colours.
    """

    def __init__(self, saved: Sequence[Drawable]) -> None:
        self.runs = [DrawnRun(run, number) for number, run in enumerate(saved)]
        self._merged = Merged()
        for run in self.runs:
            run.update()
        self.choose(shown_at_once(self.runs))

    @property
    def history(self) -> History:
        """The numbers of all that was shown so far."""
        return self._merged.history

    def choose(self, shown: Collection[str]) -> None:
        """Show the tracks of these ids, and no others."""
        self.shown = set(shown)
        for run in self.runs:
            self._merged.take_shown(run.sources(), self.shown)

    def add(self, run: DrawnRun, numbers: History) -> None:
        """Add numbers to the track that speaks for a run."""
        self._merged.add(run.main_id, numbers)

    def head(self) -> Head:
        """Return all that is not numbers."""
        metrics = metrics_of(self.history)
        return head_of(self.runs, self.shown, metrics, [])


def shown_at_once(runs: Sequence[DrawnRun]) -> set[str]:
    """Return the tracks to show of runs whose other ones cannot be seen as they come.

    All of few ranks; of many, one of each run and what they have in common.
    """
    few = sum(len(run.ranks) for run in runs) <= MANY_RANKS
    return {i for run in runs for i in (run.ids() if few else run.shown_first())}


def looked_at(runs: Sequence[DrawnRun]) -> DrawnRun:
    """Return the run of the header: the newest that goes on, else the newest."""
    going = [run for run in runs if run.status()["phase"] not in ENDED]
    return [*runs, *going][-1]


def head_of(
    runs: Sequence[DrawnRun],
    shown: Collection[str],
    metrics: Sequence[str],
    notes: Sequence[str],
    offered: Iterable[DrawnRun] | None = None,
) -> Head:
    """Return all that a picture of runs shows beside their numbers.

    Parameters
    ----------
    runs
        At least one, oldest first.
    shown
        Ids of the tracks that are shown.
    metrics
        Those of all tracks.
    notes
        What the user has to know of the picture.
    offered
        Runs whose tracks can be chosen; those of `runs` by default.
    """
    run = looked_at(runs)
    infos = (alert for run in runs for alert in run.alert_infos())
    alerts = sorted(infos, key=lambda alert: alert["wall_time_s"])
    return {
        "run": {
            "name": run.run.name,
            "path": str(run.main.path.parent.absolute()),
            "rank": run.main.rank,
            "attempt": "a1",
        },
        "status": run.status(),
        "metrics": [metric_info(name) for name in in_order(metrics)],
        "marks": [mark for run in runs for mark in run.marks()],
        "alerts": alerts[-_ALERTS:],
        "alert_count": len(alerts),
        "notices": [*notes, *(notice for run in runs for notice in run.notices())],
        "tracks": [track for run in offered or runs for track in run.tracks(shown)],
        "silence": SILENCE,
    }


def head_of_none(places: str, notes: Sequence[str]) -> Head:
    """Return the head of a picture that has no run yet."""
    return {
        "run": {"name": places, "path": "", "rank": 0, "attempt": ""},
        "status": {
            **fresh_status(time.time()),
            "stoppable": False,
            "detail": "no run there yet",
        },
        "metrics": [],
        "marks": [],
        "alerts": [],
        "alert_count": 0,
        "notices": list(notes),
        "tracks": [],
        "silence": SILENCE,
    }
