"""Where the time of a step went, where the profiler itself does not say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from mswidget.profiler.times.intervals import intersect, subtract, total, union
from mswidget.profiler.times.step_windows import (
    PLACE,
    busy_intervals,
    rows_with,
    span,
    windows_of,
    with_steps,
)


def steps_from_kernels(
    kernels: pd.DataFrame, known: set[Any], marks: pd.DataFrame
) -> pd.DataFrame:
    """Return the times of the steps of all ranks but those that are known.

    All derived, within the step's window and between the first and the last kernel of
    the rank: ``computing_us`` is how long kernels computed,
    ``communication_not_overlapped_us`` how long collectives ran beside none of them,
    ``free_us`` the rest. Where nothing tells steps apart there is one, without number.

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
    for window in windows_of(kernels, marks).to_dict("records"):
        whole = intersect(
            union([window["start_ns"]], [window["end_ns"]]), span(compute, collectives)
        )
        computing, communication = (
            total(intersect(whole, part)) / 1e3 for part in (compute, alone)
        )
        yield {
            "rank": rank,
            "step": window["step"],
            "computing_us": computing,
            "communication_not_overlapped_us": communication,
            "free_us": total(whole) / 1e3 - computing - communication,
            "is_measured": False,
        }
