"""The memory in use over time, as curves with their peaks."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from plotly import graph_objects as go

from mswidget.drawing.palette import LIGHT
from mswidget.drawing.svg import Floats
from mswidget.profiler.pictures.canvas import canvas, label, nothing, rank_label

_MOST_RANKS = 4
_POINTS = 1_000  # of a curve


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
            _mark_peak(figure, name, when, memory)


def _mark_peak(figure: go.Figure, name: str, when: Floats, memory: Floats) -> None:
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


def _outline(values: Floats) -> NDArray[np.int64]:
    """Return where the extremes of each of `_POINTS` stretches are, in order."""
    if len(values) <= 2 * _POINTS:
        return np.arange(len(values))
    parts = np.array_split(np.where(np.isnan(values), -np.inf, values), _POINTS)
    starts = np.cumsum([0, *(len(part) for part in parts[:-1])])
    highest = starts + [part.argmax() for part in parts]
    lowest = starts + [part.argmin() for part in parts]
    return np.unique(np.concatenate([highest, lowest, [0, len(values) - 1]]))
