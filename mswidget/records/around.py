"""What was logged around a step, with what is odd there in front."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mswidget.records.frame import COMMON, to_pandas
from mswidget.records.history import Rows

if TYPE_CHECKING:
    import pandas as pd


def around(ranks: Mapping[int, Rows], step: int, steps: int) -> pd.DataFrame:
    """Return the rows some steps before and after one, those of all ranks.

    The metrics stand in the order of how far their value at the step, on any rank, is
    from the median of the other rows, in units of their median deviation; what is
    not finite is farthest.

    Parameters
    ----------
    ranks
        From ``History.rows()``.
    step
        Which step.
    steps
        So many before and after it.

    Returns
    -------
    DataFrame
        As of `mswidget.records.frame.to_pandas`, by step and rank.

    Raises
    ------
    ValueError
        When that step was not logged.
    """
    near = {rank: _near(rows, step, steps) for rank, rows in ranks.items()}
    frame = to_pandas(near).reset_index().sort_values(["step", "rank"], kind="stable")
    frame = frame.set_index("step")
    if step not in frame.index:
        raise ValueError(f"step {step} was not logged; {_logged(ranks)}")
    metrics = [name for name in frame.columns if name not in COMMON]
    farthest = sorted(metrics, key=lambda name: -_distance(frame[name], step))
    common = [name for name in COMMON if name in frame.columns]
    ordered: pd.DataFrame = frame[[*common, *farthest]]
    return ordered


def _near(rows: Rows, step: int, steps: int) -> Rows:
    """Return the rows near a step; where steps came again, those of each attempt."""
    at = np.flatnonzero(np.abs(rows.steps - step) <= steps)
    metrics = {}
    for name, (held, values) in rows.metrics.items():
        inside = np.flatnonzero(np.isin(held - rows.start, at))
        if len(inside):
            places = np.searchsorted(at, held[inside] - rows.start)
            metrics[name] = (places, values[inside])
    return replace(
        rows,
        start=0,
        stop=len(at),
        steps=rows.steps[at],
        epochs=rows.epochs[at],
        wall_times_s=rows.wall_times_s[at],
        attempts=rows.attempts[at],
        metrics=metrics,
    )


def _distance(column: pd.Series[float], step: int) -> float:
    here = column[column.index == step].to_numpy()
    others = column[column.index != step].dropna().to_numpy()
    others = others[np.isfinite(others)]
    if not np.isfinite(here).all():
        return np.inf
    if not len(others):
        return 0.0
    middle = float(np.median(others))
    usual = float(np.median(np.abs(others - middle)))
    far = float(np.abs(here - middle).max())
    return far / usual if usual else np.inf * far if far else 0.0


def _logged(ranks: Mapping[int, Rows]) -> str:
    steps = [rows.steps for rows in ranks.values() if len(rows.steps)]
    if not steps:
        return "nothing was"
    first = min(held.min() for held in steps)
    last = max(held.max() for held in steps)
    return f"steps {first:.0f} to {last:.0f} were"
