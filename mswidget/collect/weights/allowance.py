"""How much of the time may be taken."""

from __future__ import annotations

import math


class Allowance:
    """Lets what is done now and then take a share of the time, and no more.

    Parameters
    ----------
    share
        Above 0; with 1 there is no limit.
    """

    def __init__(self, share: float) -> None:
        self._times_more = 1 / share - 1
        self._next_s = -math.inf

    def spend(self, spent_s: float, now_s: float) -> None:
        """Note what it has just taken."""
        self._next_s = now_s + self._times_more * spent_s

    def allows(self, now_s: float) -> bool:
        """Say whether it may be done again."""
        return now_s >= self._next_s
