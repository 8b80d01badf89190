"""Hears of SIGTERM even while the main thread hangs in C."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Callable


class Wakeup:
    """Calls listeners in another thread at each SIGTERM.

    Python handlers run in the main thread only; its C part writes each signal's
    number to the wake-up file descriptor at once.
    """

    def __init__(self) -> None:
        self._listeners: list[Callable[[], None]] = []
        self._reader, self._writer = socket.socketpair()
        # Whatever the default of `socket` is: that is the user's.
        self._reader.settimeout(None)
        self._writer.settimeout(0)
        self._earlier = signal.set_wakeup_fd(
            self._writer.fileno(), warn_on_full_buffer=False
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def fileno(self) -> int:
        """Return the end that is read: a number stays there until all have heard."""
        return self._reader.fileno()

    def add(self, listener: Callable[[], None]) -> None:
        """Call a listener from now on."""
        self._listeners.append(listener)

    def remove(self, listener: Callable[[], None]) -> None:
        """Call a listener no longer; after the last, end.

        The last is still called for the signals that came before.
        """
        if len(self._listeners) > 1:
            self._listeners.remove(listener)
        else:
            self._close()

    def _close(self) -> None:
        """Give the file descriptor back to who had it."""
        ours = self._writer.fileno()
        current = signal.set_wakeup_fd(-1)
        with contextlib.suppress(ValueError, OSError):  # closed meanwhile
            signal.set_wakeup_fd(self._earlier if current == ours else current)
        # Forked children may hold the other end open: closing alone is no end for them.
        self._writer.shutdown(socket.SHUT_WR)
        self._writer.close()

    def _listen(self) -> None:
        with self._reader:
            while numbers := self._reader.recv(64, socket.MSG_PEEK):
                if self._earlier >= 0:
                    with contextlib.suppress(OSError):
                        os.write(self._earlier, numbers)
                if signal.SIGTERM in numbers:
                    for listener in [*self._listeners]:
                        listener()
                self._reader.recv(len(numbers))
