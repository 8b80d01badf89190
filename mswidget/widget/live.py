"""One run in the notebook: the live widget and the picture that stays after it."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import HTML, DisplayHandle, display

from mswidget.files.stop_request import StopError
from mswidget.guard import tell
from mswidget.records.history import History
from mswidget.widget.cell import NOWHERE, Cell
from mswidget.widget.page_request import RefusedError, id_of, request_of
from mswidget.widget.picture import picture
from mswidget.widget.poller import Poller
from mswidget.widget.protocol import Ack, AskHead, AskView, Head, Up
from mswidget.widget.training_widget import MODEL_IDS, TrainingWidget
from mswidget.widget.transport import Transport

PICTURES_S = (2.0, 5.0, 10.0, 20.0)
"""So long after the begin a picture is renewed, and then after each of the last."""
_PICTURE_SHARE = 20
_AGAIN_S = 0.1
_HEARING_S = 4.0


class LiveView:
    """Shows one run below the running cell.

    Parameters
    ----------
    histories
        Returns the numbers that are shown, by track; the thread that calls `tick`
        writes them.
    head
        Returns all that is not numbers.
    obey
        Does what a page asks, by the kind of its message; returns what to tell the
        user, or raises `StopError` or `RefusedError`. Between two steps of a training
        it must only note things down. Views are answered without it.
    """

    def __init__(
        self,
        histories: Callable[[], Mapping[str, History]],
        head: Callable[[], Head],
        obey: Mapping[str, Callable[[Any], str]],
    ) -> None:
        self._histories = histories
        self._head = head
        self._obey = obey
        self._poller = _make_poller()
        self._widget = TrainingWidget(head(), self._handle)
        self._transport = Transport(histories, self._widget, head)
        self._loop = _loop()
        self._polls = self._is_asked_to_hear = False
        self._next_hearing_s = 0.0
        self._handle_of_picture: DisplayHandle | None = None
        self._shown_s = self._next_picture_s = 0.0
        self._live = False
        self.cell = NOWHERE
        """Where it was displayed last."""

    @property
    def controls(self) -> bool:
        """Whether the page's buttons are heard while a cell runs."""
        return self._poller is not None

    @property
    def is_below_cell(self) -> bool:
        """Whether the running cell has displayed it."""
        return self.cell == _running_cell()

    def show(self, beneath: str = "") -> None:
        """Display the widget and, after it, the picture and some safe HTML."""
        self._live = True
        self.cell = _running_cell()
        display(self._widget)
        self._shown_s = time.monotonic()
        self._handle_of_picture = display(self._picture(), raw=True, display_id=True)
        self._next_picture_s = self._shown_s + PICTURES_S[0]
        if beneath:
            display(HTML(beneath))

    def poll(self) -> None:
        """Handle the page's messages; for the main thread, between steps."""
        if self._poller is not None:
            self._polls = True
            try:
                self._poller()
            finally:
                self._polls = False
            self._transport.hear()

    def tick(self) -> None:
        """Send what is new."""
        self._transport.tick()
        self._ask_to_hear()
        if time.monotonic() >= self._next_picture_s:
            self._renew_picture()

    def finish(self) -> None:
        """Send everything and leave the last picture."""
        self._live = False
        if self._transport.finish():
            self._go_on()
        self._renew_picture()

    def close(self) -> None:
        """Take the widget away; the picture stays."""
        self._live = False
        self._widget.close()

    def _handle(self, content: object) -> None:
        """Answer what a page asks; never raises, whatever that is or does."""
        try:
            text = self._answer(request_of(content))
        except (RefusedError, StopError) as error:
            self._ack(id_of(content), str(error), ok=False)
        except Exception as error:  # noqa: BLE001 - the next request may be a good one
            failed = f"failed ({type(error).__name__}: {error})"
            tell(f"a request of the page {failed}")
            self._ack(id_of(content), failed, ok=False)
        else:
            if text is not None:
                self._ack(id_of(content), text, ok=True)

    def _answer(self, request: Up) -> str | None:
        """Do what is asked; returns what to acknowledge it with."""
        if request["kind"] in ("ask_view", "ask_head"):
            self._look(request)
            return None
        obey = self._obey.get(request["kind"])
        if obey is None:
            raise RefusedError("there is nothing here that could do that")
        text = obey(request)
        # Of a live run the worker tells what has changed.
        if not self._live and self._transport.finish():
            self._go_on()
        return text

    def _look(self, request: AskView | AskHead) -> None:
        if request["kind"] == "ask_view":
            self._transport.ask(request)
        else:
            self._transport.tell_again()
        # Between two steps of a training there is no time: the worker answers.
        if not (self._live and self._polls) and self._transport.answer():
            self._go_on()

    def _go_on(self) -> None:
        """Send more as soon as the budget allows it; of a live run the worker does."""
        if not self._live and self._loop is not None:
            self._loop.call_later(_AGAIN_S, _weakly(self._answer_more))

    def _answer_more(self) -> None:
        if self._transport.answer():
            self._go_on()

    def _ask_to_hear(self) -> None:
        """Have the kernel say when it is free: then it takes the pages' messages."""
        if self._loop is None or self._is_asked_to_hear:
            return
        if time.monotonic() >= self._next_hearing_s:
            self._is_asked_to_hear = True
            self._next_hearing_s = time.monotonic() + _HEARING_S
            self._loop.add_callback(_weakly(self._hear))

    def _hear(self) -> None:
        self._is_asked_to_hear = False
        self._transport.hear()

    def _ack(self, ident: str, text: str, *, ok: bool) -> None:
        ack: Ack = {"kind": "ack", "id": ident, "ok": ok, "text": text}
        self._widget.send(ack)

    def _picture(self) -> dict[str, str]:
        return picture(self._histories(), self._head(), self._widget.companion)

    def _renew_picture(self) -> None:
        if self._handle_of_picture is not None:
            began_s = time.monotonic()
            self._handle_of_picture.update(self._picture(), raw=True)
            now_s = time.monotonic()
            # One of very many values takes its time: it may not take all.
            pause_s = _PICTURE_SHARE * (now_s - began_s)
            self._next_picture_s = max(
                next_picture_s(self._shown_s, now_s), now_s + pause_s
            )


def next_picture_s(shown_s: float, now_s: float) -> float:
    """Return when the picture is renewed next: soon, at first.

    Who saves a notebook early gets no picture of its first moment for ever.
    """
    soon = (after_s for after_s in PICTURES_S if shown_s + after_s > now_s)
    return shown_s + next(soon, now_s - shown_s + PICTURES_S[-1])


def _running_cell() -> Cell:
    shell = get_ipython()
    # JupyterLab and VS Code say which cell it is that they want run.
    kernel = getattr(shell, "kernel", None)
    asked = kernel.get_parent("shell") if kernel else {}
    ident = asked.get("metadata", {}).get("cellId", "")
    return Cell(str(ident), int(shell.execution_count))


def _weakly(method: Callable[[], None]) -> Callable[[], None]:
    """Return a call of a method that does not keep its object."""
    held = weakref.WeakMethod(method)

    def call() -> None:
        alive = held()
        if alive is not None:
            alive()

    return call


def _loop() -> Any:  # noqa: ANN401 - ipykernel is untyped
    """Return the loop in which this kernel takes messages; None without one."""
    return getattr(getattr(get_ipython(), "kernel", None), "io_loop", None)


def _make_poller() -> Poller | None:
    try:
        return Poller(get_ipython().kernel, MODEL_IDS.__contains__)
    except Exception:  # noqa: BLE001 - another ipykernel: the page says so
        return None
