"""What a picture of runs shows beside the numbers."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence

from mswidget.pictures.drawn_run import Drawable, DrawnRun
from mswidget.records.history import Column, History
from mswidget.records.phase import ENDED
from mswidget.widget.protocol import Head
from mswidget.widget.status import SILENCE, fresh_status, metric_infos
from mswidget.widget.wishes import Wishes

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
        self._joined: dict[str, History] = {}
        for run in self.runs:
            run.update()
        self.choose(shown_at_once(self.runs))

    @property
    def histories(self) -> dict[str, History]:
        """The numbers of what is shown, and of the track that the cards are of."""
        asked = {*self.shown, looked_at(self.runs).main_id}
        return {
            ident: self._joined.get(ident, history)
            for ident, history in histories_of(self.runs, asked).items()
        }

    def choose(self, shown: Collection[str]) -> None:
        """Show the tracks of these ids, and no others."""
        self.shown = set(shown)

    def add(self, run: DrawnRun, metrics: Mapping[str, Column]) -> None:
        """Add metrics to the track that speaks for a run."""
        self._joined[run.main_id] = run.main.history.joined(metrics)

    def head(self) -> Head:
        """Return all that is not numbers."""
        return head_of(self.runs, self.shown, metrics_of(self.histories), [])


def histories_of(
    runs: Iterable[DrawnRun], shown: Collection[str]
) -> dict[str, History]:
    """Return the numbers of the tracks of these ids."""
    sources = (source for run in runs for source in run.sources())
    return {ident: history for ident, history in sources if ident in shown}


def metrics_of(histories: Mapping[str, History]) -> list[str]:
    """Return the metrics of all tracks, in the order in which they first came."""
    return list(dict.fromkeys(n for h in histories.values() for n in h.names))


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
    wishes = Wishes(event for run in runs for event in run.main.events)
    alerts = sorted(infos, key=lambda alert: alert["wall_time_s"])
    return {
        "run": {
            "name": run.run.name,
            "path": str(run.main.path.parent.absolute()),
            "rank": run.main.rank,
            "attempt": "a1",
        },
        "status": run.status(),
        "metrics": metric_infos(metrics, wishes.panels),
        "marks": [mark for run in runs for mark in run.marks()],
        "references": wishes.references,
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
        "references": [],
        "alerts": [],
        "alert_count": 0,
        "notices": list(notes),
        "tracks": [],
        "silence": SILENCE,
    }
