"""Round numbers along an axis, written in one notation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

_ROUND = (1.0, 2.0, 5.0, 10.0, 20.0)
_SMALL, _LARGE = 1e-3, 1e7
_NEAR = 1e-9
_DIGITS = 17


def ticks(low: float, high: float, most: int, *, whole: bool = False) -> list[float]:
    """Return round numbers from ``low`` to ``high``, rising.

    Parameters
    ----------
    low, high
        Finite. They are returned where no two round numbers are between them.
    most
        At most so many; at least 2.
    whole
        Of whole numbers only, such as steps; then one is enough.
    """
    ends, least = sorted({low, high}), 1 if whole else 2
    share = high / most - low / most
    if not share:
        return ends
    power = 10.0 ** math.floor(math.log10(share))
    steps = (times * power for times in _ROUND)
    for step in [max(step, 1.0) if whole else step for step in steps if step]:
        first, last = math.ceil(low / step - _NEAR), math.floor(high / step + _NEAR)
        between = [n * step for n in range(first, min(last, first + most) + 1)]
        if least <= len({*between}) <= most:
            return between
    return ends


def written(numbers: Sequence[float]) -> list[str]:
    """Return how the numbers of one axis are written: alike, and no two the same."""
    size = max(map(abs, numbers), default=0.0)
    apart = min((b - a for a, b in pairwise(numbers)), default=0)
    room = min(apart, size) / 20 or size * 5e-4
    write = _fixed if not size or _SMALL <= size < _LARGE else _with_power
    for digits in range(_DIGITS):
        texts = [write(number, digits) for number in numbers]
        if all(
            abs(float(text.replace(",", "")) - number) <= room
            for text, number in zip(texts, numbers, strict=True)
        ):
            break
    return texts


def _fixed(number: float, digits: int) -> str:
    return f"{number:,.{digits}f}"


def _with_power(number: float, digits: int) -> str:
    if not number:
        return "0"
    front, _, power = f"{number:.{digits}e}".partition("e")
    return f"{front}e{int(power)}"
