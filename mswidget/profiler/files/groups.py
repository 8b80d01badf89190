"""Which ranks the communication groups of a profile have: profiler_metadata.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mswidget.profiler.files.column_buffers import Columns, Integral, integers

Groups = Mapping[str, tuple[int, ...]]
"""The ranks of the whole run in each group, by the number that tables call it."""

_FILE = "profiler_metadata.json"
_PRIMES = (29, 131)
_HALF = 1 << 32


def read_groups(folder: Path) -> Groups:
    """Return the groups that a rank's folder tells of; none where it does not."""
    try:
        content = json.loads((folder / _FILE).read_text(encoding="utf-8-sig"))
        told = content["parallel_group_info"].items()
        return {
            group_number(name): tuple(int(rank) for rank in group["global_ranks"])
            for name, group in told
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def group_number(name: str) -> str:
    """Return what Ascend's files call a group, after the ``@`` of an operator.

    Two sums of 32 bits over its letters, by 29 and by 131, one after the other: so it
    is in all samples.

    >>> group_number("group_name_0")
    '5862276093215481612'
    """
    high, low = (
        reduce(lambda sum_, byte: (sum_ * prime + byte) % _HALF, name.encode(), 0)
        for prime in _PRIMES
    )
    return str(high * _HALF + low)


def with_ranks(columns: Columns, groups: Groups) -> Columns:
    """Name the ranks of the whole run, where links are told by numbers in a group.

    ``src_rank`` and ``dst_rank`` are missing where the group is not known.
    """
    if "src_in_group" not in columns:
        return columns
    ranks = {
        f"{end}_rank": _ranks(columns["group"], columns[f"{end}_in_group"], groups)
        for end in ("src", "dst")
    }
    return {**columns, **ranks}


def _ranks(group: Any, places: Any, groups: Groups) -> Integral:  # noqa: ANN401 - cells
    ranks_of_run = [
        _rank(groups.get(name, ()), place)
        for name, place in zip(np.asarray(group), pd.array(places), strict=True)
    ]
    return integers(
        np.array([rank or 0 for rank in ranks_of_run], np.int64),
        np.array([rank is None for rank in ranks_of_run], np.bool_),
    )


def _rank(ranks: tuple[int, ...], place: Any) -> int | None:  # noqa: ANN401 - a cell
    if pd.isna(place) or not 0 <= place < len(ranks):
        return None
    return ranks[place]
