"""Where the time of a step went, where the profiler itself does not say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from mswidget.profiler.times.intervals import intersect, subtract, total, union
from mswidget.profiler.times.step_windows import (
    covered,
    rows_with,
    span,
    windows_of,
    with_steps,
)

_PLACE = ["rank", "device", "folder"]


def steps_from_kernels(
    found: pd.DataFrame, known: set[Any], marks: pd.DataFrame
) -> pd.DataFrame:
    """Return the times of the steps of all ranks but those that are known.

    All derived, within the step's window and between the first and the last kernel of
    the rank: ``computing_us`` is how long kernels computed,
    ``communication_not_overlapped_us`` how long collectives ran beside none of them,
    ``free_us`` the rest. Where nothing tells steps apart there is one, without number.

    Parameters
    ----------
    found
        As of `kernels.kernels`.
    known
        The ranks that have ``step_trace_time``.
    marks
        ``rank, step, start_ns, end_ns`` of the profiler's steps in the trace.
    """
    ranks = _unknown(found, {_plain(rank) for rank in known})
    return pd.DataFrame([row for rank in ranks for row in _steps(rank, found, marks)])


def _unknown(found: pd.DataFrame, known: set[Any]) -> Iterator[Any]:
    for rank in found["rank"].unique():
        own = rows_with(found, "rank", rank)
        # Two devices, or two exports, are not one step.
        places = own.reindex(columns=_PLACE).drop_duplicates()
        if len(places) == 1 and _plain(rank) not in known:
            yield rank


def _plain(rank: Any) -> int | None:  # noqa: ANN401 - a key of pandas
    return None if pd.isna(rank) else int(rank)


def _steps(
    rank: Any,  # noqa: ANN401 - a key of pandas
    found: pd.DataFrame,
    marks: pd.DataFrame,
) -> Iterator[dict[str, object]]:
    own, marks = (rows_with(rows, "rank", rank) for rows in (found, marks))
    own = with_steps(own, own.iloc[:0], marks)
    compute, collectives = covered(own)
    alone = subtract(collectives, compute)
    for window in windows_of(own, marks).to_dict("records"):
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
