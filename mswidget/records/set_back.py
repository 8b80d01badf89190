"""Where the clock of a file's writer was set back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mswidget.records.history import History

# Threads that log at once may do so in another order.
_LEAST_S = 1.0


class SetBack:
    """Looks for it in a history that grows, once at each row."""

    def __init__(self) -> None:
        self._latest_s = -np.inf
        self._looked_at = 0
        self._notes: list[str] = []

    def look(self, history: History) -> Sequence[str]:
        """Return what to know of it, with the first place; nothing when all is well."""
        rows = history.rows(self._looked_at, names=())
        if not self._notes and len(rows.steps):
            latest_s = np.maximum.accumulate([self._latest_s, *rows.wall_times_s])
            back_s = latest_s[:-1] - rows.wall_times_s
            if (at := int(np.argmax(back_s > _LEAST_S))) or back_s[0] > _LEAST_S:
                self._notes.append(_note(back_s[at], rows.steps[at]))
            self._latest_s = latest_s[-1]
        self._looked_at = rows.stop
        return self._notes


def _note(back_s: float, step: float) -> str:
    return (
        f"the clock was set back by {back_s:,.0f} s at step {step:.0f}: the time since "
        "start stands still from there until it has caught up"
    )
