"""One run in the notebook: the live widget and the picture that stays after it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import HTML, DisplayHandle, display

from mswidget.files.stop_request import StopError
from mswidget.records.history import History
from mswidget.widget.picture import picture_html
from mswidget.widget.poller import Poller
from mswidget.widget.protocol import Ack, Head
from mswidget.widget.training_widget import MODEL_IDS, TrainingWidget
from mswidget.widget.transport import Transport

PICTURE_S = 20.0


class LiveView:
    """Shows one run below the running cell.

    Parameters
    ----------
    history
        The numbers; written by the thread that calls `tick`.
    head
        Returns all that is not numbers.
    on_stop
        Asks the training to end; returns what to tell the user, or raises `StopError`.
        None where nothing can be ended.
    on_tracks
        Takes the tracks that the page wants to see; None where there are none.
    pictured
        What the picture shows that stays; ``history`` by default.
    """

    def __init__(
        self,
        history: History,
        head: Callable[[], Head],
        on_stop: Callable[[], str] | None,
        on_tracks: Callable[[Sequence[str]], None] | None = None,
        pictured: Callable[[], History] | None = None,
    ) -> None:
        self._pictured = pictured or (lambda: history)
        self._on_tracks = on_tracks
        self._head = head
        self._on_stop = on_stop
        self._poller = _make_poller()
        self._widget = TrainingWidget(head(), self._handle)
        self._transport = Transport(history, self._widget, head)
        self._handle_of_picture: DisplayHandle | None = None
        self._next_picture_s = 0.0
        self._live = False
        self._cell = 0

    @property
    def controls(self) -> bool:
        """Whether the page's buttons are heard while a cell runs."""
        return self._poller is not None

    @property
    def is_below_cell(self) -> bool:
        """Whether the running cell has displayed it."""
        return self._cell == _running_cell()

    def show(self, beneath: str = "") -> None:
        """Display the widget and, after it, the picture and some safe HTML."""
        self._live = True
        self._cell = _running_cell()
        display(self._widget)
        self._handle_of_picture = display(self._picture(), display_id=True)
        self._next_picture_s = time.monotonic() + PICTURE_S
        if beneath:
            display(HTML(beneath))

    def poll(self) -> None:
        """Handle the page's messages; for the main thread, between steps."""
        if self._poller is not None:
            self._poller()

    def tick(self) -> None:
        """Send what is new."""
        self._transport.tick()
        if time.monotonic() >= self._next_picture_s:
            self._renew_picture()

    def finish(self) -> None:
        """Send everything and leave the last picture."""
        self._live = False
        self._transport.finish()
        self._renew_picture()

    def _handle(self, command: dict[str, Any]) -> None:
        """Take one command of the page (``protocol.Up``)."""
        kind, ident = command.get("kind"), str(command.get("id", ""))
        if kind == "ask_rows":
            # While a training runs this is its thread: the worker answers.
            self._transport.ask(command, later=self._live)  # type: ignore[arg-type]
        elif kind == "ask_stop" and self._on_stop is not None:
            self._ack_stop(ident, self._on_stop)
        elif kind == "ask_tracks" and self._on_tracks is not None:
            self._on_tracks(command.get("shown", []))
            if not self._live:
                self._transport.finish()
            self._ack(ident, "", ok=True)
        else:
            self._ack(ident, f"unknown command {kind!r}", ok=False)

    def _ack_stop(self, ident: str, stop: Callable[[], str]) -> None:
        try:
            self._ack(ident, stop(), ok=True)
        except StopError as error:
            self._ack(ident, str(error), ok=False)

    def _ack(self, ident: str, text: str, *, ok: bool) -> None:
        ack: Ack = {"kind": "ack", "id": ident, "ok": ok, "text": text}
        self._widget.send(ack)

    def _picture(self) -> HTML:
        return HTML(
            picture_html(self._pictured(), self._head(), self._widget.companion)
        )

    def _renew_picture(self) -> None:
        self._next_picture_s = time.monotonic() + PICTURE_S
        if self._handle_of_picture is not None:
            self._handle_of_picture.update(self._picture())


def _running_cell() -> int:
    number: int = get_ipython().execution_count
    return number


def _make_poller() -> Poller | None:
    try:
        return Poller(get_ipython().kernel, MODEL_IDS.__contains__)
    except Exception:  # noqa: BLE001 - another ipykernel: the page says so
        return None
