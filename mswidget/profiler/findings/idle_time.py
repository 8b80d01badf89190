"""How long nothing ran on the device before some of its kernels."""

from __future__ import annotations

from typing import Any

import pandas as pd

from mswidget.profiler.times.intervals import Intervals, subtract, total, union
from mswidget.profiler.times.step_windows import covered

# The clocks of two places have nothing to do with each other.
_PLACE = ["rank", "device", "folder"]


def idle_before(found: pd.DataFrame, chosen: pd.Series[Any]) -> float:
    """Return for how many us nothing ran in the ``Wait Time`` of the chosen kernels.

    Parameters
    ----------
    found
        As of `kernels.kernels`.
    chosen
        Which of these rows are meant.
    """
    place = [column for column in _PLACE if column in found]
    groups = found.assign(chosen=chosen).groupby(place, observed=True, dropna=False)
    return sum(total(_idle(group)) for _, group in groups) / 1e3


def _idle(found: pd.DataFrame) -> Intervals:
    own = found[found["chosen"]].dropna(subset="wait_time_us")
    begins = own["start_time_ns"].astype("int64")
    waits = (own["wait_time_us"] * 1000).round().astype("int64")
    computed, communicated = covered(found)
    return subtract(subtract(union(begins - waits, begins), computed), communicated)
