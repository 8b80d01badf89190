"""Rules about where a loss is going."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mswidget.alerts.digest import BLOCK, Digest
from mswidget.alerts.glance import (
    Fault,
    Flags,
    Glance,
    at_blocks,
    last_blocks,
    least_of_last,
)
from mswidget.records.history import Places

Numbers = NDArray[np.float64]
_NOISES = 4.0
_WANDERS = 5.0
_LAG, _LAGS = 4, 12
_RAISED = 1.2
_FELL, _OF_LOSS = 0.2, 0.02
_START = 4
_GROUP = 4
_SWINGS, _GROWS = 4.0, 1.15
_PLATEAU_BLOCKS = 64
_LEARNED = 0.03
_SURE = 3.0


@dataclass(frozen=True)
class _Climb:
    """How far above the best, and for how many blocks."""

    blocks: int
    of_fall: float
    of_value: float


_FAR = _Climb(2, of_fall=0.7, of_value=1.0)
_LONG = _Climb(8, of_fall=0.15, of_value=0.25)


def diverged(glance: Glance) -> Fault | None:
    """Find a loss that has climbed from its best, and stays there.

    Above the best so far by more than 4 times the noise, and for 128 values by 15 % of
    how far it had fallen and 25 % of its value; or, for 32 values, by 70 % and once its
    value. Only the latter counts where the learning rate has been raised since, as in
    a warm-up.
    """
    blocks = glance.blocks
    bad = is_diverged(glance, blocks)
    if not bad.any():
        return None

    def tell(place: int) -> str:
        block = place // BLOCK - (place % BLOCK != BLOCK - 1)
        at = int(glance.digest.best_at[block])
        start, _ = _start(glance)
        best, now = glance.digest.best[block], glance.digest.medians[block]
        if start < best:
            at, best = 0, start
        row = int(glance.series.rows(np.array([at * BLOCK]))[0])
        step = glance.history.rows(row, row + 1, ()).steps[0]
        return (
            f"{glance.name} has climbed to {now:.4g}, from {best:.4g} around "
            f"step {step:.0f}"
        )

    return Fault(glance.of_blocks(bad), tell)


def is_diverged(glance: Glance, blocks: Places) -> Flags:
    """Say of which blocks `diverged` is true."""
    digest, at = glance.digest, _best_at(glance.digest, blocks)
    best, now = at_blocks(digest.best, blocks), at_blocks(digest.medians, blocks)
    start, start_noise = _start(glance)
    base: Numbers = np.fmin(best, start)
    if not (now - base > _LONG.of_value * np.abs(base)).any():
        return np.zeros(len(blocks), bool)
    noise = np.fmax(at_blocks(digest.spreads, at), at_blocks(digest.spreads, at - 1))
    noise = np.fmax(_NOISES * noise, _WANDERS * _wander(digest.medians, at))
    raised = _rate(glance, blocks) > _RAISED * _rate(glance, at)
    long = ~raised & _climbs(digest, blocks, _LONG, best, noise)
    # What explodes at once has no block that is any good.
    noise = np.where(base < best, _NOISES * start_noise, noise)
    return long | _climbs(digest, blocks, _FAR, base, noise)


def _climbs(
    digest: Digest, blocks: Places, climb: _Climb, best: Numbers, noise: Numbers
) -> Flags:
    fall = np.maximum(at_blocks(digest.medians, 0 * blocks) - best, 0)
    least = np.maximum(climb.of_fall * fall, climb.of_value * np.abs(best))
    rise = least_of_last(digest.medians, blocks, climb.blocks) - best
    climbs: Flags = rise > np.fmax(least, noise)
    return climbs


def _start(glance: Glance) -> tuple[float, float]:
    """Return the median of the first values, and how far they are apart."""
    first = glance.values[:_START]
    first = first[np.isfinite(first)]
    if not len(first):
        return np.nan, 0.0
    return float(np.median(first)), float(np.ptp(first))


def part_diverged(glance: Glance) -> Fault | None:
    """Find a part of the loss that climbs while the loss does not.

    It had fallen by a fifth before: what regularises may grow from the begin on. And
    it has climbed by 2 % of the loss: a smaller part does not matter.
    """
    found = diverged(glance)
    total = glance.at("loss")
    if found is None or not len(total.digest):
        return None
    blocks, digest = glance.blocks, glance.digest
    best, first = at_blocks(digest.best, blocks), at_blocks(digest.medians, 0 * blocks)
    matters = first - best > _FELL * np.abs(first)
    of_total = np.minimum(blocks, len(total.digest) - 1)
    loss = np.abs(at_blocks(total.digest.medians, of_total))
    matters &= at_blocks(digest.medians, blocks) - best > _OF_LOSS * loss
    matters &= ~is_diverged(total, of_total)
    bad = found.bad & glance.of_blocks(matters)
    return Fault(bad, found.tell) if bad.any() else None


def oscillation(glance: Glance) -> Fault | None:
    """Find swings that grow, to four times of what they were at their least."""
    blocks, spreads = glance.blocks, glance.digest.spreads
    if len(spreads) < 4 * _GROUP:
        return None
    groups = [
        least_of_last(spreads, blocks - shift, _GROUP)
        for shift in (0, _GROUP, 2 * _GROUP)
    ]
    calm = at_blocks(glance.digest.calmest, blocks - 3 * _GROUP)
    grows = (groups[0] > _GROWS * groups[1]) & (groups[1] > _GROWS * groups[2])
    bad = grows & (groups[0] > _SWINGS * calm)
    if not bad.any():
        return None
    bad &= ~is_diverged(glance, blocks)

    def tell(place: int) -> str:
        block = glance.block_of(place)
        return (
            f"{glance.name} swings by {groups[0][block]:.3g} and more, after "
            f"{calm[block]:.3g} before, and the swings grow"
        )

    return Fault(glance.of_blocks(bad), tell)


def plateau(glance: Glance) -> Fault | None:
    """Find a loss that has surely not fallen by 3 % since its begin.

    That is of the first quarter and the last one of at least 1,024 values.
    """
    digest, blocks = glance.digest, glance.blocks
    quarter = np.maximum((blocks + 1) // 4, 1)
    first = at_blocks(digest.sums, quarter - 1) / quarter
    late = at_blocks(digest.sums, blocks) - at_blocks(digest.sums, blocks - quarter)
    noise = at_blocks(digest.spreads, blocks) / np.sqrt(quarter * BLOCK / 2)
    fall = first - late / quarter
    bad = np.abs(fall) + _SURE * noise < _LEARNED * np.abs(first)
    bad &= blocks + 1 >= _PLATEAU_BLOCKS
    if not bad.any():
        return None

    def tell(place: int) -> str:
        block = glance.block_of(place)
        start, now = first[block], first[block] - fall[block]
        count = (blocks[block] + 1) * BLOCK
        return (
            f"{glance.name} does not fall: {start:.4g} at first, {now:.4g} "
            f"after {count:,} values"
        )

    return Fault(glance.of_blocks(bad), tell)


def _wander(medians: Numbers, blocks: Places) -> Numbers:
    """Return how far apart the medians of the 16 blocks up to some usually are."""
    different, which = np.unique(blocks, return_inverse=True)
    last = last_blocks(different, _LAGS)
    moves = at_blocks(medians, last) - at_blocks(medians, last - _LAG)
    wander: Numbers = np.median(np.abs(moves), axis=1)[which]
    return wander


def _best_at(digest: Digest, blocks: Places) -> Places:
    """Return where the best stands, as it was known at some blocks."""
    inside = np.clip(blocks, 0, max(len(digest) - 1, 0))
    places: Places = digest.best_at[inside] if len(digest) else inside
    return places


def _rate(glance: Glance, blocks: Places) -> Numbers:
    """Return the learning rate at the end of some blocks; NaN where unknown."""
    places = np.minimum((blocks + 1) * BLOCK, glance.stop) - 1
    return glance.beside("lr", np.maximum(places, 0))
