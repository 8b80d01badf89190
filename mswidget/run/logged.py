"""What a run has logged, read back from memory."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mswidget.records.figure import figure
from mswidget.records.frame import Attempts, to_pandas
from mswidget.records.history import History, Rows
from mswidget.records.parameters import Parameter, parameters_table
from mswidget.widget.protocol import Head

if TYPE_CHECKING:
    import pandas as pd
    from plotly import graph_objects as go


class Logged(ABC):
    """Tables, figures and files of everything logged so far, at full resolution."""

    name: str
    history: History
    _parameters: Sequence[Parameter] = ()

    @abstractmethod
    def _rows(self) -> dict[int, Rows]:
        """Return all rows by rank, once they are read and written."""

    @abstractmethod
    def _head(self) -> Head:
        """Return what a page shows beside the numbers."""

    def to_pandas(
        self,
        metrics: Sequence[str] | None = None,
        *,
        attempts: Attempts = "all",
        wide: bool = True,
    ) -> pd.DataFrame:
        """Return everything logged so far at full resolution.

        See `mswidget.records.frame.to_pandas` for the arguments and the columns.
        """
        return to_pandas(self._rows(), metrics=metrics, attempts=attempts, wide=wide)

    def figure(self, metrics: Sequence[str] | None = None) -> go.Figure:
        """Return the curves as a figure of plotly.py, thinned with every extreme kept.

        See `mswidget.records.figure.figure`.
        """
        return figure(self.name, self._rows(), metrics)

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write everything logged so far to a ``.csv``, ``.parquet`` or ``.html`` file.

        See `mswidget.files.export.export`.
        """
        # A rank's script never pays for polars.
        from mswidget.files.export import export  # noqa: PLC0415

        return export(path, self._rows, self._page)

    def parameters(self) -> pd.DataFrame:
        """Return the parameters that are trained, with their latest statistics.

        Known once the training has begun, to `TrainMonitor` or a `WeightWatcher`. See
        `mswidget.records.parameters.parameters_table` for the columns.
        """
        self._rows()
        return parameters_table(self._parameters, self.history)

    def set_parameters(self, parameters: Sequence[Parameter]) -> None:
        """Say what `parameters` are."""
        self._parameters = parameters

    def _page(self) -> str:
        # The page's parts come with Jupyter's widgets.
        from mswidget.widget.html_page import html_page  # noqa: PLC0415

        (rows,) = self._rows().values()
        return html_page(self._head(), rows)
