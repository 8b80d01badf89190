"""The timeline as a picture: one lane a stream."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from plotly import graph_objects as go

from mswidget.profiler.pictures.canvas import COLOURS, canvas, label, name_rows, nothing
from mswidget.profiler.pictures.timeline_bars import LANE, LIMIT, bars, of_device

_MERGED_OPACITY = 0.55
_STREAMS = "Ascend Hardware"
# Waits first: what works is drawn over them where both are narrower than a pixel.
_KINDS = ("free", "other", "host", "sync", "communication", "dvpp", "copy", "compute")
_PIXEL = 1 / 1000  # of the width of a picture
Lane = tuple[str, ...]


def timeline_figure(
    events: pd.DataFrame,
    start_ns: int | None = None,
    end_ns: int | None = None,
    limit: int = LIMIT,
) -> go.Figure:
    """Draw what ran when, one lane a stream.

    Where a window holds more than ``limit`` events, close short ones are drawn as one
    paler bar, which says how many it stands for. What is shorter than a pixel is drawn
    as wide as one; its text tells how long it was.

    Parameters
    ----------
    events
        As of `trace.read_trace`. Lanes of the host are left out
        where the device has some.
    start_ns, end_ns
        The window; without, from the first event to the last.
    """
    shown = bars(of_device(events), start_ns, end_ns, limit)
    if events.empty:
        return nothing("Timeline", "the profile has no trace and no kernel_details")
    if shown.empty:
        return nothing("Timeline", "nothing was recorded in this window")
    begin = int(shown["start_ns"].min() if start_ns is None else start_ns)
    end = int(shown["end_ns"].max() if end_ns is None else end_ns)
    rows = _rows(shown)
    shown = shown.assign(
        start_us=(shown["start_ns"] - begin) / 1e3,
        long_us=(shown["end_ns"] - shown["start_ns"]) / 1e3,
        row=[rows[lane] for lane in _lanes(shown)],
    )
    figure = canvas(_title(shown), x=f"time since {begin:,} ns [us]", y="")
    for kind in _KINDS:
        group = shown[shown["kind"] == kind]
        if len(group):
            _add_bars(figure, kind, group, _PIXEL * (end - begin) / 1e3)
    name_rows(figure, [label(_name(*lane)) for lane in rows])
    figure.update_yaxes(autorange="reversed")
    # As text: JavaScript's numbers would round it.
    meta = {"begin_ns": str(begin), "merged": bool((shown["count"] > 1).any())}
    return figure.update_layout(barmode="overlay", meta=meta)


def _add_bars(
    figure: go.Figure, kind: str, group: pd.DataFrame, pixel_us: float
) -> None:
    figure.add_bar(
        orientation="h",
        name=kind,
        base=group["start_us"],
        x=group["long_us"],
        y=group["row"],
        text=_said(group),
        textposition="none",
        hovertemplate="%{text}",
        marker={
            "color": COLOURS[kind],
            "opacity": np.where(group["count"] > 1, _MERGED_OPACITY, 1.0),
            # A line is as wide at every zoom.
            "line_width": np.where(group["long_us"] < pixel_us, 1, 0),
            "line_color": COLOURS[kind],
        },
    )


def _title(shown: pd.DataFrame) -> str:
    events, drawn = int(shown["count"].sum()), len(shown)
    merged = f", drawn as {drawn:,} bars: pale ones stand for several"
    return f"Timeline: {events:,} events{merged if drawn < events else ''}"


def _lanes(shown: pd.DataFrame) -> list[Lane]:
    return list(zip(*(shown[key] for key in LANE), strict=True))


def _rows(shown: pd.DataFrame) -> dict[Lane, int]:
    """Return the row of each lane; ``Stream 10`` comes behind ``Stream 2``."""
    order = sorted({*_lanes(shown)}, key=lambda lane: [*map(_natural, lane)])
    return {lane: row for row, lane in enumerate(order)}


def _name(place: str, process: str, thread: str) -> str:
    shown = "" if process == _STREAMS else process
    return " ".join(filter(None, (place, shown, thread)))


def _natural(name: str) -> str:
    return re.sub(r"\d+", lambda number: number[0].zfill(12), name)


def _said(group: pd.DataFrame) -> list[str]:
    columns = (group[c] for c in ("name", "count", "busy_ns", "start_us", "long_us"))
    return [
        f"{_who(name, count, busy)}<br>from {start:,.3f} us, {long:,.3f} us long"
        for name, count, busy, start, long in zip(*columns, strict=True)
    ]


def _who(name: str, count: int, busy_ns: int) -> str:
    if count == 1:
        return label(name)
    return f"{count:,} events such as {label(name)}, {busy_ns / 1e3:,.3f} us in all"
