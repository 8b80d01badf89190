"""What MindSpore tells its callbacks: a dict, here called ``params``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Params = Mapping[str, Any]


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
