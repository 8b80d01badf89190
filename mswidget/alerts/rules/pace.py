"""Rules about the time that steps take."""

from __future__ import annotations

from mswidget.alerts.glance import Fault, Glance, at_blocks, least_of_last

_BLOCKS = 4
_SLOWER = 2.5
_SHARE = 0.5
_LEAST_MS = 10.0


def slow_steps(glance: Glance) -> Fault | None:
    """Find steps that take 2.5 times as long as the run's fast ones, 64 in a row."""
    blocks, digest = glance.blocks, glance.digest
    now = least_of_last(digest.medians, blocks, _BLOCKS)
    usual = at_blocks(digest.best, blocks)
    bad = now > _SLOWER * usual
    if not bad.any():
        return None

    def tell(place: int) -> str:
        block = glance.block_of(place)
        return (
            f"a step takes {now[block]:.4g} ms, {now[block] / usual[block]:.1f} times "
            f"as long as it did ({usual[block]:.4g} ms)"
        )

    return Fault(glance.of_blocks(bad), tell)


def data_wait(glance: Glance) -> Fault | None:
    """Find steps that wait for their data half of the time and more, 64 in a row."""
    blocks = glance.blocks
    wait_ms = glance.digest.medians
    step_ms = glance.at("step_time_ms").digest.medians
    count = min(len(wait_ms), len(step_ms))
    share = wait_ms[:count] / step_ms[:count]
    least = least_of_last(share, blocks, _BLOCKS)
    bad = (least > _SHARE) & (least_of_last(wait_ms, blocks, _BLOCKS) > _LEAST_MS)
    if not bad.any():
        return None

    def tell(place: int) -> str:
        block = glance.block_of(place)
        wait, part = (at_blocks(c, blocks)[block] for c in (wait_ms, share))
        return f"each step waits {wait:.4g} ms for its data, {part:.0%} of it"

    return Fault(glance.of_blocks(bad), tell)
