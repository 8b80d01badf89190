"""A rank's file, and what the user has to know of what is written to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mswidget.files.writer import Writer
from mswidget.run.flow import Items
from mswidget.run.notices import Notices

WAITING = "records wait in memory and are written when possible"


class RankLog:
    """Writes what was logged; tells once what hinders it, while it does.

    Parameters
    ----------
    writer
        Of the rank's file.
    notices
        Where troubles are told.
    elsewhere
        Returns why another file of the rank waits; empty when none does.
    """

    def __init__(
        self, writer: Writer, notices: Notices, elsewhere: Callable[[], str]
    ) -> None:
        self._writer = writer
        self._notices = notices
        self._elsewhere = elsewhere
        self.close = writer.close

    def take(self, items: Items) -> None:
        """Write items."""
        self._writer.write(items)
        self._notices.follow(self.troubles())

    def troubles(self) -> Sequence[str]:
        """Return what is lost for ever, and then what hinders the writing now."""
        now = filter(None, [self._writer.trouble, self._elsewhere()])
        return [*self._writer.losses, *(f"{trouble}: {WAITING}" for trouble in now)]
