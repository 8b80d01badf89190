"""How fast the steps of a run come."""

from __future__ import annotations

import numpy as np

from mswidget.records.history import History

RECENT_S = 10.0
_ROWS = 1000


def steps_per_s(history: History, start: int = 0) -> float | None:
    """Return the rate of the last `RECENT_S`, over two steps at least; None if unknown.

    What is logged beside a step, as an evaluation is, makes no step; where steps are
    counted anew the rate is, too.

    Parameters
    ----------
    history
        The newest rows count.
    start
        The rows before it say nothing.
    """
    rows = history.rows(max(start, len(history) - _ROWS), names=())
    made = np.diff(rows.steps, prepend=-np.inf) != 0
    steps, times = rows.steps[made], rows.wall_times_s[made]
    begin = np.flatnonzero(np.diff(steps, prepend=np.inf) < 0)[-1:]
    recent = np.flatnonzero(times >= times[-1:] - RECENT_S)[:1]
    if not len(begin):
        return None
    first = max(int(begin[0]), min(int(recent[0]), len(steps) - 2))
    spent_s = times[-1] - times[first]
    return float((steps[-1] - steps[first]) / spent_s) if spent_s > 0 else None
