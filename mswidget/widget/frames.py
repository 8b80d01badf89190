"""Rows of a history as a block and its buffer (`protocol` states the layout)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from mswidget.records.history import Rows
from mswidget.records.reduce import envelope
from mswidget.widget.protocol import Block

FLOAT_BYTES = 8
_ROW_COLUMNS = 4
EMPTY: Block = {"start": 0, "stop": 0, "count": 0, "reduced": False, "columns": []}


def encode(rows: Rows, limit_bytes: int) -> tuple[Block, bytes]:
    """Return rows as one block whose buffer holds at most ``limit_bytes``.

    What does not fit exactly is reduced: every spike and every kind of non-finite
    value stays. At least one bucket a metric is kept, whatever the limit.
    """
    if _exact_bytes(rows) <= limit_bytes:
        every = np.arange(rows.stop - rows.start)
        return _encode(
            rows, every, {name: at for name, (at, _) in rows.metrics.items()}
        )
    # Per bucket and metric: four extremes, each with its value, its position, and
    # at worst a row of its own.
    held = sum(len(at) > 0 for at, _ in rows.metrics.values())
    buckets = max(1, limit_bytes // (FLOAT_BYTES * 24 * max(1, held)))
    while True:
        kept = _kept(rows, buckets)
        block, buffer = _encode(rows, _rows_of(rows, kept), kept)
        block["reduced"] = True
        if len(buffer) <= limit_bytes or buckets == 1:
            return block, buffer
        buckets = buckets // 2


def exact_stop(rows: Rows, limit_bytes: int) -> int:
    """Return how far from ``rows.start`` one exact buffer of that size reaches."""
    per_row = FLOAT_BYTES * (_ROW_COLUMNS + 2 * len(rows.metrics))
    return min(rows.stop, rows.start + max(1, limit_bytes // per_row))


def _exact_bytes(rows: Rows) -> int:
    count = rows.stop - rows.start
    numbers = _ROW_COLUMNS * count
    for at, _ in rows.metrics.values():
        numbers += len(at) if len(at) == count else 2 * len(at)
    return FLOAT_BYTES * numbers


def _kept(rows: Rows, buckets: int) -> dict[str, NDArray[np.int64]]:
    return {
        name: at[envelope(values, buckets)]
        for name, (at, values) in rows.metrics.items()
    }


def _rows_of(rows: Rows, kept: Mapping[str, NDArray[np.int64]]) -> NDArray[np.int64]:
    inside = np.zeros(rows.stop - rows.start, dtype=bool)
    for at in kept.values():
        inside[at - rows.start] = True
    return np.flatnonzero(inside)


def _encode(
    rows: Rows, chosen: NDArray[np.int64], kept: Mapping[str, NDArray[np.int64]]
) -> tuple[Block, bytes]:
    parts: list[NDArray[np.float64]] = [
        (chosen + rows.start).astype(np.float64),
        rows.steps[chosen],
        rows.epochs[chosen],
        rows.wall_times_s[chosen],
    ]
    block: Block = {
        "start": rows.start,
        "stop": rows.stop,
        "count": len(chosen),
        "reduced": False,
        "columns": [],
    }
    for name, at in kept.items():
        if not len(at):
            continue
        block["columns"].append({"metric": name, "count": len(at)})
        if len(at) != len(chosen):
            parts.append(np.searchsorted(chosen, at - rows.start).astype(np.float64))
        held_at, values = rows.metrics[name]
        parts.append(values[np.searchsorted(held_at, at)])
    return block, np.concatenate(parts).astype("<f8").tobytes()
