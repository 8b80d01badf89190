"""What ran when, lane by lane: the bars of a window of time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from mswidget.profiler.times.tasks import task_kind

LIMIT = 5_000
DEVICE = ("Ascend Hardware", "Communication", "HCCL", "Overlap Analysis")
_COMMUNICATION = ("Communication", "HCCL")
LANE = ["place", "process", "thread"]
_PROCESS_OF_KERNEL = {False: "Ascend Hardware", True: "Communication"}
_KIND_OF_NAME = {
    "Computing": "compute",
    "Communication": "communication",
    "Communication(Not Overlapped)": "communication",
    "Free": "free",
}


def bars(
    events: pd.DataFrame,
    start_ns: int | None = None,
    end_ns: int | None = None,
    limit: int = LIMIT,
) -> pd.DataFrame:
    """Return at most ``limit`` bars of the events in a window, clipped to it.

    Parameters
    ----------
    events
        As of `trace.read_trace`; ``place`` tells devices apart where
        there are several.
    start_ns, end_ns
        The window; without, from the first event to the last.
    limit
        Where more events are in the window, short ones of one lane and kind that are
        close to one another become one bar.

    Returns
    -------
    ``place, process, thread, kind, start_ns, end_ns, name``; ``count``, how many events
    a bar stands for, and ``busy_ns``, the sum of their durations: a merged bar spans
    the gaps between its events too.
    """
    start = events["start_ns"].min() if start_ns is None else start_ns
    end = events["end_ns"].max() if end_ns is None else end_ns
    inside = events[(events["end_ns"] > start) & (events["start_ns"] < end)]
    singles = inside.assign(
        place=inside.get("place", ""),
        start_ns=inside["start_ns"].clip(lower=start),
        end_ns=inside["end_ns"].clip(upper=end),
        kind=kinds(inside),
        count=1,
    )
    singles["busy_ns"] = singles["end_ns"] - singles["start_ns"]
    shown, width = singles, max((end - start) // limit, 1) if len(singles) else 0
    while len(shown) > limit and width <= 2 * (end - start):
        shown, width = _merged(singles, width), 2 * width
    return shown.drop(columns="task_type", errors="ignore").reset_index(drop=True)


def of_device(events: pd.DataFrame) -> pd.DataFrame:
    """Return what ran on the device; everything where nothing did."""
    device = events[events["process"].isin(DEVICE)]
    return device if len(device) else events


def kernel_events(kernels: pd.DataFrame) -> pd.DataFrame:
    """Return kernels as events: a timeline where there is no trace."""
    streams = kernels.reindex(columns=["stream_id"])["stream_id"]
    lanes = ["of no stream" if pd.isna(s) else f"Stream {s}" for s in streams]
    columns = {
        "place": _places(kernels),
        "process": kernels["is_communication"].map(_PROCESS_OF_KERNEL),
        "thread": pd.Series(lanes, kernels.index, dtype=object),
        "name": kernels["name"].astype(object).fillna("without a name"),
        "task_type": kernels["accelerator_core"],
        "start_ns": kernels["start_time_ns"].astype("int64"),
        "end_ns": kernels["end_ns"],
    }
    return pd.DataFrame(columns)


def _places(kernels: pd.DataFrame) -> pd.Series[Any] | str:
    """Name the device of each kernel, or its folder, where they differ."""
    places = kernels.reindex(columns=["device", "folder"])
    if len(places.drop_duplicates()) < 2:  # noqa: PLR2004 - two differ
        return ""
    devices = "device " + places["device"].astype("Int64").astype("string")
    return devices.fillna(places["folder"].astype("string")).fillna("").astype(object)


def kinds(events: pd.DataFrame) -> pd.Series[Any]:
    """Return what each event is: a `task_kind`, communication, free or host."""
    process, kind = events["process"], _mapped(events["task_type"], task_kind)
    kind = kind.fillna("other").where(process == "Ascend Hardware", "host")
    kind = kind.mask(process.isin(_COMMUNICATION), "communication")
    named = _mapped(events["name"], _KIND_OF_NAME.get).fillna("other")
    return kind.mask(process == "Overlap Analysis", named)


def _mapped(series: pd.Series[str], to: Callable[[str], str | None]) -> pd.Series[Any]:
    return series.map({value: to(value) for value in series.dropna().unique()}).astype(
        object
    )


def _merged(singles: pd.DataFrame, width: int) -> pd.DataFrame:
    """Join events shorter than a width that begin in the same stretch of it."""
    short = singles["busy_ns"] < width
    few = singles[short]
    keys = [*LANE, "kind", few["start_ns"] // width]
    groups = few.groupby(keys, observed=True, sort=False)
    joined = groups.agg(
        start_ns=("start_ns", "min"),
        end_ns=("end_ns", "max"),
        name=("name", "first"),
        count=("count", "sum"),
        busy_ns=("busy_ns", "sum"),
    )
    joined = joined.droplevel(-1).reset_index()
    return pd.concat([singles[~short], joined], ignore_index=True)
