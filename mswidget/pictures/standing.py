"""Where a rank stands, in words that its numbers do not say."""

from __future__ import annotations

import contextlib
import time

from mswidget.files.tail import newest_first
from mswidget.pictures.caption import caption
from mswidget.records.phase import ENDED
from mswidget.records.rank import Rank
from mswidget.records.record import Record
from mswidget.records.silence import RANK_S


def remark(rank: Rank) -> str:
    """Say why there is less to see than of others."""
    why = rank.why_no_loss
    texts = [f"no loss on this rank: {why}"] if why else []
    if rank.left_out:
        texts.append("only the end of its file is read: it is long, and one of many")
    return "; ".join(texts)


def since_s(rank: Rank) -> float:
    """Return when a rank's phase began."""
    if rank.phase[0] == "lost":
        return rank.last_s or rank.started_s
    return rank.events[-1].wall_time_s if rank.phase[0] in ENDED else rank.started_s


def goes_on(rank: Rank, newest_s: float) -> bool:
    """Say whether a rank will log more; one that was killed does not say so."""
    return rank.phase[0] not in ENDED and rank.last_s > newest_s - RANK_S


def quiet(rank: Rank) -> str:
    """Say since when nothing has come; empty when it has ended, or not for long.

    A process that was killed, and a log of another tool, may never say the end.
    """
    last_s = rank.last_s
    if not last_s or rank.phase[0] in ENDED:
        return ""
    with contextlib.suppress(OSError):
        # What a log says may be the time of another zone.
        last_s = rank.path.stat().st_mtime
    if last_s > time.time() - RANK_S:
        return ""
    at = time.strftime("%Y-%m-%d %H:%M %Z", time.localtime(last_s))
    return f"silent since {at}"


def newest(rank: Rank) -> dict[str, object]:
    """Return where a rank is and what it logs, while its long file is being read."""
    records = (item for item in newest_first(rank.path) if isinstance(item, Record))
    last = next(records, None)
    if last is None:
        return {}
    return {
        "step": last.step,
        "epoch": last.epoch,
        "last_value_s": last.wall_time_s,
        "detail": f"{', '.join(caption(last.values))}; the history is being read",
    }
