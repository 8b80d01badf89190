"""One step of a profile: the part of every table that is about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING

import pandas as pd

from mswidget.profiler.files.frames import stack
from mswidget.profiler.findings.bottlenecks import find_bottlenecks
from mswidget.profiler.findings.finding import Evidence, Finding
from mswidget.profiler.times.kernels import kernel_table, op_times
from mswidget.profiler.times.step_windows import (
    NO_WINDOWS,
    rows_with,
    step_numbers,
    windows_of,
    with_steps,
)
from mswidget.profiler.times.table_lookup import Tables, table_with_columns
from mswidget.profiler.times.tasks import task_times

if TYPE_CHECKING:
    from plotly import graph_objects as go

_TITLE = "Step {}, by rank"


@dataclass(frozen=True)
class Step:
    """What happened in one step; `Profile.step` makes it.

    Parameters
    ----------
    number
        The profiler's own number.
    times
        Where its time went, one row a rank; see `times.step_times`.
    kernels
        The operators that belong to it; see `kernels.kernel_table`.
    tasks
        What ran on the device in its window, at least in part; see
        `tasks.device_tasks`.
    op_times
        The time of each operator type; see `kernels.op_times`.
    windows
        ``rank, step, start_ns, end_ns``.
    """

    number: int
    times: pd.DataFrame
    kernels: pd.DataFrame
    tasks: pd.DataFrame
    op_times: pd.DataFrame
    windows: pd.DataFrame
    _draw: Callable[..., go.Figure]

    @cached_property
    def task_times(self) -> pd.DataFrame:
        """The time of each type of device task; see `tasks.task_times`."""
        return task_times(self.tasks)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What makes this step slow, the largest first."""
        return find_bottlenecks(Evidence(self.times, self.op_times, self.kernels))

    def timeline(self, rank: int | None = None) -> go.Figure:
        """Draw what ran when on one rank, the first one if none is given."""
        own = self.windows if rank is None else rows_with(self.windows, "rank", rank)
        if own.empty:
            there = ", ".join(str(r) for r in self.windows["rank"].dropna()) or "none"
            raise ValueError(f"rank {rank} has no such step; there are: {there}")
        first = own.iloc[0]
        begin, end = int(first["start_ns"]), int(first["end_ns"])
        known = None if pd.isna(first["rank"]) else int(first["rank"])
        return self._draw(known, start_ns=begin, end_ns=end)

    def __str__(self) -> str:
        shown = self.times.drop(columns="step").to_string(index=False)
        return "\n".join([_TITLE.format(self.number), shown, *map(str, self.findings)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        times = self.times.drop(columns="step").to_html(index=False, border=0)
        findings = "".join(
            f"<li>{escape(str(finding))}</li>" for finding in self.findings
        )
        return f"<b>{_TITLE.format(self.number)}</b>{times}<ul>{findings}</ul>"


def step_of(
    number: int,
    tables: Tables,
    times: pd.DataFrame,
    tasks: pd.DataFrame,
    marks: pd.DataFrame,
    draw: Callable[..., go.Figure],
) -> Step:
    """Return one step out of the tables of a whole profile.

    Raises
    ------
    ValueError
        When there is no such step; it names those that there are.
    """
    all_kernels, windows = kernels_and_windows(tables, marks)
    steps = pd.concat([times["step"], windows["step"]])
    if number not in {*steps}:
        raise ValueError(
            f"step {number} is not in the profile; there are: {step_numbers(steps)}"
        )
    kernels = rows_with(all_kernels, "step_id", number)
    window = rows_with(windows, "step", number)
    return Step(
        number,
        times=rows_with(times, "step", number),
        kernels=kernels,
        tasks=_within(tasks, window),
        op_times=op_times({**_ai_cpu(tables), "kernel_details": kernels}),
        windows=window,
        _draw=draw,
    )


def kernels_and_windows(
    tables: Tables, marks: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return all kernels with their step, and the windows of all steps and ranks."""
    kernels = kernel_table(tables)
    steps = table_with_columns(tables, "step_trace_time", ("rank", "step"))
    ranks = [*{rank: 0 for part in (kernels, marks) for rank in part["rank"]}]
    parts, windows = [kernels.iloc[:0]], [NO_WINDOWS]
    for rank in ranks:
        own, known, marked = (
            rows_with(part, "rank", rank) for part in (kernels, steps, marks)
        )
        parts.append(with_steps(own, known, marked))
        windows.append(windows_of(parts[-1], marked).assign(rank=rank))
    return stack(parts), stack(windows).reset_index(drop=True)


def _within(tasks: pd.DataFrame, windows: pd.DataFrame) -> pd.DataFrame:
    parts = [tasks.iloc[:0]]
    for window in windows.to_dict("records"):
        own = rows_with(tasks, "rank", window["rank"])
        begins, ends = window["start_ns"], window["end_ns"]
        parts.append(own[(own["end_ns"] > begins) & (own["start_ns"] < ends)])
    return stack(parts)


def _ai_cpu(tables: Tables) -> dict[str, pd.DataFrame]:
    name = "data_preprocess"
    return {name: tables[name]} if name in tables else {}
