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
                idents, rest = self._kernel.session.feed_identities(frames, copy=False)
                if self._is_for_us(rest):
                    self._handle(idents, rest)
                else:
                    held.append(frames)
        finally:
            for frames in held:
                self._hand_back(frames)

    def _is_for_us(self, rest: list[Any]) -> bool:
        # A message deserialized here could not be handed back: its signature would
        # count as used. So its frames are unpacked one by one.
        unpack = self._kernel.session.unpack
        kind = unpack(rest[1].bytes).get("msg_type")
        if kind in _QUESTIONS:
            return True
        if kind not in ("comm_open", "comm_msg"):
            return False
        content = unpack(rest[_CONTENT].bytes)
        if kind == "comm_open":
            return bool(content.get("target_name") == _CONTROL)
        method = content.get("data", {}).get("method")
        return method in _STATE_METHODS or self._ours(content.get("comm_id", ""))

    def _handle(self, idents: list[bytes], rest: list[Any]) -> None:
        kernel = self._kernel
        message = kernel.session.deserialize(rest, content=True, copy=False)
        parent = kernel.get_parent("shell")
        parent_ident = kernel._parent_ident["shell"]  # noqa: SLF001
        kernel.set_parent(idents, message, channel="shell")
        kernel._publish_status("busy", "shell")  # noqa: SLF001
        try:
            handler = kernel.shell_handlers[message["header"]["msg_type"]]
            _finish(handler(self._reply_to, idents, message))
            if self._is_6:
                self._stream.flush(zmq.POLLOUT)
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


def _finish(result: Any) -> None:  # noqa: ANN401
    """Run a handler that is a coroutine by type only: these never wait."""
    if asyncio.iscoroutine(result):
        try:
            while True:
                result.send(None)
        except StopIteration:
            pass
