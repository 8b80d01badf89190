"""What can be asked of a run: its values as tables, figures and files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mswidget.records.around import around
from mswidget.records.figure import figure
from mswidget.records.frame import Attempts, to_pandas
from mswidget.records.history import Rows

if TYPE_CHECKING:
    import pandas as pd
    from plotly import graph_objects as go

Ranks = Sequence[int] | None


@dataclass(frozen=True)
class Logged:
    """Everything that a run has logged so far, at full resolution.

    Parameters
    ----------
    name
        The run's.
    rows
        Returns the rows of the ranks that are asked for, None for all; raises
        ``ValueError`` for a rank that the run does not have.
    page
        Returns the run as an HTML page.
    """

    name: str
    rows: Callable[[Ranks], Mapping[int, Rows]]
    page: Callable[[], str]

    def to_pandas(
        self,
        metrics: Sequence[str] | None = None,
        ranks: Ranks = None,
        *,
        attempts: Attempts = "all",
        wide: bool = True,
    ) -> pd.DataFrame:
        """Return the records; see `frame.to_pandas` for the arguments and columns."""
        rows = self.rows(ranks)
        return to_pandas(rows, metrics=metrics, attempts=attempts, wide=wide)

    def around(self, step: int, steps: int) -> pd.DataFrame:
        """Return what was logged near a step; see `around.around`."""
        return around(self.rows(None), step, steps)

    def figure(
        self, metrics: Sequence[str] | None = None, ranks: Ranks = None
    ) -> go.Figure:
        """Return the curves; see `figure.figure`."""
        return figure(self.name, self.rows(ranks), metrics)

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write the values of all ranks to a file; see `export.export`."""
        # A rank's script never pays for polars.
        from mswidget.files.export import export  # noqa: PLC0415

        return export(path, lambda: self.rows(None), self.page)
