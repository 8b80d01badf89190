"""Norms of groups of parameters, from one tensor that is read once for them all."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from mindspore import Tensor

Norms = dict[str, "GroupNorm"]


def group_norms(squares: Tensor, groups: Mapping[str, Sequence[int]]) -> Norms:
    """Return each group's norm, unread.

    Parameters
    ----------
    squares
        The square of each parameter's norm, shape (n,).
    groups
        Names of groups to the indices of their parameters.
    """
    shared = _Shared(squares)
    return {name: GroupNorm(shared, indices) for name, indices in groups.items()}


class GroupNorm:
    """The norm of one group; read as a tensor is."""

    def __init__(self, squares: _Shared, indices: Sequence[int]) -> None:
        self._squares = squares
        self._indices = indices

    def asnumpy(self) -> float:
        """Read it."""
        squares = self._squares.read(self)
        return math.sqrt(sum(squares[index] for index in self._indices))


class _Shared:
    """Reads a tensor once for all that want it, and anew for who wants it again.

    Reading late is checked against reading at once, which this must not hide.
    """

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor
        self._values: list[float] = []
        self._readers: set[object] = set()

    def read(self, reader: object) -> list[float]:
        values = self._values
        if not values or reader in self._readers:
            values = self._values = self._tensor.asnumpy().tolist()
            self._readers = set()
        self._readers.add(reader)
        return values
