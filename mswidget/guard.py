"""Parts of mswidget, run so that their errors never reach the training."""

from __future__ import annotations

import contextlib
import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

LOG = logging.getLogger("mswidget")
P = ParamSpec("P")
T = TypeVar("T")


TRIES = 3
"""So often in a row a part may fail."""
_PAUSES_S = (1.0, 10.0)
_OFF_S = math.inf


@dataclass
class _Failures:
    """How often a part has failed in a row, and when it is tried again."""

    count: int = 0
    again_s: float = 0.0
    said: str = ""

    def add(self) -> None:
        self.count += 1
        paused = self.count < TRIES
        pause_s = _PAUSES_S[self.count - 1] if paused else _OFF_S
        self.again_s = time.monotonic() + pause_s


class Guard:
    """Calls parts; one that raises is left alone for a while and then tried again.

    After `TRIES` failures in a row it is off.

    Parameters
    ----------
    report
        Is given one sentence for the user when a part first fails, and when it is off.
    withdraw
        Is given that a part is off when it no longer is.
    """

    def __init__(
        self,
        report: Callable[[str], None],
        withdraw: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._report = report
        self._withdraw = withdraw
        self._failures: dict[str, _Failures] = {}

    def __call__(
        self, part: str, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T | None:
        """Return what ``call`` returns, None when the part has failed.

        ``KeyboardInterrupt`` and ``SystemExit`` pass: they are not ours to keep.
        """
        failures = self._failures.get(part)
        if failures is not None and time.monotonic() < failures.again_s:
            return None
        try:
            result = call(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - this is the place that catches all
            self._fail(part, error)
            return None
        if failures is not None:
            self.forgive(part)
        return result

    def has_failed(self, part: str) -> bool:
        """Say whether a part failed when it was last called."""
        return part in self._failures

    def is_off(self, part: str) -> bool:
        """Say whether a part has failed too often, or beyond repair."""
        failures = self._failures.get(part)
        return failures is not None and failures.again_s == _OFF_S

    def forgive(self, part: str) -> None:
        """Forget that a part has failed: somebody wants it tried again."""
        failures = self._failures.pop(part, None)
        if failures is not None and failures.said:
            self._withdraw(failures.said)

    def turn_off(self, part: str, error: Exception) -> None:
        """Report a part that has failed and cannot be tried again."""
        self._failures[part] = _Failures(TRIES, _OFF_S)
        self._report(_said(f"{part} failed and is off for the rest of this run", error))

    def _fail(self, part: str, error: Exception) -> None:
        failures = self._failures.setdefault(part, _Failures())
        failures.add()
        if self.is_off(part):
            often = f"failed {TRIES} times in a row and is off for the rest of this run"
            failures.said = _said(f"{part} {often}", error)
            self._report(failures.said)
        elif failures.count == 1:
            self._report(_said(f"{part} failed", error))


def _said(what: str, error: Exception) -> str:
    return f"{what}; the training goes on ({type(error).__name__}: {error})"


def tell(text: str) -> None:
    """Warn the user through ``logging``.

    Not by ``warnings``: a filter may turn those into exceptions. A user's logging
    handler may raise as well.
    """
    with contextlib.suppress(Exception):
        LOG.warning(text)
