"""The operator types that take most time, as bars."""

from __future__ import annotations

from typing import Any

import pandas as pd
from plotly import graph_objects as go

from mswidget.profiler.pictures.canvas import canvas, label, name_rows, nothing

_TOP = 20


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
    keys = [_as_text(ops[key]) for key in ("type", "accelerator_core")]
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


def _as_text(column: pd.Series[Any]) -> pd.Series[Any]:
    return column.astype(object).fillna("not recorded").astype(str)
