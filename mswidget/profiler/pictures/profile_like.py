"""What the pictures need of a profile."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import pandas as pd

from mswidget.profiler.files.locate import RankProfile
from mswidget.profiler.findings.finding import Finding
from mswidget.profiler.report import Report
from mswidget.profiler.times.table_lookup import Tables
from mswidget.profiler.times.traces import Traces


class ProfileLike(Tables, Protocol):
    """A profile, as `load.Profile` describes it."""

    @property
    def path(self) -> Path:
        """As it was given."""

    @property
    def sources(self) -> Sequence[RankProfile]:
        """The profiles that lie there, of one rank each."""

    @property
    def ranks(self) -> Sequence[int]:
        """Those that are known."""

    @property
    def traces(self) -> Traces:
        """The events of all ranks."""

    @property
    def tables(self) -> Sequence[str]:
        """The names of the tables that there are."""

    @property
    def step_times(self) -> pd.DataFrame:
        """As of `step_times.step_times`."""

    @property
    def op_times(self) -> pd.DataFrame:
        """As of `kernels.op_times`."""

    @property
    def task_times(self) -> pd.DataFrame:
        """As of `tasks.task_times`."""

    @property
    def findings(self) -> Sequence[Finding]:
        """What makes the steps slow."""

    @property
    def report(self) -> Report:
        """What was found, what is missing and why."""
