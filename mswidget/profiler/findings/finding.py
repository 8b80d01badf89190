"""What a finding is, and what the search for it looks at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import pandas as pd

Level = Literal["info", "warn"]

_BAD = 0.4  # of the step


@dataclass(frozen=True)
class Evidence:
    """What the findings look at.

    Parameters
    ----------
    steps
        As of `step_times.step_times`.
    ops
        As of `kernels.op_times`.
    kernels
        As of `kernels.kernel_table`.
    communication
        The table of that name: what each operator waited, sent and idled.
    """

    steps: pd.DataFrame
    ops: pd.DataFrame
    kernels: pd.DataFrame
    communication: pd.DataFrame = field(default_factory=pd.DataFrame)

    def steps_of(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Return the steps of the ranks of some rows; none if one of these has none."""
        of_rows, of_steps = (
            part["rank"].astype("Int64").fillna(-1) for part in (rows, self.steps)
        )
        known = of_rows.isin(of_steps).all()
        return self.steps[of_steps.isin(of_rows) & known]

    def knowing(self, column: str) -> pd.DataFrame:
        """Return the steps that have a value in a column."""
        if column not in self.steps:
            return self.steps.iloc[:0]
        return self.steps.dropna(subset=column)


@dataclass(frozen=True)
class Finding:
    """One reason why a step takes long.

    Parameters
    ----------
    name
        The name of the function that found it.
    title
        One sentence with the figures.
    size_us
        The time it takes in all profiled steps and ranks. What passes before small
        kernels is not told again as the host's; what a slow rank costs is a part of
        the others' communication.
    share
        ``size_us`` as a part of the steps, or of the computing where no step is known,
        0 to 1.
    level
        ``warn`` from 40 %, else ``info``.
    advice
        What to try first.
    evidence
        The rows of the profile that show it.
    """

    name: str
    title: str
    size_us: float
    share: float
    advice: str
    evidence: pd.DataFrame

    @property
    def level(self) -> Level:
        """How bad it is."""
        return "warn" if self.share >= _BAD else "info"

    def __str__(self) -> str:
        return f"{self.level}: {self.title}. {self.advice}"

    __repr__ = __str__
