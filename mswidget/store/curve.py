"""One metric of one rank: each step once, in order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mswidget.store.frame import latest
from mswidget.store.history import Rows

_NOTHING = (np.empty(0, np.int64), np.empty(0))


@dataclass(frozen=True)
class Curve:
    """Values by rising step, of the latest attempt that made it; all have shape (n,).

    ``epochs`` are NaN where they are not known.
    """

    steps: NDArray[np.float64]
    values: NDArray[np.float64]
    epochs: NDArray[np.float64]
    wall_times_s: NDArray[np.float64]


def curves(rows: Rows) -> dict[str, Curve]:
    """Return each metric's curve; of several values at a step the last one."""
    kept = latest(rows)
    return {name: _curve(rows, kept, name) for name in rows.metrics}


def curve(rows: Rows, name: str) -> Curve:
    """Return one metric's curve, without a value for an unknown name."""
    return _curve(rows, latest(rows), name)


def _curve(rows: Rows, kept: NDArray[np.bool_], name: str) -> Curve:
    at, values = rows.metrics.get(name, _NOTHING)
    at = at - rows.start
    at, values = at[kept[at]], values[kept[at]]
    steps = rows.steps[at]
    order = np.argsort(steps, kind="stable")
    order = order[np.append(np.diff(steps[order]) > 0, True)[: len(order)]]
    at = at[order]
    return Curve(rows.steps[at], values[order], rows.epochs[at], rows.wall_times_s[at])
