"""Where the time of a step went, where the profiler itself does not say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from mswidget.profiler.times.intervals import (
    Intervals,
    intersect,
    subtract,
    total,
    union,
)
from mswidget.profiler.times.step_windows import (
    PLACE,
    busy_intervals,
    rows_with,
    span,
    windows_of,
    with_steps,
)

_SLACK_US = 1.0


def steps_from_kernels(
    kernels: pd.DataFrame, known: set[Any], marks: pd.DataFrame
) -> pd.DataFrame:
    """Return the times of the steps of all ranks but those that are known.

    All derived, within the step's window and between the first and the last kernel of
    the rank: ``computing_us`` is how long kernels computed,
    ``communication_not_overlapped_us`` how long collectives ran beside none of them,
    ``free_us`` the rest, NaN where rows are missing (see `missing_before`). Where
    nothing tells steps apart there is one, without number.

    Parameters
    ----------
    kernels
        As of `kernels.kernel_table`.
    known
        The ranks that have ``step_trace_time``.
    marks
        ``rank, step, start_ns, end_ns`` of the profiler's steps in the trace.
    """
    ranks = _ranks_without_times(kernels, {_rank_number(rank) for rank in known})
    return pd.DataFrame([row for rank in ranks for row in _steps(rank, kernels, marks)])


def _ranks_without_times(kernels: pd.DataFrame, known: set[Any]) -> Iterator[Any]:
    for rank in kernels["rank"].unique():
        own = rows_with(kernels, "rank", rank)
        # Two devices, or two exports, are not one step.
        places = own.reindex(columns=PLACE).drop_duplicates()
        if len(places) == 1 and _rank_number(rank) not in known:
            yield rank


def _rank_number(rank: Any) -> int | None:  # noqa: ANN401 - a key of pandas
    return None if pd.isna(rank) else int(rank)


def _steps(
    rank: Any,  # noqa: ANN401 - a key of pandas
    kernels: pd.DataFrame,
    marks: pd.DataFrame,
) -> Iterator[dict[str, object]]:
    kernels, marks = (rows_with(rows, "rank", rank) for rows in (kernels, marks))
    kernels = with_steps(kernels, kernels.iloc[:0], marks)
    compute, collectives = busy_intervals(kernels)
    alone = subtract(collectives, compute)
    cut = missing_before(kernels)
    for window in windows_of(kernels, marks).to_dict("records"):
        whole = intersect(
            union([window["start_ns"]], [window["end_ns"]]), span(compute, collectives)
        )
        computing, communication = (
            total(intersect(whole, part)) / 1e3 for part in (compute, alone)
        )
        free = total(whole) / 1e3 - computing - communication
        yield {
            "rank": rank,
            "step": window["step"],
            "computing_us": computing,
            "communication_not_overlapped_us": communication,
            "free_us": np.nan if len(intersect(cut, whole)) else free,
            "is_measured": False,
        }


def missing_before(kernels: pd.DataFrame) -> Intervals:
    """Return the gaps between kernels of a rank in which others ran that have no row.

    A kernel's ``Wait Time`` is that since the end of the one before (within 0.4 us in
    all samples), so a longer gap proves that rows are missing: those of an excerpt.

    Parameters
    ----------
    kernels
        As of `kernels.kernel_table`, of one rank.
    """
    rows = kernels.sort_values("start_time_ns")
    starts = rows["start_time_ns"].astype("int64").to_numpy()[1:]
    ends = rows["end_ns"].cummax().to_numpy()[:-1]
    waits = rows["wait_time_us"].to_numpy(dtype=float)[1:]
    cut = (starts - ends) / 1e3 - waits > _SLACK_US
    return union(ends[cut], starts[cut])
