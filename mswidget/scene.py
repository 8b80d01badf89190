"""What a picture of runs on disk shows beside the numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mswidget.store.follow import FollowedRun
from mswidget.store.history import History
from mswidget.store.rank_file import RankFile
from mswidget.store.reader import SavedRun
from mswidget.watched import WatchedRun
from mswidget.widget.headline import alert_info, alert_mark, fresh_status, metric_info
from mswidget.widget.merged import Merged, metrics_of
from mswidget.widget.protocol import Head

MANY_RANKS = 16
"""Of more ranks in all, a picture has one of each run and what all have in common."""
_ALERTS = 200
_ENDED = ("finished", "stopped", "failed")


def saved_scene(saved: Sequence[SavedRun]) -> tuple[Head, History]:
    """Return what a picture of runs shows, and its numbers."""
    runs = [WatchedRun(_followed(run), number) for number, run in enumerate(saved)]
    few = sum(len(run.ranks) for run in saved) <= MANY_RANKS
    merged = Merged()
    shown: set[str] = set()
    for run in runs:
        run.update()
        shown |= run.ids() if few else run.shown_first()
        for ident, history in run.sources():
            if ident in shown:
                merged.take(ident, history)
    notes = [note for run in saved for note in run.notes]
    return _head(runs, shown, metrics_of(merged.history), notes), merged.history


def _head(
    runs: Sequence[WatchedRun],
    shown: Collection[str],
    metrics: Sequence[str],
    notes: Sequence[str],
) -> Head:
    """Return the head; its run and status are those of the newest that goes on."""
    going = [run for run in runs if run.status()["phase"] not in _ENDED]
    looked_at = [*runs, *going][-1]
    alerts = [alert for run in runs for alert in run.alerts()]
    marks = [mark for run in runs for mark in run.marks()]
    return {
        "run": {
            "name": looked_at.run.name,
            "path": str(looked_at.main_file.path.parent),
            "rank": looked_at.main,
            "attempt": "",
        },
        "status": {**fresh_status(), **looked_at.status()},  # type: ignore[typeddict-item]
        "metrics": [metric_info(name) for name in metrics],
        "marks": [*marks, *map(alert_mark, alerts[-_ALERTS:])],
        "alerts": [alert_info(alert) for alert in alerts[-_ALERTS:]],
        "alert_count": len(alerts),
        "notices": [*notes, *(notice for run in runs for notice in run.notices())],
        "tracks": [track for run in runs for track in run.tracks(shown)],
    }


def _followed(run: SavedRun) -> FollowedRun:
    """Return a run that was read whole as one that is followed no further."""
    folder = run.path.absolute()
    name = folder.parent.name if folder.is_file() else folder.name
    followed = FollowedRun(name, {}, [folder])
    for number, rank in run.ranks.items():
        file = RankFile(folder / f"rank_{number}.jsonl")
        file.history, file.events = rank.history, rank.events
        file.skipped, file.skipped_count = rank.skipped, len(rank.skipped)
        alerts = RankFile(folder / f"alerts_rank_{number}.jsonl")
        alerts.events = [alert.to_event() for alert in rank.alerts]
        followed.ranks[number], followed.alerts[number] = file, alerts
    return followed
