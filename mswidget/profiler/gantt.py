"""The timeline as a picture: one lane a stream."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from plotly import graph_objects as go

from mswidget.profiler.canvas import COLOURS, canvas, label, name_rows, nothing
from mswidget.profiler.timeline import LIMIT, bars, of_device

_MERGED_OPACITY = 0.55
_STREAMS = "Ascend Hardware "


def timeline(
    events: pd.DataFrame,
    start_ns: int | None = None,
    end_ns: int | None = None,
    limit: int = LIMIT,
) -> go.Figure:
    """Draw what ran when, one lane a stream.

    Where a window holds more than ``limit`` events, close short ones are drawn as one
    paler bar, which says how many it stands for.

    Parameters
    ----------
    events
        As of `mswidget.profiler.trace.read_trace`. Lanes of the host are left out
        where the device has some.
    start_ns, end_ns
        The window; without, from the first event to the last.
    """
    shown = bars(of_device(events), start_ns, end_ns, limit)
    if shown.empty:
        return nothing("Timeline", "nothing was recorded in this window")
    begin = int(shown["start_ns"].min() if start_ns is None else start_ns)
    lanes = _lanes(shown)
    figure = canvas(_title(shown), x=f"time since {begin:,} ns [us]", y="")
    for kind, group in shown.groupby("kind"):
        start_us, long_us = (
            (group[later] - sooner) / 1e3
            for later, sooner in (("start_ns", begin), ("end_ns", group["start_ns"]))
        )
        figure.add_bar(
            orientation="h",
            name=str(kind),
            base=start_us,
            x=long_us,
            y=[lanes[pair] for pair in _pairs(group)],
            text=_said(group, start_us, long_us),
            textposition="none",
            hovertemplate="%{text}",
            marker={
                "color": COLOURS[str(kind)],
                "opacity": np.where(group["count"] > 1, _MERGED_OPACITY, 1.0),
                "line_width": 0,
            },
        )
    name_rows(figure, [label(" ".join(pair).removeprefix(_STREAMS)) for pair in lanes])
    figure.update_yaxes(autorange="reversed")
    # As text: JavaScript's numbers would round it.
    meta = {"begin_ns": str(begin), "merged": bool((shown["count"] > 1).any())}
    return figure.update_layout(barmode="overlay", meta=meta)


def _title(shown: pd.DataFrame) -> str:
    events, drawn = int(shown["count"].sum()), len(shown)
    merged = f", drawn as {drawn:,} bars: pale ones stand for several"
    return f"Timeline: {events:,} events{merged if drawn < events else ''}"


def _pairs(shown: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(shown["process"], shown["thread"], strict=True))


def _lanes(shown: pd.DataFrame) -> dict[tuple[str, str], int]:
    """Return the place of each lane; ``Stream 10`` comes behind ``Stream 2``."""
    order = sorted({*_pairs(shown)}, key=lambda pair: [*map(_natural, pair)])
    return {pair: place for place, pair in enumerate(order)}


def _natural(name: str) -> str:
    return re.sub(r"\d+", lambda number: number[0].zfill(12), name)


def _said(
    group: pd.DataFrame, start_us: pd.Series[float], long_us: pd.Series[float]
) -> list[str]:
    return [
        f"{_who(name, count, busy)}<br>from {start:,.3f} us, {long:,.3f} us long"
        for name, count, busy, start, long in zip(
            *(group[column] for column in ("name", "count", "busy_ns")),
            start_us,
            long_us,
            strict=True,
        )
    ]


def _who(name: str, count: int, busy_ns: int) -> str:
    if count == 1:
        return label(name)
    return f"{count:,} events such as {label(name)}, {busy_ns / 1e3:,.3f} us in all"
