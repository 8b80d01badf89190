"""At which steps parameters are watched."""

from __future__ import annotations


class Turns:
    """Tells whose turn it is: the first step's, then one in ``interval`` steps.

    Parameters
    ----------
    interval
        Is rounded up to a multiple of ``log_interval``: what is not logged has no turn.
    log_interval
        Of so many steps one is logged.
    before
        The last step before these.
    """

    def __init__(self, interval: int, log_interval: int, before: int) -> None:
        self._interval = interval
        self.log_interval = log_interval
        """It may change; the turn that is next may then be missed."""
        self._next = _after(before, log_interval)

    def is_due(self, step: int) -> bool:
        """Say whether it is the turn of a step that begins.

        In a data sink on an Ascend it is when a turn lies among the steps that end
        with it.
        """
        if step < self._next:
            return False
        rounded = -(-self._interval // self.log_interval) * self.log_interval
        self._next = _after(step, rounded)
        return True


def _after(step: int, interval: int) -> int:
    return (step // interval + 1) * interval
