"""Which step a kernel belongs to, and when each step ran."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from mswidget.profiler.times.intervals import Intervals, union

# The clocks of two places have nothing to do with each other.
PLACE = ["rank", "device", "folder"]
_COLUMNS = ["rank", "step", "start_ns", "end_ns"]
# Integers: joined with floats, moments would no longer be exact.
NO_WINDOWS = pd.DataFrame(columns=_COLUMNS, dtype="int64")


def step_numbers(steps: pd.Series[Any]) -> str:
    """Return the numbers of steps in words."""
    return ", ".join(f"{step:.0f}" for step in sorted({*steps.dropna()})) or "none"


def rows_with(rows: pd.DataFrame, column: str, key: Any) -> pd.DataFrame:  # noqa: ANN401
    """Return the rows of a rank or a step, which may be missing."""
    if rows.empty:
        return rows
    return rows[rows[column].isna() if pd.isna(key) else rows[column] == key]


def with_steps(
    kernels: pd.DataFrame, steps: pd.DataFrame, marks: pd.DataFrame
) -> pd.DataFrame:
    """Return the kernels of a rank, each with its ``step_id``.

    Where no kernel names one, it is the step in whose window the kernel starts, or the
    only step that there is.

    Parameters
    ----------
    kernels
        As of `kernels.kernel_table`.
    steps
        The rows of ``step_trace_time``.
    marks
        ``step, start_ns, end_ns`` of the profiler's own steps, as the trace has them.
    """
    if kernels.empty or ("step_id" in kernels and kernels["step_id"].notna().any()):
        return kernels
    if len(steps) == 1:
        return kernels.assign(step_id=steps["step"].iloc[0])
    if marks.empty:
        return kernels.assign(step_id=np.nan)
    marks = marks.sort_values("start_ns").reset_index(drop=True)
    starts = kernels["start_time_ns"].to_numpy()
    at = marks["start_ns"].searchsorted(starts, side="right") - 1
    inside = (at >= 0) & (starts < marks["end_ns"].to_numpy()[at])
    return kernels.assign(
        step_id=np.where(inside, marks["step"].to_numpy()[at], np.nan)
    )


def windows_of(kernels: pd.DataFrame, marks: pd.DataFrame) -> pd.DataFrame:
    """Return ``step, start_ns, end_ns`` of the steps of a rank.

    Without marks a step lasts from its first kernel to that of the next step.
    """
    if len(marks) or kernels.empty:
        return marks
    is_numbered = bool(kernels["step_id"].notna().any())
    groups = kernels.groupby("step_id", dropna=is_numbered)
    starts = groups["start_time_ns"].min().sort_values()
    ends = [*starts.iloc[1:], kernels["end_ns"].max()][: len(starts)]
    return pd.DataFrame({"step": starts.index, "start_ns": starts, "end_ns": ends})


def busy_intervals(kernels: pd.DataFrame) -> tuple[Intervals, Intervals]:
    """Return when kernels computed, and when they communicated."""
    if kernels.empty:
        return union([], []), union([], [])
    is_communication = kernels["is_communication"]
    computing, communication = (
        union(part["start_time_ns"], part["end_ns"])
        for part in (kernels[~is_communication], kernels[is_communication])
    )
    return computing, communication


def span(*parts: Intervals) -> Intervals:
    """Return all from the first moment to the last."""
    edges = np.concatenate([intervals.ravel() for intervals in parts])
    return union([edges.min()], [edges.max()]) if len(edges) else union([], [])
