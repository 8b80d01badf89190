"""What is found wrong in a history: one function a rule.

A rule is asked about one metric each time that it has new values. It looks at a
bounded number of values, the first and the last ones, so that it costs the same
however long the run is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from mswidget.drawing.names import visible
from mswidget.metrics import fits
from mswidget.records.alert import Severity
from mswidget.records.history import History

FROZEN_VALUES = 20
_MOVES = 0.01  # of its size
_FEW_DIGITS = 4
START_VALUES = 10
_DEAD = 1e-3
_ALIVE = 1e-2
_OTHERS = 20
STD_VALUES = 5
_SHRUNK = 0.1


@dataclass(frozen=True)
class Fault:
    """What a rule found: how bad, what, and what to try."""

    severity: Severity
    message: str
    advice: str


@dataclass(frozen=True)
class Rule:
    """A rule and what it watches.

    Parameters
    ----------
    name
        What the alert is called.
    pattern
        The metric's name, or a shell pattern such as ``loss/*``.
    check
        Is given the history and one metric that fits; None when all is well.
    """

    name: str
    pattern: str
    check: Callable[[History, str], Fault | None]


def frozen_part(history: History, name: str) -> Fault | None:
    """Find a part of the loss that is the same for ever while the loss moves.

    A network may also return what is no loss: a number that somebody has set, such
    as a weight of 0.01, a batch size, or the zero of a part that is switched off.
    """
    recent = history.values(name)[-FROZEN_VALUES:]
    if len(recent) < FROZEN_VALUES or (recent != recent[-1]).any():
        return None
    if not np.isfinite(recent[-1]) or _is_set_by_hand(recent[-1]):
        return None
    if not _moves(history.values("loss")[-FROZEN_VALUES:]):
        return None
    return Fault(
        "error",
        f"{visible(name)} is {recent[-1]:.6g} to the last bit for {FROZEN_VALUES} "
        "values, while the loss moves",
        "in graph mode MindSpore freezes what value_and_grad(has_aux=True) returns in "
        "a dict at the first step's values: return a tuple instead of a dict",
    )


def dead_gradient(history: History, name: str) -> Fault | None:
    """Find a layer whose gradient has died while those of others live."""
    left = _share_left(history, name)
    if left is None or left >= _DEAD:
        return None
    layers = (n for n in history.names if n != name and n.startswith("grad_norm/"))
    shares = [_share_left(history, other) for other in islice(layers, _OTHERS)]
    known = [share for share in shares if share is not None]
    others = float(np.median(known)) if known else 0.0
    if others < _ALIVE or left >= _ALIVE * others:
        return None
    layer = name.removeprefix("grad_norm/")
    return Fault(
        "warning",
        f"the gradient of {visible(layer)} is at {left:.2g} of its start, those of "
        f"other layers at {others:.2g}",
        "look for what cuts the layer off: a dropout in the wrong mode, a mask of "
        "zeros, stop_gradient, a saturated activation",
    )


def shrinking_weights(history: History, name: str) -> Fault | None:
    """Find weights whose spread goes on falling, below a tenth of its start."""
    values = history.values(name)
    recent = values[-STD_VALUES:]
    if len(values) <= STD_VALUES or not np.isfinite(recent).all():
        return None
    start = values[0]
    falls = bool((np.diff(recent) < 0).all())
    if not (falls and np.isfinite(start) and recent[0] < _SHRUNK * start):
        return None
    parameter = name.removeprefix("weight_std/")
    return Fault(
        "warning",
        f"the weights of {visible(parameter)} collapse: their standard deviation fell "
        f"from {start:.3g} to {recent[-1]:.3g}",
        "look at the weight decay and the learning rate of this parameter, and at "
        "whether its layer still gets a gradient",
    )


RULES: tuple[Rule, ...] = (
    Rule("frozen_part", "loss/*", frozen_part),
    Rule("dead_gradient", "grad_norm/*", dead_gradient),
    Rule("shrinking_weights", "weight_std/*", shrinking_weights),
)


def rules_of(name: str) -> tuple[Rule, ...]:
    """Return the rules that watch a metric."""
    return tuple(rule for rule in RULES if fits(name, rule.pattern))


def _is_set_by_hand(value: np.float64) -> bool:
    """Say whether a number is whole or has few digits; a computed one has seven."""
    digits, _, _ = np.format_float_scientific(np.float32(value), trim="-").partition(
        "e"
    )
    return bool(value == np.rint(value)) or len(digits.strip("-")) <= _FEW_DIGITS + 1


def _moves(values: NDArray[np.float64]) -> bool:
    """Say whether values change, and by more than rounding would."""
    finite = values[np.isfinite(values)]
    if len(finite) < FROZEN_VALUES // 2:
        return False
    return bool(np.ptp(finite) > _MOVES * np.abs(finite).max())


def _share_left(history: History, name: str) -> float | None:
    """Return the largest of the last values as a share of what the first ones were."""
    values = history.values(name)
    if len(values) < 2 * START_VALUES:
        return None
    first, last = values[:START_VALUES], values[-START_VALUES:]
    start = float(np.median(first))
    if not (np.isfinite(start) and start > 0 and np.isfinite(last).all()):
        return None
    return float(last.max()) / start
