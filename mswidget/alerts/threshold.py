"""A line that a metric must not cross."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from mswidget.alerts.glance import Fault, Glance, Rule, in_a_row
from mswidget.records.alert import SEVERITIES, Severity

THRESHOLD = "threshold"


@dataclass(frozen=True)
class Threshold:
    """A rule of your own: a metric above or below a number, some values in a row.

    Parameters
    ----------
    metric
        Its name, or a shell pattern such as ``npu_temperature*``.
    above, below
        The limits; one of them at least.
    values
        So many in a row.
    severity
        ``info``, ``warning`` or ``error``.
    advice
        What to try then.

    Raises
    ------
    ValueError
        For limits, a count or a severity that make no sense.
    """

    metric: str
    above: float | None = None
    below: float | None = None
    values: int = 1
    severity: Severity = "warning"
    advice: str = ""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        limits = [limit for limit in (self.above, self.below) if limit is not None]
        if not limits or not np.isfinite(limits).all():
            raise ValueError(
                f"a threshold of {self.metric!r} needs above= or below=, a finite "
                f"number; found above={self.above!r}, below={self.below!r}"
            )
        if type(self.values) is not int or self.values < 1:
            raise ValueError(
                f"values={self.values!r}: expected how many in a row, at least 1"
            )
        if self.severity not in SEVERITIES:
            raise ValueError(
                f"severity={self.severity!r}: expected {', '.join(SEVERITIES)}"
            )

    def rule(self) -> Rule:
        """Return it as a rule."""
        find = partial(_crossed, self)
        return Rule(THRESHOLD, (self.metric,), self.severity, self.advice, find)


def _crossed(threshold: Threshold, glance: Glance) -> Fault | None:
    before = max(glance.start - threshold.values, 0)
    values = glance.values[before:]
    high = np.inf if threshold.above is None else threshold.above
    low = -np.inf if threshold.below is None else threshold.below
    crossed = in_a_row((values > high) | (values < low), threshold.values)
    bad = crossed[glance.start - before :]

    def tell(place: int) -> str:
        value = glance.values[place]
        side = f"above {high:g}" if value > high else f"below {low:g}"
        count = threshold.values
        lasting = f" for {count} values" if count > 1 else ""
        return f"{glance.name} is {side}{lasting}: {value:.4g}"

    return Fault(bad, tell) if bad.any() else None
