"""Pictures of a profile: plotly.py figures with bars and lines only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from plotly import graph_objects as go

from mswidget.drawing.palette import LIGHT
from mswidget.profiler.pictures.canvas import (
    COLOURS,
    canvas,
    label,
    name_rows,
    nothing,
    rank_label,
)

_PARTS = {
    "computing_us": ("Computing", "compute"),
    "communication_not_overlapped_us": (
        "Communication, not overlapped",
        "communication",
    ),
    "memory_copy_us": ("Memory copy", "copy"),
    "synchronisation_us": ("Synchronisation", "sync"),
    "other_free_us": ("Other free", "free"),
    "free_us": ("Free, not split", "other"),
}
_TOP = 20
_MOST_STEPS = 200
_MOST_NAMED = 16  # bars of which each has room for rank and step
_MOST_RANKS = 4  # in the picture of memory
_POINTS = 1_000  # of a memory curve


def step_breakdown(steps: pd.DataFrame) -> go.Figure:
    """Draw where the time of each step went, as stacked bars.

    Parameters
    ----------
    steps
        As of `step_times.step_times`. Free time that could not be split
        is drawn as such.
    """
    if steps.empty:
        return nothing("Time of each step", "the profile has no step_trace_time")
    known = steps.get("is_measured", pd.Series(data=True, index=steps.index)).all()
    shown, title = steps, f"Time of each step{'' if known else ', from its kernels'}"
    if len(steps) > _MOST_STEPS:
        # In the order of the file, so that drifts stay visible.
        shown = steps.nlargest(_MOST_STEPS, "step_us").sort_index()
        title = f"Time of the {_MOST_STEPS} longest of {len(steps):,} steps"
    # What is split is not drawn a second time.
    shown = shown.assign(free_us=shown["free_us"].where(shown["other_free_us"].isna()))
    figure = canvas(title, x="", y="time [ms]", barmode="stack")
    figure.update_xaxes(showdividers=len(shown) <= _MOST_NAMED)
    places = _places(shown)
    for column, (part, kind) in _PARTS.items():
        if shown[column].notna().any():
            share = 100 * shown[column] / shown["step_us"]
            figure.add_bar(
                name=part,
                x=places,
                # What stands on a NaN would be drawn from the ground.
                y=shown[column].fillna(0) / 1e3,
                customdata=share,
                hovertemplate="%{y:,.3f} ms, %{customdata:.1f} % of the step",
                marker_color=COLOURS[kind],
            )
    return figure


def _places(steps: pd.DataFrame) -> list[str] | list[list[str]]:
    """Name the bars by rank and step, or by what differs."""
    names = ["all" if pd.isna(step) else f"step {step}" for step in steps["step"]]
    ranks = [rank_label(rank) for rank in steps["rank"]]
    if len({*ranks}) == 1:
        return names
    if len({*names}) == 1 and len(steps) > _MOST_NAMED:
        return ranks
    return [ranks, names]


def top_ops(ops: pd.DataFrame, count: int = _TOP) -> go.Figure:
    """Draw the operator types that take most time, over all ranks and steps.

    Parameters
    ----------
    ops
        As of `kernels.op_times`.
    count
        How many.
    """
    title = f"Top {count} operators"
    if ops.empty:
        return nothing(title, "the profile has no kernel_details and no op_summary")
    if (ranks := ops["rank"].nunique()) > 1:
        title += f", {ranks} ranks together"
    keys = [_texts(ops[key]) for key in ("type", "accelerator_core")]
    summed = ops.groupby(keys)[["total_us", "count"]].sum()
    share = 100 * summed["total_us"] / summed["total_us"].sum()
    top = summed.assign(share=share).nlargest(count, "total_us")[::-1].reset_index()
    figure = canvas(title, x="time of all calls [ms]", y="")
    for core, group in top.groupby("accelerator_core", sort=True):
        figure.add_bar(
            orientation="h",
            name=label(str(core)),
            x=group["total_us"] / 1e3,
            y=group.index,
            text=[label(name) for name in group["type"]],
            textposition="none",
            customdata=group[["share", "count"]],
            hovertemplate="%{text}: %{x:,.3f} ms, %{customdata[0]:.1f} % of the "
            "computing, %{customdata[1]:,} calls",
        )
    name_rows(figure, [label(name) for name in top["type"]])
    return figure.update_layout(barmode="overlay")


def _texts(column: pd.Series[Any]) -> pd.Series[Any]:
    return column.astype(object).fillna("not recorded").astype(str)


def memory_curve(record: pd.DataFrame) -> go.Figure:
    """Draw the memory in use over time, the peak of each line marked.

    Of many ranks those are drawn that need most.

    Parameters
    ----------
    record
        The table ``memory_record``.
    """
    columns = ["rank", "component", "timestamp_ns"]
    record = record.reindex(columns=[*dict.fromkeys([*columns, *record.columns])])
    record = record.dropna(subset=["timestamp_ns"])
    title, ranks = "Device memory", record["rank"].nunique()
    if record.empty:
        return nothing(title, "the profile has no memory_record")
    if ranks > _MOST_RANKS:
        record = _fullest(record)
        title = f"Device memory of the {_MOST_RANKS} fullest of {ranks} ranks"
    begin = int(record["timestamp_ns"].min())
    figure = canvas(title, x=f"time since {begin:,} ns [ms]", y="memory [MB]")
    groups = record.groupby(["rank", "component"], observed=True, dropna=False)
    for (rank, component), group in groups:
        name = " ".join([label(str(component)), rank_label(rank)]).strip()
        _add_memory(figure, name, group, begin)
    # The names are long: above the curves they would cover the title.
    below = {"y": -0.25, "yanchor": "top"}
    return figure.update_layout(legend=below, height=420)


def _fullest(record: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the ranks that come to the highest peaks."""
    used = record.filter(regex="^total_(allocated|reserved)_mb$").max(axis=1)
    peaks = used.groupby(record["rank"]).max()
    return record[record["rank"].isin(peaks.nlargest(_MOST_RANKS).index)]


