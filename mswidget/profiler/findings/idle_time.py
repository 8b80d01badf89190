"""How long nothing ran on the device before some of its kernels."""

from __future__ import annotations

from typing import Any

import pandas as pd

from mswidget.profiler.times.intervals import (
    Intervals,
    nanoseconds,
    subtract,
    total,
    union,
)
from mswidget.profiler.times.step_windows import PLACE, busy_intervals


def idle_before(kernels: pd.DataFrame, chosen: pd.Series[Any]) -> float:
    """Return for how many us nothing ran in the ``Wait Time`` of the chosen kernels.

    Parameters
    ----------
    kernels
        As of `kernels.kernel_table`.
    chosen
        Which of these rows are meant.
    """
    place = [column for column in PLACE if column in kernels]
    groups = kernels.assign(chosen=chosen).groupby(place, observed=True, dropna=False)
    return sum(total(_idle(group)) for _, group in groups) / 1e3


def _idle(kernels: pd.DataFrame) -> Intervals:
    waiting = kernels[kernels["chosen"]].dropna(subset="wait_time_us")
    begins = waiting["start_time_ns"].astype("int64")
    waits = nanoseconds(waiting["wait_time_us"])
    computing, communication = busy_intervals(kernels)
    before = union(begins - waits, begins)
    return subtract(subtract(before, computing), communication)
