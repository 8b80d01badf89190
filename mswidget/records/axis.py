"""Where the steps of runs are the same: what they are aligned by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from mswidget.records.curve import Curve
from mswidget.records.history import History, Rows

_LARGEST = 1e300
_RATES = ("samples_per_s", "tokens_per_s")
Align = Literal["step", "epoch", "time", "samples", "tokens"]


@dataclass(frozen=True)
class StepUnits:
    """What the steps of a run stand for; None is not known.

    ``started_s`` is Unix time; ``samples`` and ``tokens`` are those of a step on one
    rank, ``epoch`` is how many steps it has.
    """

    started_s: float | None
    epoch: float | None
    samples: float | None
    tokens: float | None

    def of(self, align: Align) -> float | None:
        """Return what an alignment goes by; steps need nothing."""
        known = {"time": self.started_s, "epoch": self.epoch}
        known |= {"samples": self.samples, "tokens": self.tokens, "step": 1.0}
        return known[align]


def units_of(rows: Rows, facts: Mapping[str, object]) -> StepUnits:
    """Find out what the steps of a run stand for.

    Parameters
    ----------
    rows
        All rows of a rank.
    facts
        What the begin of its training says.
    """
    config = facts.get("config")
    data = config.get("data") if isinstance(config, Mapping) else None
    data = data if isinstance(data, Mapping) else {}
    samples = _positive(facts.get("batch_size")) or _positive(data.get("batch_size"))
    size = _positive(facts.get("steps_per_epoch")) or _positive(data.get("batches"))
    tokens = _positive(facts.get("tokens_per_step"))
    of_sample = _ratio(rows, "tokens_per_s", "samples_per_s")
    if tokens is None and samples and of_sample:
        tokens = samples * of_sample
    started_s = rows.wall_times_s[0] if len(rows.wall_times_s) else None
    return StepUnits(started_s, size or _epoch(rows), samples, tokens)


class GrowingUnits:
    """The `StepUnits` of a history that grows; sought anew when it is twice as long."""

    def __init__(self) -> None:
        self._count = 0
        self._facts: Mapping[str, object] = {}
        self._known = StepUnits(None, None, None, None)

    def of(self, history: History, facts: Mapping[str, object]) -> StepUnits:
        """Return them, as `units_of` finds them."""
        count = len(history)
        if count >= max(1, 2 * self._count) or facts != self._facts:
            self._known = units_of(history.rows(names=_RATES), facts)
            self._count, self._facts = count, facts
        return self._known


def positions(
    curve: Curve, align: Align, units: StepUnits
) -> NDArray[np.float64] | None:
    """Return where each value stands, rising; None when nobody knows.

    ``epoch`` 1.5 is half of the second one; ``time`` is in seconds since the begin.
    """
    if align == "step":
        return curve.steps
    known = units.of(align)
    if known is None:
        return None
    if align == "time":
        # A clock that was set back must not turn the curve around.
        return np.maximum.accumulate(curve.wall_times_s - known)
    return curve.steps / known if align == "epoch" else curve.steps * known


def check_align(align: str) -> Align:
    """Return what runs can be aligned by.

    Raises
    ------
    ValueError
        For anything else.
    """
    allowed = get_args(Align)
    for known in allowed:
        if known == align:
            return known  # type: ignore[no-any-return]
    message = f"align={align!r}: expected one of {', '.join(map(repr, allowed))}"
    raise ValueError(message)


def _epoch(rows: Rows) -> float | None:
    """Return the steps of an epoch, from the end of the last one that is whole."""
    before = rows.epochs < np.nanmax(rows.epochs, initial=-np.inf)
    if not before.any():
        return None
    at = np.flatnonzero(before)
    last = at[np.argmax(rows.steps[at])]
    return _positive(float(rows.steps[last] / max(rows.epochs[last], 1)))


def _ratio(rows: Rows, over: str, under: str) -> float | None:
    """Return the quotient of two metrics' last values."""
    last = [
        rows.metrics[name][1][-1:] for name in (over, under) if name in rows.metrics
    ]
    if len(last) < 2 or not last[0].size or not last[1].size:  # noqa: PLR2004 - both
        return None
    with np.errstate(all="ignore"):
        return _positive(float(last[0][0] / last[1][0]))


def _positive(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 < value < _LARGEST else None  # type: ignore[arg-type,operator]
