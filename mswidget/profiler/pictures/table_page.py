"""One page of a table, as text: found, sorted and cut out here, not in the browser.

A table may have millions of rows, and a page of a notebook holds some dozens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mswidget.profiler.files.frames import fitting

if TYPE_CHECKING:
    from mswidget.widget.profile_protocol import TablePage

ROWS = 20


def page_of(
    frame: pd.DataFrame,
    *,
    sort: str = "",
    descending: bool = False,
    search: str = "",
    page: int = 0,
) -> TablePage:
    """Return one page of a table.

    Parameters
    ----------
    frame
        The table.
    sort, descending
        A column, or empty for the order of the file. What is missing comes last.
    search
        Part of a text in any column, or a number that a column is equal to.
    page
        From 0; beyond the last page it is the last.
    """
    places = np.flatnonzero(_matching(frame, search.strip()))
    if sort in frame.columns:
        places = places[_order(frame[sort].iloc[places], descending=descending)]
    last = max(0, (len(places) - 1) // ROWS)
    page = min(max(page, 0), last)
    shown = frame.iloc[places[page * ROWS : (page + 1) * ROWS]]
    cells = [[_cell(value) for value in shown[column]] for column in frame.columns]
    return {
        "columns": [str(column) for column in frame.columns],
        "rows": [list(row) for row in zip(*cells, strict=True)],
        "numeric": [_is_number(frame[column]) for column in frame.columns],
        "matching": len(places),
        "total": len(frame),
        "page": page,
        "size": ROWS,
    }


def _matching(frame: pd.DataFrame, search: str) -> NDArray[np.bool_]:
    if not search:
        return np.ones(len(frame), dtype=bool)
    text = search.casefold()
    matching = np.zeros(len(frame), dtype=bool)
    number = _number(search)
    for column in (frame[name] for name in frame.columns):
        if not _is_number(column):
            matching |= fitting(column, lambda cell: text in cell.casefold())
        elif number is not None:
            matching |= (column == number).fillna(value=False).to_numpy(dtype=bool)
    return matching


def _order(column: pd.Series[Any], *, descending: bool) -> NDArray[np.int64]:
    column = column.reset_index(drop=True)
    if not _is_number(column) and column.dtype != "category":
        column = column.astype("string")
    ordered = column.sort_values(
        ascending=not descending, kind="stable", na_position="last"
    )
    return ordered.index.to_numpy()


def _is_number(column: Any) -> bool:  # noqa: ANN401 - a Series
    return pd.api.types.is_numeric_dtype(column) and column.dtype != bool


def _number(text: str) -> float | None:
    """Read a number; int compares exactly with the times, which float64 does not."""
    bare = text.replace(",", "")
    if bare.removeprefix("-").isdecimal():
        return int(bare)
    try:
        return float(bare)
    except ValueError:
        return None


def _cell(value: Any) -> str:  # noqa: ANN401 - of a table
    if pd.isna(value):
        return ""
    if isinstance(value, float):
        return f"{value:,.10g}"
    return str(value)
