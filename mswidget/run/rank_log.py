"""A rank's file, and what the user has to know of what is written to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mswidget.files.writer import Writer
from mswidget.run.flow import Items
from mswidget.run.notices import Notices
from mswidget.run.worker import TICK_S, WORKER

WAITING = "records wait in memory and are written when possible"
_SHORT_S = 0.02
LATE = "writing takes long; the last records wait in memory"


class RankLog:
    """Writes what was logged; tells once what hinders it, while it does.

    A burst is written a piece a tick, so that it reaches the page meanwhile.

    Parameters
    ----------
    writer
        Of the rank's file.
    notices
        Where troubles are told.
    elsewhere
        Returns why another file of the rank waits; empty when none does.
    on_change
        Called when it is another after the end.
    """

    def __init__(
        self,
        writer: Writer,
        notices: Notices,
        elsewhere: Callable[[], str],
        on_change: Callable[[], None],
    ) -> None:
        self._writer = writer
        self._notices = notices
        self._elsewhere = elsewhere
        self._on_change = on_change
        self._comes = False
        self._is_put_off = False
        self.flush = writer.write

    def take(self, items: Items) -> None:
        """Write items, or begin to: the page goes first."""
        self._comes = bool(items)
        self._writer.write(items, _SHORT_S)
        self._notices.follow(self.troubles())

    def tick(self) -> None:
        """Write what a burst has left, once it is over."""
        if not self._comes or self._writer.is_late:
            self._writer.write(within_s=TICK_S)

    def end(self) -> None:
        """Close the file; the worker writes what is left, and then closes it."""
        self._is_put_off = False
        self._writer.close()
        WORKER.remove(self._write_on)
        if self._writer.is_behind:
            WORKER.add(self._write_on)

    def put_off(self) -> None:
        """Know that the end waits for the worker."""
        self._is_put_off = True
        self._notices.follow(self.troubles())

    def troubles(self) -> Sequence[str]:
        """Return what is lost for ever, and then what hinders the writing now."""
        return [*self._writer.losses, *self._hindrances()]

    def _hindrances(self) -> Iterator[str]:
        for trouble in filter(None, [self._writer.trouble, self._elsewhere()]):
            yield f"{trouble}: {WAITING}"
        if self._is_put_off or (self._writer.is_late and not self._writer.trouble):
            yield f"{self._writer.path}: {LATE}"

    def _write_on(self) -> None:
        self._writer.write(within_s=TICK_S)
        if not self._writer.is_behind:
            WORKER.remove(self._write_on)
        if self._notices.follow(self.troubles()):
            self._on_change()
