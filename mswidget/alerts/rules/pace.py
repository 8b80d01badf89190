"""Rules about the time that steps take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mswidget.alerts.digest import BLOCK
from mswidget.alerts.glance import Fault, Flags, Glance, at_blocks, least_of_last
from mswidget.records.history import Places

_STRETCHES = (4, 16, 64, 256)
"""Of so many blocks one that lasts for `LEAST_MS` has to be bad throughout."""
LEAST_MS = 60_000.0
_SLOWER = 2.5
_SHARE = 0.5
_WAIT_MS = 10.0

Numbers = NDArray[np.float64]


def slow_steps(glance: Glance) -> Fault | None:
    """Find steps that take 2.5 times as long as the run's fast ones, for a minute."""
    blocks, now_ms = glance.blocks, glance.digest.medians
    usual_ms = at_blocks(glance.digest.best, blocks)
    bad = at_blocks(now_ms, blocks) > _SLOWER * usual_ms
    if not bad.any():
        return None
    bad &= _lasts(now_ms, blocks, now_ms, _SLOWER * usual_ms)

    def tell(place: int) -> str:
        block = glance.block_of(place)
        now, usual = at_blocks(now_ms, blocks)[block], usual_ms[block]
        return (
            f"a step takes {now:.4g} ms, {now / usual:.1f} times as long as it did "
            f"({usual:.4g} ms)"
        )

    return Fault(glance.of_blocks(bad), tell)


def data_wait(glance: Glance) -> Fault | None:
    """Find steps that wait for their data half of the time and more, for a minute."""
    blocks, wait_ms = glance.blocks, glance.digest.medians
    step_ms = glance.at("step_time_ms").digest.medians
    count = min(len(wait_ms), len(step_ms))
    share = wait_ms[:count] / step_ms[:count]
    bad = at_blocks(share, blocks) > _SHARE
    bad &= at_blocks(wait_ms, blocks) > _WAIT_MS
    if not bad.any():
        return None
    bad &= _lasts(share, blocks, step_ms, np.full(len(blocks), _SHARE))

    def tell(place: int) -> str:
        block = glance.block_of(place)
        wait, part = (at_blocks(c, blocks)[block] for c in (wait_ms, share))
        return f"each step waits {wait:.4g} ms for its data, {part:.0%} of it"

    return Fault(glance.of_blocks(bad), tell)


def _lasts(column: Numbers, blocks: Places, step_ms: Numbers, limit: Numbers) -> Flags:
    """Say whether numbers were above a limit for as long as is worth an alert."""
    lasts = np.zeros(len(blocks), bool)
    for count in _STRETCHES:
        long_enough = count * BLOCK * at_blocks(step_ms, blocks) >= LEAST_MS
        lasts |= long_enough & (least_of_last(column, blocks, count) > limit)
    return lasts
