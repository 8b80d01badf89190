"""How many messages the kernel may send: one budget for all monitors."""

from __future__ import annotations

import time
from collections import deque

PER_MONITOR_S = 10
IN_ALL_S = 100
MESSAGE_BYTES = 100_000
KEPT_BYTES = 98_000
"""What a page made late starts from comes in parts of so many bytes."""
SNAPSHOT_BYTES = 3 * KEPT_BYTES


class Budget:
    """At most so many messages in any second.

    Jupyter drops widget messages without a word above 1,000 a second, and has no
    back-pressure, so the sender has to hold itself back.
    """

    def __init__(self, messages_per_s: int, parent: Budget | None = None) -> None:
        self._sent_s: deque[float] = deque(maxlen=messages_per_s)
        self._parent = parent

    def take(self, now_s: float | None = None) -> bool:
        """Take one message out of the budget; False when none is left."""
        now = time.monotonic() if now_s is None else now_s
        if not self.has_room(now):
            return False
        self._sent_s.append(now)
        if self._parent:
            self._parent._sent_s.append(now)  # noqa: SLF001
        return True

    def has_room(self, now_s: float) -> bool:
        """Say whether a message is left."""
        return not (self._full(now_s) or (self._parent and self._parent._full(now_s)))  # noqa: SLF001

    def _full(self, now_s: float) -> bool:
        sent = self._sent_s
        return len(sent) == sent.maxlen and now_s - sent[0] < 1


ALL = Budget(IN_ALL_S)
