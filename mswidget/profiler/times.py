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


def step_times(tables: Mapping[str, pd.DataFrame], tasks: pd.DataFrame) -> pd.DataFrame:
    """Return where the time of each step went, one row a step and rank.

    Parameters
    ----------
    tables
        With ``step_trace_time``, and ``kernel_details`` to split what was free.
    tasks
        As of `mswidget.profiler.tasks.device_tasks`.

    Returns
    -------
    DataFrame
        - ``computing_us``, ``communication_not_overlapped_us``, ``free_us``: measured.
        - ``step_us``: derived, their sum.
        - ``memory_copy_us``: derived; how long copies ran while the device was free,
          that is between the step's first and last kernel, without compute and
          communication. A copy under a collective so belongs to communication.
        - ``synchronisation_us``: derived; how long the device waited or signalled
          while it was free and nothing was copied.
        - ``other_free_us``: derived; ``free_us`` less these two. The host was slow, or
          nothing tells.
        - ``memory_copy_overlapped_us``: derived; copies beside compute. They cost no
          step time.
        - ``complete``: whether the kernels cover the measured computing (99.9 %).

        NaN where the tasks were not recorded or kernels were cut out of the file.
    """
    if "step_trace_time" not in tables:
        return pd.DataFrame()
    steps = tables["step_trace_time"]
    times = steps[["rank", "step", *_MEASURED]].copy()
    times["step_us"] = times[[*_MEASURED]].sum(axis=1)
    found = kernels(tables)
    parts = [
        part
        for rank, group in times.groupby("rank", dropna=False, sort=False)
        for part in _split(group, _of(found, rank), _of(tasks, rank))
    ]
    return times.join(pd.DataFrame(dict(parts)).T.infer_objects())


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
            f"step {step['step']} of rank {step['rank']}: kernel_details holds less "
            "than the measured computing, so this step's parts are not derived"
        )


def _of(rows: pd.DataFrame, rank: Any) -> pd.DataFrame:  # noqa: ANN401 - a key of pandas
    if rows.empty:
        return rows
    return rows[rows["rank"].isna() if pd.isna(rank) else rows["rank"] == rank]


def _split(
    steps: pd.DataFrame, found: pd.DataFrame, tasks: pd.DataFrame
) -> Iterator[tuple[object, dict[str, object]]]:
    """Yield index and derived parts of each step of one rank."""
    copies, waits = (
        union(kind["start_ns"], kind["end_ns"])
        for kind in (tasks[tasks["kind"] == name] for name in ("copy", "sync"))
    )
    for index, step in steps.iterrows():
        compute, others = _covered(_of_step(found, step["step"], len(steps)))
        complete = 0 < _WHOLE * 1e3 * step["computing_us"] <= total(compute)
        parts: dict[str, object] = {**_UNKNOWN, "complete": complete}
        if complete and len(tasks):
            window = _window(compute, others)
            free = split_free(window, compute, others, copies, waits)
            known = free["memory_copy_us"] + free["synchronisation_us"]
            parts |= {**free, "other_free_us": step["free_us"] - known}
        yield index, parts


def _of_step(found: pd.DataFrame, step: object, steps: int) -> pd.DataFrame:
    if "step_id" in found.columns and found["step_id"].notna().any():
        return found[found["step_id"] == step]
    # Without step ids all kernels are of the one step, or nobody knows of which.
    return found if steps == 1 else found.iloc[:0]


def _covered(found: pd.DataFrame) -> tuple[Intervals, Intervals]:
    """Return when kernels computed, and when they communicated."""
    if found.empty:
        return union([], []), union([], [])
    parts = (found[found["is_communication"] == which] for which in (False, True))
    computed, communicated = (union(p["start_time_ns"], p["end_ns"]) for p in parts)
    return computed, communicated


def _window(*covered: Intervals) -> Intervals:
    edges = np.concatenate([intervals.ravel() for intervals in covered])
    return union([edges.min()], [edges.max()])
