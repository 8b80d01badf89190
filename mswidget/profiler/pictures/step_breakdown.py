"""Where the time of each step went, as stacked bars."""

from __future__ import annotations

import pandas as pd
from plotly import graph_objects as go

from mswidget.profiler.pictures.canvas import COLOURS, canvas, nothing, rank_label

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
_MOST_STEPS = 200
_MOST_NAMED = 16  # bars of which each has room for rank and step


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
    shown, title = _longest(steps)
    # What is split is not drawn a second time.
    shown = shown.assign(free_us=shown["free_us"].where(shown["other_free_us"].isna()))
    figure = canvas(title, x="", y="time [ms]", barmode="stack")
    figure.update_xaxes(showdividers=len(shown) <= _MOST_NAMED)
    bars = _bar_names(shown)
    for column, (part, kind) in _PARTS.items():
        if shown[column].notna().any():
            figure.add_bar(
                name=part,
                x=bars,
                # What stands on a NaN would be drawn from the ground.
                y=shown[column].fillna(0) / 1e3,
                customdata=100 * shown[column] / shown["step_us"],
                hovertemplate="%{y:,.3f} ms, %{customdata:.1f} % of the step",
                marker_color=COLOURS[kind],
            )
    return figure


def _longest(steps: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return the steps that are drawn, and the title that says which these are."""
    if len(steps) > _MOST_STEPS:
        # In the order of the file, so that drifts stay visible.
        longest = steps.nlargest(_MOST_STEPS, "step_us").sort_index()
        return longest, f"Time of the {_MOST_STEPS} longest of {len(steps):,} steps"
    if steps.get("is_measured", pd.Series([True])).all():
        return steps, "Time of each step"
    return steps, "Time of each step, from its kernels"


def _bar_names(steps: pd.DataFrame) -> list[str] | list[list[str]]:
    """Name the bars by rank and step, or by what differs."""
    names = ["all" if pd.isna(step) else f"step {step}" for step in steps["step"]]
    ranks = [rank_label(rank) for rank in steps["rank"]]
    if len({*ranks}) == 1:
        return names
    if len({*names}) == 1 and len(steps) > _MOST_NAMED:
        return ranks
    return [ranks, names]
