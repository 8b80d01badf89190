"""After how many seconds without news which silence is told of."""

from __future__ import annotations

RANK_S = 60.0
"""A rank logs at each step: one that has not ended and logs nothing may hang."""
LOST_S = 3600.0
"""No evaluation takes so long: the run has ended without saying so, as when killed."""
STEP_TIMES = 3.0
"""A step that takes so many times as long as usual may hang."""
STEP_S = 5.0
"""A shorter pause is no news, however short the steps are."""
KERNEL_S = 10.0
"""A kernel is heard each second while it runs: the page has lost it, or it hangs."""
