"""Where the time of each step went.

Every figure is *measured*, a number that the profiler wrote, or *derived* here by the
formula that the docstring states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from mswidget.profiler.intervals import Intervals, intersect, subtract, total, union
from mswidget.profiler.kernels import kernels
from mswidget.profiler.needed import needed

# Kernels that cover less of the measured computing were cut out of the file.
_WHOLE = 0.999
_MEASURED = ("computing_us", "communication_not_overlapped_us", "free_us")
_UNKNOWN = dict.fromkeys(
    (
        "memory_copy_us",
        "synchronisation_us",
        "other_free_us",
        "memory_copy_overlapped_us",
    ),
    np.nan,
)


def step_times(
    tables: Mapping[str, pd.DataFrame],
    tasks: pd.DataFrame,
    windows: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return where the time of each step went, one row a step and rank.

    Parameters
    ----------
    tables
        With ``step_trace_time``, and ``kernel_details`` to split what was free.
    tasks
        As of `mswidget.profiler.tasks.device_tasks`.
    windows
        ``rank, step, start_ns, end_ns`` of the profiler's steps, as the trace has
        them. Without, a step lasts from its first kernel to that of the next step.

    Returns
    -------
    DataFrame
        - ``computing_us``, ``communication_not_overlapped_us``, ``free_us``: measured.
        - ``step_us``: derived, their sum.
        - ``memory_copy_us``: derived; how long copies ran while the device was free:
          in the step's window, between the first and the last kernel of the rank,
          without compute and communication. A copy under a collective so belongs to
          communication.
        - ``synchronisation_us``: derived; how long the device waited or signalled
          while it was free and nothing was copied.
        - ``other_free_us``: derived; ``free_us`` less these two. The host was slow, or
          nothing tells.
        - ``memory_copy_overlapped_us``: derived; copies beside compute. They cost no
          step time.
        - ``complete``: whether the kernels cover the measured computing (99.9 %).

        NaN where the tasks were not recorded or kernels were cut out of the file.
    """
    keys = ("rank", "step", *_MEASURED)
    times = needed(tables, "step_trace_time", keys)[[*keys]].copy()
    times["step_us"] = times[[*_MEASURED]].sum(axis=1, skipna=False)
    found = kernels(tables)
    parts = [
        part
        for rank, group in times.groupby("rank", dropna=False, sort=False)
        for part in _split(
            group,
            _of(found, rank),
            _of(tasks, rank),
            None if windows is None else _of(windows, rank),
        )
    ]
    split = pd.DataFrame([row for _, row in parts], index=[index for index, _ in parts])
    return times.join(split.reindex(columns=[*_UNKNOWN, "complete"]))


def split_free(
    window: Intervals,
    compute: Intervals,
    communication: Intervals,
    copies: Intervals,
    waits: Intervals,
) -> dict[str, float]:
    """Split what is free of a window; `step_times` says how.

    >>> at = lambda *pairs: np.array(pairs, dtype=np.int64).reshape(-1, 2)
    >>> split_free(at((0, 9000)), at((0, 2000)), at((5000, 6000)),
    ...            copies=at((1000, 3000), (5000, 6000)), waits=at((2500, 4000)))
    {'memory_copy_us': 1.0, 'synchronisation_us': 1.0, 'memory_copy_overlapped_us': 1.0}
    """
    free = subtract(subtract(window, compute), communication)
    waited = subtract(intersect(free, waits), copies)
    beside = intersect(subtract(copies, communication), compute)
    return {
        "memory_copy_us": total(intersect(free, copies)) / 1e3,
        "synchronisation_us": total(waited) / 1e3,
        "memory_copy_overlapped_us": total(intersect(window, beside)) / 1e3,
    }


def incomplete(times: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence for every step whose kernels are not all in the file."""
    for step in times[~times["complete"].astype(bool)].to_dict("records"):
        yield (
            f"step {step['step']} of rank {step['rank']}: kernel_details does not hold "
            "all of its kernels, or not their step, so its free time is not split"
        )


def _of(rows: pd.DataFrame, rank: Any) -> pd.DataFrame:  # noqa: ANN401 - a key of pandas
    if rows.empty:
        return rows
    return rows[rows["rank"].isna() if pd.isna(rank) else rows["rank"] == rank]


def _split(
    steps: pd.DataFrame,
    found: pd.DataFrame,
    tasks: pd.DataFrame,
    windows: pd.DataFrame | None,
) -> Iterator[tuple[object, dict[str, object]]]:
    """Yield index and derived parts of each step of one rank."""
    found = _with_step(found, steps)
    if windows is None:
        windows = _windows(found)
    compute, others = _covered(found)
    copies, waits = (_ran(tasks, kind) for kind in ("copy", "sync"))
    for index, step in steps.iterrows():
        own = found[found["step_id"] == step["step"]] if len(found) else found
        covered = total(_covered(own)[0])
        complete = bool(covered >= _WHOLE * 1e3 * step["computing_us"])
        parts: dict[str, object] = {**_UNKNOWN, "complete": complete}
        if complete and len(tasks):
            window = windows[windows["step"] == step["step"]]
            spans = union(window["start_ns"], window["end_ns"])
            within = intersect(spans, _span(compute, others))
            free = split_free(within, compute, others, copies, waits)
            known = free["memory_copy_us"] + free["synchronisation_us"]
            parts |= {**free, "other_free_us": step["free_us"] - known}
        yield index, parts


def _with_step(found: pd.DataFrame, steps: pd.DataFrame) -> pd.DataFrame:
    """Give kernels without step the only step that there is."""
    if found.empty or ("step_id" in found and found["step_id"].notna().any()):
        return found
    return found.assign(step_id=steps["step"].iloc[0] if len(steps) == 1 else np.nan)


def _windows(found: pd.DataFrame) -> pd.DataFrame:
    if found.empty:
        return pd.DataFrame(columns=["step", "start_ns", "end_ns"])
    starts = found.groupby("step_id")["start_time_ns"].min().sort_values()
    ends = [*starts.iloc[1:], found["end_ns"].max()][: len(starts)]
    return pd.DataFrame({"step": starts.index, "start_ns": starts, "end_ns": ends})


def _ran(tasks: pd.DataFrame, kind: str) -> Intervals:
    ran = tasks[tasks["kind"] == kind]
    return union(ran["start_ns"], ran["end_ns"])


def _covered(found: pd.DataFrame) -> tuple[Intervals, Intervals]:
    """Return when kernels computed, and when they communicated."""
    if found.empty:
        return union([], []), union([], [])
    parts = (found[found["is_communication"] == which] for which in (False, True))
    computed, communicated = (union(p["start_time_ns"], p["end_ns"]) for p in parts)
    return computed, communicated


def _span(*covered: Intervals) -> Intervals:
    edges = np.concatenate([intervals.ravel() for intervals in covered])
    return union([edges.min()], [edges.max()]) if len(edges) else union([], [])
