"""A rule about steps that do not come."""

from __future__ import annotations

STALL = "stall"
LEAST_S = 60.0
"""A shorter pause is no alert, however short the steps are."""
TIMES = 3.0
"""A step that takes so many times as long as usual may hang."""


def is_stalled(silent_s: float, usual_step_s: float | None, before: int = 0) -> bool:
    """Say whether a step that should come has not come for too long.

    That is twice as long for each time ``before``: what comes and goes is a habit.
    """
    if usual_step_s is None:  # nobody knows how long one takes: the first compiles
        return False
    return silent_s > max(LEAST_S, TIMES * usual_step_s) * 2.0**before
