"""The final and the best value of a metric."""

from __future__ import annotations

import numpy as np

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
    finite = np.isfinite(values)
    better = describe(metric).better
    columns = {
        "final": values[-1],
        "final_step": steps[-1],
        "better": better,
        "nonfinite": np.count_nonzero(~finite),
    }
    if better and finite.any():
        signed = np.where(finite, values if better == "lower" else -values, np.inf)
        best = int(np.argmin(signed))
        columns |= {"best": values[best], "best_step": steps[best]}
    return columns
