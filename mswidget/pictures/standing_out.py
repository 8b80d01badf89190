"""Which ranks of a run need a look: those whose numbers are unlike the others'."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from mswidget.records.history import History

VALUES = 10
"""So many newest rows speak for a rank: one batch may be unlike the others."""
LEAST_RANKS = 3
"""Of two nobody knows which is the odd one."""
_FAR = 10.0
_APART = 0.25
_SLOW = 1.5


def standing_out(ranks: Mapping[int, History]) -> dict[int, str]:
    """Say by rank what is unlike the others, in words.

    A loss is far when it is ten times as far from the median of all ranks as half of
    them are, and at least a quarter of that median; a rank is slow when its steps take
    1.5 times as long as the median. Losses of other steps are not compared.
    """
    losses = {rank: _newest(history, "loss") for rank, history in ranks.items()}
    together = _together(ranks)
    times = {rank: _newest(history, "step_time_ms") for rank, history in ranks.items()}
    odd = {
        rank: "its loss is not finite"
        for rank, values in losses.items()
        if len(values) and not np.isfinite(values[-1])
    }
    compared = {rank: of for rank, of in losses.items() if rank in together}
    return _slow(_medians(times)) | _far(_medians(compared)) | odd


def _together(ranks: Mapping[int, History]) -> set[int]:
    """Return the ranks that are where most are."""
    last = {rank: history.step_and_time_s(-1) for rank, history in ranks.items()}
    steps = {rank: place[0] for rank, place in last.items() if place}
    if not steps:
        return set()
    middle = float(np.median([*steps.values()]))
    return {rank for rank, step in steps.items() if abs(step - middle) <= VALUES}


def _newest(history: History, name: str) -> NDArray[np.float64]:
    rows = history.rows(len(history) - VALUES, names=[name])
    return rows.metrics[name][1] if name in rows.metrics else np.empty(0)


def _medians(values: Mapping[int, NDArray[np.float64]]) -> dict[int, float]:
    """Return the median of each rank's finite values, where there are enough ranks."""
    finite = {rank: of[np.isfinite(of)] for rank, of in values.items()}
    medians = {rank: float(np.median(of)) for rank, of in finite.items() if len(of)}
    return medians if len(medians) >= LEAST_RANKS else {}


def _far(losses: Mapping[int, float]) -> dict[int, str]:
    if not losses:
        return {}
    middle = float(np.median([*losses.values()]))
    off = {rank: abs(loss - middle) for rank, loss in losses.items()}
    least = max(_FAR * float(np.median([*off.values()])), _APART * abs(middle))
    return {
        rank: f"its loss is {losses[rank]:.3g}, of others {middle:.3g}"
        for rank in losses
        if off[rank] > least
    }


def _slow(times: Mapping[int, float]) -> dict[int, str]:
    if not times:
        return {}
    middle = float(np.median([*times.values()]))
    return {
        rank: f"its steps take {time:.3g} ms, of others {middle:.3g}"
        for rank, time in times.items()
        if time > _SLOW * middle
    }
