"""Rules about gradients and weights."""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from mswidget.alerts.glance import Fault, Glance, at_blocks, in_a_row
from mswidget.drawing.names import visible
from mswidget.records.history import Places

Numbers = NDArray[np.float64]
_LARGE = 50.0
_OF_FIRST = 0.2
_GONE = 1e-3
_STAYS = 0.1
_ALIVE = 1e-2
_OTHERS = 20
_LIVELIEST = 0.9
_STD_VALUES = 5
_SHRUNK = 0.1


def gradient_explosion(glance: Glance) -> Fault | None:
    """Find gradients that stay at 50 times of what they had kept to, for 32 values."""
    blocks, medians = glance.blocks, glance.digest.medians
    first = _OF_FIRST * at_blocks(medians, 0 * blocks)
    usual = np.fmax(at_blocks(glance.digest.best, blocks), first)
    now = np.minimum(at_blocks(medians, blocks), at_blocks(medians, blocks - 1))
    bad = (now > _LARGE * usual) & (usual > 0)
    if not bad.any():
        return None

    def tell(place: int) -> str:
        block = glance.block_of(place)
        return (
            f"{_of_what(glance.metric)} has grown to {now[block]:.3g}, from about "
            f"{usual[block]:.3g}"
        )

    return Fault(glance.of_blocks(bad), tell)


def gradient_vanishing(glance: Glance) -> Fault | None:
    """Find a gradient at 1/1000 of its start, while the loss is above a tenth of its.

    Where the loss goes to zero its gradient does as well, and all is well.
    """
    blocks, medians = glance.blocks, glance.digest.medians
    start = at_blocks(medians, 0 * blocks)
    now = np.maximum(at_blocks(medians, blocks), at_blocks(medians, blocks - 1))
    bad = now < _GONE * start
    if not bad.any():
        return None
    loss = glance.at("loss").digest.medians
    bad &= at_blocks(loss, blocks) > _STAYS * at_blocks(loss, 0 * blocks)

    def tell(place: int) -> str:
        block = glance.block_of(place)
        return (
            f"{_of_what(glance.metric)} has vanished: {now[block]:.3g}, after "
            f"{start[block]:.3g} at first, while the loss stays"
        )

    return Fault(glance.of_blocks(bad), tell)


def dead_gradient(glance: Glance) -> Fault | None:
    """Find a layer whose gradient has died while those of others live."""
    blocks = glance.blocks
    left = _share_left(glance, glance.metric, blocks)
    bad = left < _GONE
    if not bad.any():
        return None
    names = (n for n in glance.history.names if n.startswith("grad_norm/"))
    layers = islice((n for n in names if n != glance.metric), _OTHERS)
    shares = [_share_left(glance, layer, blocks) for layer in layers]
    others = _liveliest(np.array(shares).reshape(-1, len(blocks)))
    bad &= (others >= _ALIVE) & (left < _ALIVE * others)
    layer = visible(glance.metric.removeprefix("grad_norm/"))

    def tell(place: int) -> str:
        block = glance.block_of(place)
        return (
            f"the gradient of {layer} is at {left[block]:.2g} of its start, those of "
            f"other layers at up to {others[block]:.2g}"
        )

    return Fault(glance.of_blocks(bad), tell)


def shrinking_weights(glance: Glance) -> Fault | None:
    """Find weights whose spread goes on falling, below a tenth of its start."""
    before = max(glance.start - _STD_VALUES, 0)
    values = glance.values[before:]
    falls = in_a_row(np.diff(values, prepend=np.nan) < 0, _STD_VALUES - 1)
    start = float(glance.values[0])
    earlier = np.append(np.full(_STD_VALUES - 1, np.nan), values)[: len(values)]
    bad = (falls & (earlier < _SHRUNK * start) & np.isfinite(values))[
        glance.start - before :
    ]
    parameter = visible(glance.metric.removeprefix("weight_std/"))

    def tell(place: int) -> str:
        return (
            f"the weights of {parameter} collapse: their standard deviation fell from "
            f"{start:.3g} to {glance.values[place]:.3g}"
        )

    return Fault(bad, tell) if bad.any() else None


def _share_left(glance: Glance, metric: str, blocks: Places) -> Numbers:
    """Return the largest value of each block as a share of the first one's median."""
    digest = glance.digests(metric)
    start = at_blocks(digest.medians, np.minimum(blocks, 0))
    highest = at_blocks(digest.highest, blocks)
    known = (start > 0) & (blocks > 0)
    share: Numbers = np.where(known, highest / np.where(known, start, 1), np.nan)
    return share


def _liveliest(shares: Numbers) -> Numbers:
    """Return what the highest tenth of each column's numbers reach, NaN without any."""
    known = np.isfinite(shares).any(axis=0)
    highest = np.full(shares.shape[1], np.nan)
    if known.any():
        highest[known] = np.nanquantile(shares[:, known], _LIVELIEST, axis=0)
    return highest


def _of_what(metric: str) -> str:
    """Return which gradient a norm is of."""
    layer = metric.partition("/")[2]
    return f"the gradient of {visible(layer)}" if layer else "the gradient norm"
