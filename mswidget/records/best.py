"""The final and the best value of a metric."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mswidget.metrics import describe
from mswidget.records.curve import Curve

VALUES = {
    "final": "float64",
    "final_step": "Int64",
    "best": "float64",
    "best_step": "Int64",
    "better": "string",
    "nonfinite": "int64",
}
"""What `final_and_best` tells, and its types in a table."""


def final_and_best(metric: str, curve: Curve) -> dict[str, object]:
    """Return the columns of `VALUES`; without a best where no direction is good."""
    steps, values = curve.steps, curve.values
    columns = {
        "final": values[-1],
        "final_step": steps[-1],
        "better": describe(metric).better,
        "nonfinite": np.count_nonzero(~np.isfinite(values)),
    }
    best = best_place(metric, values)
    if best is not None:
        columns |= {"best": values[best], "best_step": steps[best]}
    return columns


def best_place(metric: str, values: NDArray[np.float64]) -> int | None:
    """Return where the best finite value stands; None where there is none."""
    finite, better = np.isfinite(values), describe(metric).better
    if not better or not finite.any():
        return None
    signed = values if better == "lower" else -values
    return int(np.argmin(np.where(finite, signed, np.inf)))
