"""What a page holds of ranks that it does not show at first: their loss."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mswidget.pictures.drawn_run import DrawnRun
from mswidget.records.history import History, Rows
from mswidget.records.reduce import envelope
from mswidget.widget.frames import encode
from mswidget.widget.protocol import Block, Head
from mswidget.widget.track import column

METRIC = "loss"
MOST_RANKS = 256
"""Of more ranks than these in all, a page holds nothing."""
_POINT_BYTES = 48


@dataclass(frozen=True)
class Beside:
    """Curves of tracks in a block of its own, whose rows stand before the first."""

    tracks: frozenset[str]
    block: Block
    buffer: bytes

    def told(self, head: Head) -> Head:
        """Return a head that says what the page has not got."""
        ranks = [track for track in head["tracks"] if not track["stat"]]
        held = len(self.tracks)
        missing = sum(not rank["shown"] for rank in ranks) - held
        notices = list(head["notices"])
        if held:
            what = "an envelope of the loss" if self.block["reduced"] else "the loss"
            notices.append(f"this page has only {what} of {held} of {len(ranks)} ranks")
        if missing:
            notices.append(
                f"this page has nothing of {missing} of {len(ranks)} ranks: "
                "`%mswidget watch` shows all"
            )
        return {**head, "notices": notices}


def losses_beside(
    runs: Sequence[DrawnRun], shown: Collection[str], limit_bytes: int
) -> Beside:
    """Return the loss of the ranks that are not shown, exactly where there is room.

    Parameters
    ----------
    runs
        Those of the page.
    shown
        Ids of the tracks that are in it whole.
    limit_bytes
        What does not fit is an envelope, of at least a few points a rank.
    """
    most = MOST_RANKS // max(len(runs), 1)
    histories = {
        ident: history
        for run in runs
        for ident, history in run.others(METRIC, shown)[:most]
    }
    points = limit_bytes // _POINT_BYTES // max(len(histories), 1)
    curves = {
        ident: _LossPoints(history, points) for ident, history in histories.items()
    }
    rows = _joined(curves)
    block, buffer = encode(rows, _POINT_BYTES * len(rows.steps))
    block["reduced"] = any(curve.reduced for curve in curves.values())
    return Beside(frozenset(histories), block, buffer)


class _LossPoints:
    """The points that stand for a rank's loss."""

    def __init__(self, history: History, points: int) -> None:
        self.rows = history.rows(names=(METRIC,))
        at, values = self.rows.metrics[METRIC]
        kept = envelope(values, max(points // 4, 1))
        self.reduced = len(kept) < len(values)
        self.at = at[kept] - self.rows.start
        self.values = values[kept]


def _joined(curves: Mapping[str, _LossPoints]) -> Rows:
    ends = np.cumsum([0, *(len(curve.at) for curve in curves.values())])
    places = [np.arange(a, b) - ends[-1] for a, b in itertools.pairwise(ends)]
    names = [column(ident, METRIC) for ident in curves]
    columns = zip(places, (curve.values for curve in curves.values()), strict=True)

    def joined(of: str) -> NDArray[np.float64]:
        parts = [getattr(curve.rows, of)[curve.at] for curve in curves.values()]
        return np.concatenate([np.empty(0), *parts])

    return Rows(
        start=-int(ends[-1]),
        stop=0,
        steps=joined("steps"),
        epochs=joined("epochs"),
        wall_times_s=joined("wall_times_s"),
        attempts=np.zeros(ends[-1], np.int64),
        attempt_names=("a1",),
        metrics=dict(zip(names, columns, strict=True)),
    )
