"""Records and events as a pandas DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from mswidget.store.history import Rows

if TYPE_CHECKING:
    import pandas as pd


def to_pandas(rows: Rows, *, rank: int, attempts: Sequence[str]) -> pd.DataFrame:
    """Return rows of a history as a table, one row a step.

    Parameters
    ----------
    rows
        From ``History.rows()``.
    rank
        The rank that logged them.
    attempts
        The attempt of each row, shape (n,).

    Returns
    -------
    DataFrame
        Index ``step`` (int64); ``epoch`` (Int64), ``wall_time`` (UTC), ``rank``,
        ``attempt``, then one float64 column a metric. NaN stands both for a logged
        NaN and for a step without that metric; the infinities are kept.
    """
    # pandas takes a second to import, and a rank's script never needs it.
    import pandas as pd  # noqa: PLC0415

    index = pd.Index(rows.steps.astype(np.int64), name="step")
    epochs = pd.array(np.where(np.isnan(rows.epochs), 0, rows.epochs), dtype="Int64")
    epochs[np.isnan(rows.epochs)] = pd.NA
    # Whole microseconds: a Unix time in float64 holds no more.
    times_us = np.round(rows.wall_times_s * 1e6).astype(np.int64)
    columns: dict[str, object] = {
        "epoch": epochs,
        "wall_time": pd.to_datetime(times_us, unit="us", utc=True),
        "rank": np.full(len(index), rank),
        "attempt": pd.Categorical(list(attempts)),
    }
    for name, (at, values) in rows.metrics.items():
        column = np.full(len(index), np.nan)
        column[at - rows.start] = values
        taken = name == index.name or name in columns
        columns[f"metrics/{name}" if taken else name] = column
    frame: pd.DataFrame = pd.DataFrame(columns, index=index)
    return frame
