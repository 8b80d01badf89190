"""Runs in a few lines of words: all there is where nothing is drawn."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from mswidget.drawing.names import shown, visible
from mswidget.records.best import best_place
from mswidget.records.curve import curve
from mswidget.records.history import History
from mswidget.records.phase import ENDED
from mswidget.records.record import kind_of
from mswidget.widget.protocol import Head, MetricInfo, Track
from mswidget.widget.track import label_of

RUNS = 12
"""So many runs have a line each."""
VALUES = 6
"""So many values stand beside the loss."""
_RANKS = 8
_NAME = 40


def words_of(histories: Mapping[str, History], head: Head) -> list[str]:
    """Return how the runs of a picture stand, that which is looked at first.

    Parameters
    ----------
    histories
        The numbers, by the track's id.
    head
        All that is not numbers.
    """
    tracks = _speakers(head)
    lines = [_standing(track, histories, head) for track in tracks[:RUNS]]
    if len(tracks) > RUNS:
        lines.append(f"and {len(tracks) - RUNS} more runs")
    more = [
        _not_finite(histories, head),
        _notes(head),
        _values(tracks, histories, head),
        _alerts(head),
    ]
    return [*(lines or [_of_none(head)]), *filter(None, more)]


def number(value: float) -> str:
    """Return a value in four digits."""
    return f"{value:.4g}" if math.isfinite(value) else kind_of(value)


def is_over(head: Head) -> bool:
    """Say whether nothing more will come."""
    return head["status"]["phase"] in ENDED


def ranks_shown(head: Head) -> list[Track]:
    """Return the tracks of single ranks that are shown."""
    return [t for t in head["tracks"] if t["shown"] and not t["stat"]]


def _speakers(head: Head) -> list[Track]:
    """Return a track of each run: that which is looked at, else of its first rank."""
    run = head["run"]
    speaks = {(run["name"], run["rank"])}
    main = [
        t for t in head["tracks"] if not t["stat"] and (t["run"], t["rank"]) in speaks
    ]
    first: dict[str, Track] = {}
    for track in [*main, *ranks_shown(head)]:
        first.setdefault(track["run"], track)
    return list(first.values())


def _standing(track: Track, histories: Mapping[str, History], head: Head) -> str:
    """Return what a run has reached, and what it does."""
    is_looked_at = track["run"] == head["run"]["name"]
    status = head["status"]
    known = status if is_looked_at else track
    parts = [
        *_main_value(histories.get(track["id"], History()), head["metrics"]),
        known["phase"],
        _reached(known["step"], status["total_steps"] if is_looked_at else None),
        "" if known["phase"] in ENDED else _as_of(head),
        status["detail"] if is_looked_at else "",
    ]
    return f"{visible(track['run'])}: {', '.join(filter(None, parts))}"


def _main_value(history: History, metrics: Sequence[MetricInfo]) -> Iterator[str]:
    """Yield the newest and the best value of the first metric."""
    for name in [info["name"] for info in metrics[:1]]:
        known = curve(history.rows(history.first, names=[name]), name)
        if not len(known.values):
            return
        yield f"{visible(name)} {number(known.values[-1])}"
        best = best_place(name, known.values)
        if best is not None:
            at = f"step {known.steps[best]:,.0f}"
            yield f"best {number(known.values[best])} at {at}"


def _reached(step: int | None, total: int | None) -> str:
    if step is None:
        return "no step yet"
    return f"step {step:,} of {total:,}" if total else f"step {step:,}"


def _as_of(head: Head) -> str:
    sent = time.localtime(head["status"]["sent_s"])
    return f"as of {time.strftime('%Y-%m-%d %H:%M:%S %Z', sent)}"


def _of_none(head: Head) -> str:
    status = head["status"]
    return ", ".join(filter(None, [status["phase"], status["detail"], _as_of(head)]))


def _not_finite(histories: Mapping[str, History], head: Head) -> str:
    """Name the ranks whose newest value of the first metric is no finite number."""
    tracks, names = ranks_shown(head), [info["name"] for info in head["metrics"]]
    if len(tracks) < 2 or not names:  # noqa: PLR2004 - one speaks for itself
        return ""
    odd = [
        label_of(track, tracks)
        for track in tracks
        if track["id"] in histories
        and not math.isfinite(histories[track["id"]].last(names[0]) or 0)
    ]
    more = f" and {len(odd) - _RANKS} more" if len(odd) > _RANKS else ""
    ranks = ", ".join(odd[:_RANKS]) + more
    return f"{visible(names[0])} is not finite: {ranks}" if odd else ""


def _notes(head: Head) -> str:
    """Return what is to be known of the ranks that have a band in common."""
    tracks = [t for t in head["tracks"] if t["shown"] and t["stat"] == "median"]
    return "; ".join(track["note"] for track in tracks if track["note"])


def _values(
    tracks: Sequence[Track], histories: Mapping[str, History], head: Head
) -> str:
    """Return further values of the run that is looked at."""
    history = histories.get(tracks[0]["id"], History()) if tracks else History()
    last = {info["name"]: history.last(info["name"]) for info in head["metrics"][1:]}
    known = {name: value for name, value in last.items() if value is not None}
    texts = shown(islice(known, VALUES), _NAME)
    return ", ".join(f"{text} {number(known[name])}" for name, text in texts.items())


def _alerts(head: Head) -> str:
    if not head["alerts"]:
        return ""
    newest, count = head["alerts"][-1], head["alert_count"]
    alerts = "1 alert" if count == 1 else f"{count} alerts, the newest"
    return f"{alerts} at step {newest['step']:,}: {newest['message']}"
