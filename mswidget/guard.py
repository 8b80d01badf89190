"""Parts of mswidget, run so that their errors never reach the training."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

LOG = logging.getLogger("mswidget")
P = ParamSpec("P")
T = TypeVar("T")


class Guard:
    """Calls parts; one that raises is reported once and not called again.

    Parameters
    ----------
    report
        Is given one sentence for the user, once for each part.
    """

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._failed: set[str] = set()

    def __call__(
        self, part: str, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T | None:
        """Return what ``call`` returns, None when the part has failed.

        ``KeyboardInterrupt`` and ``SystemExit`` pass: they are not ours to keep.
        """
        if part in self._failed:
            return None
        try:
            return call(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - this is the place that catches all
            self.fail(part, error)
            return None

    def fail(self, part: str, error: Exception) -> None:
        """Report a part, and call it no more."""
        self._failed.add(part)
        self._report(
            f"{part} failed and is off for the rest of this run; the training "
            f"goes on ({type(error).__name__}: {error})"
        )


def tell(text: str) -> None:
    """Warn the user through ``logging``.

    Not by ``warnings``: a filter may turn those into exceptions. A user's logging
    handler may raise as well.
    """
    with contextlib.suppress(Exception):
        LOG.warning(text)
