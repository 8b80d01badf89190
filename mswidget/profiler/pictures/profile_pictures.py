"""The pictures of one profile: each asks for the tables that it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
from plotly import graph_objects as go

from mswidget.profiler.files.trace import step_windows
from mswidget.profiler.findings.step import kernels_and_windows
from mswidget.profiler.pictures.canvas import nothing
from mswidget.profiler.pictures.memory_curve import memory_curve
from mswidget.profiler.pictures.step_breakdown import step_breakdown
from mswidget.profiler.pictures.timeline_bars import LIMIT, kernel_events
from mswidget.profiler.pictures.timeline_figure import timeline_figure
from mswidget.profiler.pictures.top_ops import top_ops
from mswidget.profiler.times.kernels import kernel_table
from mswidget.profiler.times.step_windows import NO_WINDOWS, rows_with, step_numbers

if TYPE_CHECKING:
    from mswidget.profiler.pictures.profile_like import ProfileLike

_GAP = 0.2
_MANY_BARS = 8


class Pictures:
    """Pictures of a profile as plotly.py figures."""

    def __init__(self, profile: ProfileLike) -> None:
        self._profile = profile

    def steps(self) -> go.Figure:
        """Draw where the time of each step and rank went."""
        figure = step_breakdown(self._profile.step_times)
        # Few bars need not fill the picture.
        gap = max(_GAP, 1 - len(self._profile.step_times) / _MANY_BARS)
        return figure.update_layout(bargap=gap)

    def ops(self, count: int = 20) -> go.Figure:
        """Draw the operator types that take most time."""
        return top_ops(self._profile.op_times, count)

    def memory(self) -> go.Figure:
        """Draw the memory in use over time, with its peaks."""
        try:
            return memory_curve(self._profile["memory_record"])
        except KeyError as error:
            return nothing("Device memory", str(error.args[0]))

    def timeline(
        self,
        rank: int | None = None,
        step: int | None = None,
        start_ns: int | None = None,
        end_ns: int | None = None,
        limit: int = LIMIT,
    ) -> go.Figure:
        """Draw what ran when on one rank, from its trace or else from its kernels.

        Parameters
        ----------
        rank
            Without, the first one.
        step
            Draw the window of this step of the profiler.
        start_ns, end_ns
            Draw this window of time.
        limit
            The most bars; see `timeline_bars.bars`.

        Raises
        ------
        ValueError
            When the rank or the step is not in the profile.
        """
        events, notes = self._events(self._known(rank))
        if step is not None:
            start_ns, end_ns = self._window(events, step, self._known(rank))
        figure = timeline_figure(events, start_ns, end_ns, limit)
        if notes:
            title = f"{figure.layout.title.text} ({'; '.join(notes)})"
            figure.update_layout(title_text=title)
        return figure

    def trace(self, rank: int | None = None) -> pd.DataFrame:
        """Return the events of a rank's trace; see `trace.read_trace`."""
        return self._events(self._known(rank))[0]

    def _known(self, rank: int | None) -> int | None:
        ranks = [source.rank for source in self._profile.sources]
        if rank is None:
            return ranks[0] if ranks else None
        if rank not in ranks:
            raise ValueError(f"rank {rank} is not in the profile; there are: {ranks}")
        return rank

    def _events(self, rank: int | None) -> tuple[pd.DataFrame, list[str]]:
        events, notes = self._profile.traces.events(rank)
        if len(events):
            return events, notes
        kernels = rows_with(kernel_table(self._profile), "rank", rank)
        return kernel_events(kernels), notes

    def _window(
        self, events: pd.DataFrame, step: int, rank: int | None
    ) -> tuple[int, int]:
        windows = step_windows(events)
        if windows.empty:
            windows = kernels_and_windows(self._profile, NO_WINDOWS)[1]
            windows = rows_with(windows, "rank", rank)
        own = rows_with(windows, "step", step)
        if own.empty:
            there = step_numbers(windows["step"])
            raise ValueError(f"step {step} is not in the timeline; there are: {there}")
        return int(own["start_ns"].min()), int(own["end_ns"].max())
