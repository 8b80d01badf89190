"""A rule about parts of a loss that are no computed values."""

from __future__ import annotations

import numpy as np

from mswidget.alerts.digest import BLOCK
from mswidget.alerts.glance import Fault, Glance, at_blocks, in_a_row

FROZEN_VALUES = 20
_MOVES = 0.01  # of its size
_FEW_DIGITS = 4


def frozen_part(glance: Glance) -> Fault | None:
    """Find a part of the loss that is the same for ever while the loss moves.

    A network may also return what is no loss: a number that somebody has set, such
    as a weight of 0.01, a batch size, or the zero of a part that is switched off.
    """
    before = max(glance.start - FROZEN_VALUES, 0)
    values = glance.values[before:]
    same = np.diff(values, prepend=np.nan) == 0
    bad = in_a_row(same, FROZEN_VALUES - 1)[glance.start - before :]
    bad &= np.isfinite(glance.new)
    if not bad.any():
        return None
    for value in np.unique(glance.new[bad]):
        if _is_set_by_hand(value):
            bad &= glance.new != value
    bad &= _loss_moves(glance)

    def tell(place: int) -> str:
        return (
            f"{glance.name} is {glance.values[place]:.6g} to the last bit for "
            f"{FROZEN_VALUES} values, while the loss moves"
        )

    return Fault(bad, tell) if bad.any() else None


def _loss_moves(glance: Glance) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Say whether the loss changed lately, and by more than rounding would."""
    loss = glance.at("loss").digest
    # A value that is new knows of the last whole block of the loss.
    blocks = np.arange(glance.start + 1, glance.stop + 1) // BLOCK - 1
    low, high = at_blocks(loss.lowest, blocks), at_blocks(loss.highest, blocks)
    moves = high - low > _MOVES * np.maximum(np.abs(low), np.abs(high))
    return np.asarray(moves)


def _is_set_by_hand(value: np.float64) -> bool:
    """Say whether a number is whole or has few digits; a computed one has seven."""
    digits, _, _ = np.format_float_scientific(np.float32(value), trim="-").partition(
        "e"
    )
    return bool(value == np.rint(value)) or len(digits.strip("-")) <= _FEW_DIGITS + 1
