"""How many steps were made before a training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mswidget.collect.steps.epochs import find_epochs
from mswidget.collect.steps.params import Params


@dataclass(frozen=True)
class Offset:
    """Steps made before this ``train()`` call, and who says so."""

    steps: int
    source: str


def find_offset(
    params: Params, *, start_step: int | None, own_last: int, optimizer: object
) -> Offset:
    """Decide how many steps came before this ``train()`` call.

    Parameters
    ----------
    params
        At the begin of the first epoch.
    start_step
        What the user says.
    own_last
        The last step of the same monitor when it goes on with the same training.
    optimizer
        Its ``global_step`` is part of a checkpoint.
    """
    before = (int(params.get("cur_epoch_num") or 1) - 1) * (
        find_epochs(params).called or 0
    )
    sources = [
        ("this monitor", own_last),
        ("initial_step", int(params.get("initial_step") or 0)),
        ("the optimizer's global_step", global_step(optimizer)),
        ("initial_epoch", before),
    ]
    if start_step is not None:
        return Offset(start_step, "start_step")
    offsets = (Offset(steps, source) for source, steps in sources if steps > 0)
    return next(offsets, Offset(0, "a new training"))


def global_step(optimizer: object) -> int:
    """Return how many updates an optimizer has made; checkpoints carry this."""
    count = getattr(optimizer, "global_step", None)
    return 0 if count is None else int(np.ravel(count.asnumpy())[0])
