"""Where the time of each step went.

Every figure is *measured*, a number that the profiler wrote, or *derived* here by the
formula that the docstring states.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from mswidget.profiler.files.frames import stack
from mswidget.profiler.times.intervals import (
    Intervals,
    intersect,
    subtract,
    total,
    union,
)
from mswidget.profiler.times.kernels import WHOLE, kernel_table
from mswidget.profiler.times.step_windows import (
    NO_WINDOWS,
    busy_intervals,
    rows_with,
    span,
    windows_of,
    with_steps,
)
from mswidget.profiler.times.steps_from_kernels import steps_from_kernels
from mswidget.profiler.times.table_lookup import Tables, table_with_columns

_CUT = "kernel_details or the trace does not hold all that ran in it, or not its step"
_NO_TASKS = "no device tasks were read (trace_view.json or task_time would hold them)"
_MORE = ("preparing_us", "bubble_us", "stage_us")
_MEASURED = ("computing_us", "communication_not_overlapped_us", "free_us")
_COPY, _SYNC, _WORK = ("copy",), ("sync",), ("compute", "dvpp", "other")
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
    tables: Tables,
    tasks: pd.DataFrame,
    marks: pd.DataFrame = NO_WINDOWS,
) -> pd.DataFrame:
    """Return where the time of each step went, one row a step and rank.

    Parameters
    ----------
    tables
        With ``step_trace_time``, and ``kernel_details`` or ``op_summary`` to split what
        was free.
    tasks
        As of `tasks.device_tasks`.
    marks
        ``rank, step, start_ns, end_ns`` of the profiler's steps, as the trace has
        them. Without, a step lasts from its first kernel to that of the next step.

    Returns
    -------
    DataFrame
        - ``computing_us``, ``communication_not_overlapped_us``, ``free_us``: measured,
          or where ``is_measured`` is false, derived from the kernels by
          `steps_from_kernels.steps_from_kernels`: msprof writes no step_trace_time.
        - ``step_us``: derived, their sum.
        - ``preparing_us``: measured; what the host does before the first kernel. It is
          not in ``step_us``.
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
        - ``complete``: whether the kernels, and the tasks if there are any, cover the
          measured computing (99.9 %), and no kernel waited less than the gap before it.

        NaN where tasks were not recorded, or where kernels or tasks were cut out of the
        file.
    """
    keys = ("rank", "step", *_MEASURED)
    kernels = kernel_table(tables)
    times = measured_steps(tables)[[*keys, "preparing_us"]].assign(is_measured=True)
    derived = steps_from_kernels(kernels, {*times["rank"]}, marks)
    if len(derived):
        times = (
            pd.concat([times, derived], ignore_index=True) if len(times) else derived
        )
        times = times.astype({"step": "Int64"})
    times["step_us"] = times[[*_MEASURED]].sum(axis=1, skipna=False)
    parts = [
        part
        for rank, group in times.groupby("rank", dropna=False, sort=False)
        for part in _split(
            group, *(rows_with(rows, "rank", rank) for rows in (kernels, tasks, marks))
        )
    ]
    split = pd.DataFrame([row for _, row in parts], index=[index for index, _ in parts])
    return times.join(split.reindex(columns=[*_UNKNOWN, "complete"]))


def measured_steps(tables: Tables) -> pd.DataFrame:
    """Return ``step_trace_time``, and that of the cluster for ranks that are not there.

    Parameters
    ----------
    tables
        Those of a profile.
    """
    keys = ("rank", "step", *_MEASURED, *_MORE)
    own, all_ranks = (
        table_with_columns(tables, name, keys)
        for name in ("step_trace_time", "cluster_step_trace_time")
    )
    return stack([own, all_ranks[~all_ranks["rank"].isin(own["rank"])]]).reset_index(
        drop=True
    )


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


def unsplit(times: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence for every reason why free time is not split."""
    complete = times["complete"].astype(bool)
    reasons = {_CUT: ~complete, _NO_TASKS: complete & times["memory_copy_us"].isna()}
    for reason, which in reasons.items():
        if which.any():
            yield f"{_first(times[which])}: {reason}, so its free time is not split"


def _first(steps: pd.DataFrame) -> str:
    """Name the first step, and how many more there are."""
    step = steps.iloc[0]
    said = [f"{key} {step[key]}" for key in ("step", "rank") if pd.notna(step[key])]
    more = f" and {len(steps) - 1} more" if len(steps) > 1 else ""
    return f"{' of '.join(said) or 'the profile'}{more}"


def _split(
    steps: pd.DataFrame,
    kernels: pd.DataFrame,
    tasks: pd.DataFrame,
    marks: pd.DataFrame,
) -> Iterator[tuple[object, dict[str, object]]]:
    """Yield index and derived parts of each step of one rank."""
    kernels = with_steps(kernels, steps, marks)
    windows = windows_of(kernels, marks)
    compute, communication = busy_intervals(kernels)
    copies, waits, works = (_ran(tasks, *kinds) for kinds in (_COPY, _SYNC, _WORK))
    for index, step in steps.iterrows():
        least = WHOLE * 1e3 * step["computing_us"]
        own = busy_intervals(rows_with(kernels, "step_id", step["step"]))[0]
        recorded = intersect(own, works) if len(tasks) else own
        complete = bool(total(recorded) >= least and pd.notna(step["free_us"]))
        parts: dict[str, object] = {**_UNKNOWN, "complete": complete}
        # A step without a number is the only one, whatever its mark says.
        is_numbered = pd.notna(step["step"])
        window = rows_with(windows, "step", step["step"]) if is_numbered else windows
        if complete and len(tasks) and len(window):
            spans = union(window["start_ns"], window["end_ns"])
            within = intersect(spans, span(compute, communication))
            free = split_free(within, compute, communication, copies, waits)
            known = free["memory_copy_us"] + free["synchronisation_us"]
            parts |= {**free, "other_free_us": step["free_us"] - known}
        yield index, parts


def _ran(tasks: pd.DataFrame, *kinds: str) -> Intervals:
    ran = tasks[tasks["kind"].isin(kinds)]
    return union(ran["start_ns"], ran["end_ns"])