def _add_memory(figure: go.Figure, name: str, group: pd.DataFrame, begin: int) -> None:
    group = group.sort_values("timestamp_ns")
    when = (group["timestamp_ns"].astype("int64") - begin).to_numpy() / 1e6
    for what, dash in (("allocated", "solid"), ("reserved", "dot")):
        column = group.get(f"total_{what}_mb")
        if column is None or column.isna().all():
            continue
        memory = column.to_numpy(dtype=float)
        kept = _outline(memory)
        figure.add_scatter(
            name=f"{name}: {what}, peak {np.nanmax(memory):,.1f} MB",
            x=when[kept],
            y=memory[kept],
            mode="lines",
            line={"shape": "hv", "dash": dash, "width": 1.5},
            hovertemplate="%{x:,.3f} ms: %{y:,.1f} MB",
        )
        if what == "allocated":
            peak = int(np.nanargmax(memory))
            figure.add_scatter(
                name=f"{name}: peak",
                x=[when[peak]],
                y=[memory[peak]],
                mode="markers+text",
                text=[f"{memory[peak]:,.1f} MB"],
                textposition="top center",
                marker={"size": 8, "symbol": "diamond", "color": LIGHT[1]},
                showlegend=False,
                cliponaxis=False,
                hoverinfo="skip",
            )


def _outline(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return where the extremes of each of `_POINTS` stretches are, in order."""
    if len(values) <= 2 * _POINTS:
        return np.arange(len(values))
    parts = np.array_split(np.where(np.isnan(values), -np.inf, values), _POINTS)
    starts = np.cumsum([0, *(len(part) for part in parts[:-1])])
    highest = starts + [part.argmax() for part in parts]
    lowest = starts + [part.argmin() for part in parts]
    return np.unique(np.concatenate([highest, lowest, [0, len(values) - 1]]))
