"""Which step of the whole training a callback is at.

Parameters of MindSpore's callbacks are a dict; here they are called ``params``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mswidget.collect.steps.epochs import Epochs

Params = Mapping[str, Any]


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
    found = (Offset(steps, source) for source, steps in sources if steps > 0)
    return next(found, Offset(0, "a new training"))


def global_step(optimizer: object) -> int:
    """Return how many updates an optimizer has made; checkpoints carry this."""
    count = getattr(optimizer, "global_step", None)
    return 0 if count is None else int(np.ravel(count.asnumpy())[0])


def find_epochs(params: Params) -> Epochs:
    """Return how many steps an epoch has, and what MindSpore calls one.

    On a CPU ``sink_size`` has no effect, but ``batch_num`` tells it all the same.
    """
    length = dataset_size(params)
    batches = params.get("batch_num")
    sink = params.get("dataset_sink_mode") or length is None
    return Epochs(length or batches, batches if sink else length)


def dataset_size(params: Params) -> int | None:
    """Return the batches of the dataset; None when nobody knows."""
    dataset = params.get("train_dataset")
    return None if dataset is None else int(dataset.get_dataset_size())


def batch_size(params: Params) -> int | None:
    """Return the samples of one step on this rank; None when nobody knows.

    A dataset that yields whole batches by itself says 1: its arrays tell then.
    """
    dataset = params.get("train_dataset")
    size = 1 if dataset is None else int(dataset.get_batch_size())
    if size > 1:
        return size
    element = params.get("train_dataset_element") or ()
    firsts = {tuple(getattr(column, "shape", ()))[:1] for column in element}
    (first,) = firsts if len(firsts) == 1 else ((),)
    return int(first[0]) if first else None
