"""Curves as a figure of plotly.py: fewer points, every extreme."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mswidget.drawing.names import shown
from mswidget.drawing.palette import NONFINITE, Look, look_of
from mswidget.metrics import describe, in_order
from mswidget.records.frame import choose
from mswidget.records.history import Rows
from mswidget.records.record import kind_of
from mswidget.records.reduce import envelope, forward

if TYPE_CHECKING:
    from plotly import graph_objects as go

MOST = 24
"""So many metrics are drawn when none are named."""
_COLUMNS = 3
_BUCKETS = 500
_ROOM = 36  # characters of a title
_SYMBOLS = {"NaN": "x", "Infinity": "triangle-up", "-Infinity": "triangle-down"}


def figure(
    title: str, ranks: Mapping[int, Rows], metrics: Sequence[str] | None = None
) -> go.Figure:
    """Return one small plot a metric over steps, one line a rank and attempt.

    A curve of many points is thinned: of each 500th part the first, last, least and
    greatest value stay, and each kind of value that is not finite, which is marked.

    Parameters
    ----------
    title
        Stands above.
    ranks
        From ``History.rows()``.
    metrics
        Names, or shell patterns such as ``loss/*``; None means the first `MOST`.

    Raises
    ------
    ValueError
        When ``metrics`` names what was not logged.
    """
    # Only who draws pays for plotly.
    from plotly.subplots import make_subplots  # noqa: PLC0415

    logged = in_order({n: None for rows in ranks.values() for n in rows.metrics})
    names = logged[:MOST] if metrics is None else choose(logged, metrics)
    left = (
        f", {len(names)} of {len(logged)} metrics" if len(names) < len(logged) else ""
    )
    titles = _titles(names)
    lines = max(1, -(-len(names) // _COLUMNS))
    drawn: go.Figure = make_subplots(
        lines,
        _COLUMNS,
        subplot_titles=[*titles.values()],
        vertical_spacing=0.3 / lines,
        x_title="step",
    )
    for place, (name, heading) in enumerate(titles.items()):
        row, column = divmod(place, _COLUMNS)
        for trace in _traces(name, heading, ranks, first=place == 0):
            drawn.add_trace(trace, row + 1, column + 1)
    drawn.update_layout(
        title={"text": escape(title) + left},
        height=120 + 220 * lines,
        template="plotly_white",
        hoverlabel={"namelength": -1},
        margin={"l": 60, "r": 20, "t": 80, "b": 60},
    )
    drawn.update_annotations(font_size=12)
    return drawn


def _traces(
    name: str, title: str, ranks: Mapping[int, Rows], *, first: bool
) -> Iterator[dict[str, Any]]:
    for rank, rows in ranks.items():
        if name not in rows.metrics:
            continue
        at, values = rows.metrics[name]
        steps, attempts = rows.steps[at - rows.start], rows.attempts[at - rows.start]
        latest = forward(steps)
        for code in dict.fromkeys(attempts[latest].tolist()):
            inside = latest & (attempts == code)
            label = _label(rank, rows, code, alone=len(ranks) == 1)
            common = {"name": label or title, "legendgroup": label}
            look = look_of(0, rank, several=False)
            yield {
                **_line(steps[inside], values[inside], look),
                **common,
                "showlegend": first and bool(label),
            }
            bad = _marks(steps[inside], values[inside])
            if bad:
                yield {**bad, **common, "showlegend": False}


def _line(
    steps: NDArray[np.float64], values: NDArray[np.float64], look: Look
) -> dict[str, Any]:
    kept = envelope(values, _BUCKETS)
    drawn = np.where(np.isfinite(values), values, np.nan)[kept]
    return {
        "type": "scatter",
        "mode": "lines" if len(kept) > 1 else "markers",
        "x": steps[kept],
        "y": drawn,
        "line": {"color": look.colour, "dash": look.dash, "width": 1.3},
        "marker": {"color": look.colour},
        "hovertemplate": "step %{x}<br>%{y}",
    }


def _marks(
    steps: NDArray[np.float64], values: NDArray[np.float64]
) -> dict[str, Any] | None:
    """Return what marks values that are not finite, at the height of those before."""
    kept = envelope(values, _BUCKETS)
    steps, values = steps[kept], values[kept]
    bad = np.flatnonzero(~np.isfinite(values))
    if not len(bad):
        return None
    kinds = [kind_of(value) for value in values[bad].tolist()]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": steps[bad],
        "y": _heights(values)[bad],
        "text": kinds,
        "marker": {
            "color": NONFINITE,
            "size": 8,
            "symbol": [_SYMBOLS[k] for k in kinds],
        },
        "hovertemplate": "step %{x}<br>%{text}",
    }


def _heights(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each value, or the finite one before it, or the first there is, or 0."""
    finite = np.isfinite(values)
    if not finite.any():
        return np.zeros(len(values))
    last = np.maximum.accumulate(np.where(finite, np.arange(len(values)), -1))
    heights: NDArray[np.float64] = values[np.where(last < 0, finite.argmax(), last)]
    return heights


def _label(rank: int, rows: Rows, attempt: int, *, alone: bool) -> str:
    several = len(set(rows.attempts.tolist())) > 1
    parts = [] if alone else [f"rank {rank}"]
    return " · ".join([*parts, rows.attempt_names[attempt]] if several else parts)


def _titles(names: Sequence[str]) -> dict[str, str]:
    """Return the title of each metric."""
    metrics = {name: describe(name) for name in names}
    short = shown((metric.label or name for name, metric in metrics.items()), _ROOM)
    return {
        name: escape(
            short[metric.label or name] + (f" [{metric.unit}]" if metric.unit else "")
        )
        for name, metric in metrics.items()
    }
