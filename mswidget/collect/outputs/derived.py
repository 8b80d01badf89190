"""Values made of tensors, read as late as the tensors are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from mswidget.records.values import BadValueError, to_float

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MAX_VALUES = 65_536
"""Of more values no mean is taken: they are activations, and copying them is slow."""


class Sum:
    """The sum of some values."""

    def __init__(self, terms: Sequence[object]) -> None:
        self._terms = terms

    def asnumpy(self) -> float:
        """Read every term; raises when one of them is no single number."""
        return sum(to_float(term) for term in self._terms)


class Quotient:
    """A value divided by a number."""

    def __init__(self, value: object, divisor: float) -> None:
        self._value = value
        self._divisor = divisor

    def asnumpy(self) -> float:
        """Read it; raises when the value is no single number."""
        return to_float(self._value) / self._divisor


class Element:
    """One value of a vector."""

    def __init__(self, vector: object, index: int) -> None:
        self._vector = vector
        self._index = index

    def asnumpy(self) -> object:
        """Read it."""
        return _array(self._vector)[self._index]


class Mean:
    """The mean of an array's values, whatever its shape, in float64."""

    def __init__(self, array: object) -> None:
        self._array = array

    def asnumpy(self) -> float:
        """Read it.

        Raises
        ------
        BadValueError
            When there are no values, or what they are is no number.
        """
        values = _array(self._array)
        if not values.size:
            raise BadValueError("an array without values")
        try:
            return float(np.mean(values.astype(np.float64)))
        except (TypeError, ValueError) as error:
            message = f"an array of {values.dtype}, not of numbers"
            raise BadValueError(message) from error


def _array(value: object) -> NDArray[Any]:
    return np.asarray(value.asnumpy() if hasattr(value, "asnumpy") else value)


def count_values(value: object) -> int | None:
    """Return how many values an array has, unread; None for what is no array."""
    try:
        shape = getattr(value, "shape", None)
        return math.prod(shape) if shape else None
    except Exception:  # noqa: BLE001 - any object may be given, a broken one too
        return None
