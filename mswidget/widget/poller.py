"""The page's messages, handled while a cell keeps the kernel busy.

Jupyter's kernel reads its shell socket only between cells. This reads it between
training steps: what our widgets are told, and what a reloaded page asks, is handled
at once; all else is handed back, in order, to be handled after the cell as if nobody
had looked. A user's own slider must not run its callback in the middle of a step.

It uses private parts of ipykernel, seen to work in 6.31, 7.3 and 7.4; where they
are missing, making a `Poller` raises and the page says that its controls are off.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import zmq

from mswidget.guard import tell

# What a reloaded page asks before any widget shows, and then of each widget.
_QUESTIONS = frozenset(("kernel_info_request", "comm_info_request"))
_STATE_METHODS = frozenset(("request_state", "request_states"))
_CONTROL = "jupyter.widget.control"
_CONTENT = 4  # of a message's frames: signature, header, parent, metadata, content


class Poller:
    """Handles what waits on a kernel's shell socket. Call it in the main thread.

    Parameters
    ----------
    kernel
        The running ``IPythonKernel``.
    ours
        Says whether a comm id is that of one of our widgets.

    Raises
    ------
    AttributeError
        When this ipykernel is built differently.
    """

    def __init__(
        self,
        kernel: Any,  # noqa: ANN401 - ipykernel is untyped
        ours: Callable[[str], bool],
    ) -> None:
        self._kernel = kernel
        self._ours = ours
        manager = getattr(
            getattr(kernel, "shell_channel_thread", None), "manager", None
        )
        if manager is None:
            self._stream = self._reply_to = kernel.shell_stream
            self._socket = kernel.shell_stream.socket
        else:
            # ipykernel 7 reads the real socket in a thread and passes all that is
            # for the main shell through a pair of sockets.
            pair = manager.get_shell_channel_to_subshell_pair(None)
            self._stream, self._socket = pair.to_stream, pair.to_socket
            self._reply_to = manager.get_subshell_to_shell_channel_socket(None)
        self._is_6 = manager is None
        self._receive = self._stream._recv_callback  # noqa: SLF001
        self._main = threading.main_thread().ident
        # Fail here, not between steps.
        _ = (kernel.shell_handlers, kernel._parent_ident, kernel._publish_status)  # noqa: SLF001

    def __call__(self) -> None:
        """Handle what waits; costs about two microseconds when nothing does."""
        if threading.get_ident() != self._main:
            return
        held = []
        try:
            while self._socket.get(zmq.EVENTS) & zmq.POLLIN:
                frames = self._socket.recv_multipart(zmq.NOBLOCK, copy=False)
                taken = take(self._kernel.session, frames, self._ours)
                if taken is None:
                    held.append(frames)
                else:
                    self._handle(*taken)
        finally:
            for frames in held:
                self._hand_back(frames)

    def _handle(self, idents: list[bytes], message: dict[str, Any]) -> None:
        kernel = self._kernel
        parent = kernel.get_parent("shell")
        parent_ident = kernel._parent_ident["shell"]  # noqa: SLF001
        kernel.set_parent(idents, message, channel="shell")
        kernel._publish_status("busy", "shell")  # noqa: SLF001
        try:
            handler = kernel.shell_handlers[message["header"]["msg_type"]]
            _finish(handler(self._reply_to, idents, message))
            if self._is_6:
                self._stream.flush(zmq.POLLOUT)
        except Exception as error:  # noqa: BLE001 - as the kernel does between cells
            tell(f"a message of the page failed ({type(error).__name__}: {error})")
        finally:
            # The page holds back its next trait until it hears idle...
            kernel._publish_status("idle", "shell")  # noqa: SLF001
            kernel.set_parent(parent_ident, parent, channel="shell")
            # ...but the cell still runs.
            kernel._publish_status("busy", "shell")  # noqa: SLF001

    def _hand_back(self, frames: list[Any]) -> None:
        """Put a message where it stands when the cell ends.

        After an error ipykernel aborts what is queued. Version 6 closes its queue
        within the cell, so the message has to be in it by then; version 7 does so
        through the socket, which the event loop reads after its callbacks.
        """
        if self._is_6:
            self._receive(frames)
        else:
            self._stream.io_loop.add_callback(self._receive_later, frames)

    def _receive_later(self, frames: list[Any]) -> None:
        received = self._receive(frames)
        if asyncio.iscoroutine(received):
            asyncio.ensure_future(received)  # noqa: RUF006 - the loop keeps it


def take(
    session: Any,  # noqa: ANN401 - jupyter_client's own types are no help
    frames: list[Any],
    ours: Callable[[str], bool],
) -> tuple[list[bytes], dict[str, Any]] | None:
    """Return a message that is for us, and whom it is from; None for any other.

    Never raises, and leaves no trace of what is not for us: that is handed back, and
    it is for the kernel to say what is wrong with it.
    """
    try:
        idents, rest = session.feed_identities(frames, copy=False)
        signature = rest[0].bytes
        seen = signature in session.digest_history
        header = session.unpack(rest[1].bytes)
        if not _is_for_us(header, session.unpack(rest[_CONTENT].bytes), ours):
            return None
    except Exception:  # noqa: BLE001 - whatever frames may hold
        return None
    try:
        return idents, session.deserialize(rest, content=True, copy=False)
    except Exception:  # noqa: BLE001 - a wrong signature, other frames that are broken
        if not seen:  # else the kernel would take a wrong signature for a used one
            session.digest_history.discard(signature)
        return None


def _is_for_us(header: object, content: object, ours: Callable[[str], bool]) -> bool:
    if not isinstance(header, dict) or not isinstance(content, dict):
        return False
    kind, comm = header.get("msg_type"), content.get("comm_id")
    if kind in _QUESTIONS:
        return True
    if not isinstance(comm, str):
        return False
    if kind == "comm_open":
        return bool(content.get("target_name") == _CONTROL)
    data = content.get("data")
    if kind != "comm_msg" or not isinstance(data, dict):
        return False
    method = data.get("method")
    return method in _STATE_METHODS or (method == "custom" and ours(comm))


def _finish(result: Any) -> None:  # noqa: ANN401
    """Run a handler that is a coroutine by type only: these never wait."""
    if asyncio.iscoroutine(result):
        try:
            while True:
                result.send(None)
        except StopIteration:
            pass
