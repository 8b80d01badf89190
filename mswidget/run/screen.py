"""What shows a run while it goes on: the widget in a kernel, else lines of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

from mswidget.guard import Guard
from mswidget.records.history import History
from mswidget.run.flow import Flow, Outlet
from mswidget.run.text import TextLines
from mswidget.widget.cell import Cell
from mswidget.widget.protocol import Head
from mswidget.widget.status import LiveStatus
from mswidget.widget.surroundings import in_kernel

if TYPE_CHECKING:
    from mswidget.widget.live import LiveView

Display = bool | Literal["text"]
_POLL_S = 0.02
_WIDGET = "the widget"
_MESSAGES = "handling messages of the page"


class Showable(Protocol):
    """What can be displayed below a cell, such as a profile."""

    def show(self) -> None:
        """Display it."""


class Screen:
    """Shows one run; what fails here is told and off.

    Parameters
    ----------
    history, status
        What is shown: the numbers, and all beside them.
    flow, guard
        Those of the run.
    head
        Returns what the page gets beside the numbers.
    obey
        See `LiveView`.
    on_shown
        Is told in which cell the run is displayed.
    """

    def __init__(
        self,
        history: History,
        status: LiveStatus,
        flow: Flow,
        guard: Guard,
        *,
        head: Callable[[], Head],
        obey: Mapping[str, Callable[[Any], str]],
        on_shown: Callable[[Cell], None],
    ) -> None:
        self._history = history
        self._status = status
        self._flow = flow
        self._guard = guard
        self._head = head
        self._obey = obey
        self._on_shown = on_shown
        self._view: LiveView | None = None
        self._lines: TextLines | None = None
        self._polled_s = 0.0

    @property
    def is_open(self) -> bool:
        """Whether there is a widget that shows the run."""
        return self._view is not None

    def show(self, display: Display, *, first: bool) -> None:
        """Begin to show the run; see `start_run`.

        Parameters
        ----------
        first
            Whether this is rank 0, which alone prints unasked.
        """
        if display is True:
            self.show_curves()
        wanted = display == "text" or (display and first)
        if wanted and self._view is None and self._lines is None:
            name = self._head()["run"]["name"]
            lines = self._lines = TextLines(name, lambda: self._status.status)
            self._flow.add(Outlet("text lines", lines.take, lines.tick, lines.end))

    def show_curves(self) -> None:
        """Display the widget below the running cell, if there is one."""
        self._guard.forgive(_WIDGET)
        self._guard.forgive(_MESSAGES)
        if self._view is None and in_kernel():
            self._view = self._guard(_WIDGET, self._open_view)
        if self._view is not None:
            self._guard(_WIDGET, self._show, self._view)
            self.renew()

    def renew(self) -> None:
        """Show what is new after the end."""
        if self._view is not None and not self._flow.active:
            # The worker is gone: from here on the view answers its page itself.
            self._guard(_WIDGET, self._view.finish)

    def show_once(self) -> None:
        """Display the widget, if there is one, unless the running cell has."""
        if self._view is None or not self._view.is_below_cell:
            self.show_curves()

    def poll(self) -> None:
        """Handle the page's messages."""
        if self._view is not None:
            self._guard(_MESSAGES, self._view.poll)
            heard = self._view.controls and not self._guard.has_failed(_MESSAGES)
            if heard != self._status.status["controls"]:
                # The page says so, and what works instead.
                self._status.change({"controls": heard})

    def poll_in_time(self, now_s: float) -> None:
        """Handle the page's messages if that was not done just now."""
        if now_s - self._polled_s > _POLL_S:
            self._polled_s = now_s
            self.poll()

    def close(self) -> None:
        """Take the widget away."""
        if self._view is not None:
            self._guard(_WIDGET, self._view.close)
            self._view = None

    def _show(self, view: LiveView) -> None:
        view.show()
        if view.cell.ident:
            self._on_shown(view.cell)

    def _open_view(self) -> LiveView:
        # A rank's script never pays for IPython and anywidget.
        from mswidget.widget.live import LiveView  # noqa: PLC0415

        history = self._history
        view = LiveView(lambda: {"": history}, self._head, self._obey)
        self._flow.add(Outlet(_WIDGET, tick=view.tick, end=view.finish))
        self._status.change({"controls": view.controls})
        return view
