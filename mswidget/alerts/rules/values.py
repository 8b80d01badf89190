"""Rules about single values: those that are no numbers, or far from the others."""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from mswidget.alerts.digest import BLOCK
from mswidget.alerts.glance import Fault, Glance, at_blocks, in_a_row, last_blocks
from mswidget.alerts.rules.trend import is_diverged
from mswidget.drawing.names import visible
from mswidget.records.record import kind_of

Numbers = NDArray[np.float64]
_COMPONENTS = 200
_FIRST_BLOCKS = 8
_REACH_BLOCKS = 32
_REACHES = 5.0
_HIGH = 0.5
_RAISED = 1.2
_OVERFLOWS = 20
_SEARCH = 40  # steps in which a loss scale that begins too high is halved
_ZEROS = 20


def nonfinite(glance: Glance) -> Fault | None:
    """Find NaN and infinity, but for an update that overflowed and was skipped."""
    bad = ~np.isfinite(glance.new)
    if bad.any():
        places = glance.start + np.flatnonzero(bad)
        bad[places - glance.start] = ~(glance.within("overflow", places) > 0)
    if not bad.any():
        return None

    def tell(place: int) -> str:
        kind = kind_of(glance.values[place])
        return f"{glance.name} is {kind}{_first_component(glance, place)}"

    return Fault(bad, tell)


def nonfinite_weights(glance: Glance) -> Fault | None:
    """Find parameters or gradients that hold NaN or infinity."""
    bad = glance.new > 0
    name = visible(glance.metric.partition("/")[2])

    def tell(place: int) -> str:
        return f"{name} has {glance.values[place]:,.0f} values that are not finite"

    return Fault(bad, tell) if bad.any() else None


def spike(glance: Glance) -> Fault | None:
    """Find a value five times as far above the others as any of 512 before."""
    digest = glance.digest
    if len(digest) < _FIRST_BLOCKS:
        return None
    blocks = np.arange(glance.start // BLOCK, (glance.stop - 1) // BLOCK + 1)
    middle = at_blocks(digest.medians, blocks - 1)
    last = last_blocks(blocks - 1, _REACH_BLOCKS)
    usual = at_blocks(digest.medians, last)
    above = at_blocks(digest.highest, last) - usual
    share = np.fmax.reduce(above / np.abs(usual), axis=1)
    # In a steep fall both ends of a block are far apart.
    reach = np.fmin(np.fmax.reduce(above, axis=1), share * np.abs(middle))
    high = middle + np.maximum(_REACHES * reach, _HIGH * np.abs(middle))
    high[blocks < _FIRST_BLOCKS] = np.nan
    at = np.arange(glance.start, glance.stop) // BLOCK - blocks[0]
    bad = np.isfinite(glance.new) & (glance.new > high[at])
    # Half of the way at once: a climb is none.
    bad &= _jumps(glance) > (glance.new - middle[at]) / 2
    if bad.any():
        places = glance.start + np.flatnonzero(bad)
        before = np.maximum(places // BLOCK * BLOCK - 1, 0)
        raised = glance.beside("lr", places) > _RAISED * glance.beside("lr", before)
        bad[places - glance.start] = ~raised
        bad &= ~glance.of_blocks(is_diverged(glance, glance.blocks))

    def tell(place: int) -> str:
        usual = middle[place // BLOCK - blocks[0]]
        value = glance.values[place]
        return f"{glance.name} jumps to {value:.4g}, from about {usual:.4g}"

    return Fault(bad, tell) if bad.any() else None


def overflow_streak(glance: Glance) -> Fault | None:
    """Find updates that overflow one after the other, but for a run's first ones."""
    before = max(glance.start - _OVERFLOWS, 0)
    streaks = in_a_row(glance.values[before:] > 0, _OVERFLOWS)[glance.start - before :]
    bad = streaks & (np.arange(glance.start, glance.stop) >= _SEARCH)

    def tell(place: int) -> str:
        scale = glance.beside("loss_scale", np.array([place]))[0]
        held = f"; the loss scale is {scale:g}" if np.isfinite(scale) else ""
        return f"the last {_OVERFLOWS} updates overflowed and were skipped{held}"

    return Fault(bad, tell) if bad.any() else None


def lr_zero(glance: Glance) -> Fault | None:
    """Find a learning rate that is zero, but for groups that never had another."""
    before = max(glance.start - _ZEROS, 0)
    zeros = in_a_row(glance.values[before:] == 0, _ZEROS)
    bad = zeros[glance.start - before :]
    if not bad.any() or (
        glance.metric != "lr" and not glance.values[: glance.stop].any()
    ):
        return None

    def tell(_place: int) -> str:
        return f"{glance.name} is 0 for {_ZEROS} values: nothing is learned"

    return Fault(bad, tell)


def _jumps(glance: Glance) -> Numbers:
    """Return how far each new value is above the one before."""
    before = glance.values[max(glance.start - 1, 0) : glance.stop - 1]
    return glance.new - (before if glance.start else np.append(np.inf, before))


def _first_component(glance: Glance, place: int) -> str:
    """Return which metric was the first that was not finite, in words."""
    row = int(glance.series.rows(np.array([place]))[0])
    earliest, first = row, ""
    names = [n for n in glance.history.names if n.startswith(("loss/", "grad_norm"))]
    for name in islice(names, _COMPONENTS):
        at = None if name == glance.metric else _bad_row(glance, name, row)
        if at is not None and (not first or at < earliest):
            earliest, first = at, name
    if not first:
        return ""
    step = glance.history.rows(earliest, earliest + 1, ()).steps[0]
    return f"; {visible(first)} was the first, at step {step:.0f}"


def _bad_row(glance: Glance, name: str, row: int) -> int | None:
    """Return where a metric's last stretch of non-finite values begins."""
    series = glance.history.series(name, row + 1)
    finite = np.isfinite(series.values[-_COMPONENTS:])
    if not len(finite) or finite[-1]:
        return None
    back = int(np.argmax(finite[::-1])) if finite.any() else len(finite)
    return int(series.rows(np.array([len(series.values) - back]))[0])
