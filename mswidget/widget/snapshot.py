"""What a page that opens late starts from: a view of what is open at first."""

from __future__ import annotations

import math
from collections.abc import Iterable

from mswidget.metrics import FOLDED, describe, in_order
from mswidget.widget.extract import Extracted, extract
from mswidget.widget.overviews import Overviews
from mswidget.widget.protocol import Want

BUCKETS = 300
"""At least so many a curve, if it has so many values."""


def snapshot(
    overviews: Overviews, metrics: Iterable[str], limit_bytes: int
) -> list[Extracted]:
    """Return extracts by steps, the loss first, of so many bytes at most.

    Parameters
    ----------
    overviews
        Those of the tracks that are shown.
    metrics
        All there are.
    limit_bytes
        What no longer fits is left out.
    """
    taken: list[Extracted] = []
    for metric in in_order(metrics):
        if describe(metric).panel in FOLDED:
            continue
        for track in overviews.tracks:
            found = extract(overviews.of(track), _want(overviews, track), metric)
            limit_bytes -= found.nbytes
            if limit_bytes < 0:
                return taken
            if found.columns.size:
                taken.append(found)
    return taken


def _want(overviews: Overviews, track: str) -> Want:
    low, high = overviews.of(track).pieces("step").extent or (0.0, 0.0)
    level = math.floor(math.log2(max(high - low, 1) / BUCKETS))
    return {
        "track": track,
        "metrics": [],
        "key": "step",
        "begin": None,
        "end": None,
        "level": max(level, 0),
        "points": 2 * BUCKETS,
        "weight": 0.0,
    }
