"""Updates that the optimizer skipped because a scaled gradient overflowed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

WINDOW = 100
_TOLD = 1000


class SkippedUpdates:
    """Finds them in rows that have an ``overflow``, and adds their rate.

    ``skipped_pct`` is derived: the share of the last `WINDOW` logged steps whose
    overflow is true.

    Parameters
    ----------
    on_skipped
        Called with the step of each; of a training that skips all the time, the
        first thousand.
    notice
        Told when there are more.
    """

    def __init__(
        self, on_skipped: Callable[[int], None], notice: Callable[[str], None]
    ) -> None:
        self._on_skipped = on_skipped
        self._notice = notice
        self._last: deque[bool] = deque(maxlen=WINDOW)
        self._count = 0

    def __call__(self, step: int, values: dict[str, float]) -> None:
        """Add ``skipped_pct`` to the values of a step."""
        if "overflow" not in values:
            return
        skipped = values["overflow"] > 0
        self._last.append(skipped)
        values["skipped_pct"] = 100 * sum(self._last) / len(self._last)
        if skipped:
            self._tell(step)

    def _tell(self, step: int) -> None:
        self._count += 1
        if self._count <= _TOLD:
            self._on_skipped(step)
        elif self._count == _TOLD + 1:
            self._notice(
                f"more than {_TOLD:,} updates were skipped: those from step {step} on "
                "are counted in skipped_pct, not marked"
            )
