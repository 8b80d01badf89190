"""What a page holds of ranks that it does not show at first: their loss."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mswidget.pictures.drawn_run import DrawnRun
from mswidget.widget.protocol import Head
from mswidget.widget.saved_tracks import SavedTracks, saved_tracks

METRIC = "loss"
MOST_RANKS = 256
"""Of more ranks than these in all, a page holds nothing."""


@dataclass(frozen=True)
class Beside:
    """Curves of tracks that are not shown."""

    saved: SavedTracks

    def told(self, head: Head) -> Head:
        """Return a head that says what the page has not got."""
        ranks = [track for track in head["tracks"] if not track["stat"]]
        held = len(self.saved.tracks)
        missing = sum(not rank["shown"] for rank in ranks) - held
        notices = list(head["notices"])
        if held:
            what = "an envelope of the loss" if self.saved.reduced else "the loss"
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
        What does not fit is reduced.
    """
    most = MOST_RANKS // max(len(runs), 1)
    histories = {
        ident: history
        for run in runs
        for ident, history in run.others(METRIC, shown)[:most]
    }
    return Beside(saved_tracks(histories, limit_bytes, (METRIC,)))
