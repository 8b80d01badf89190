"""A program that ends the process that started it, when that hangs since SIGTERM.

While a main thread hangs in C with the interpreter's lock held, no Python runs in its
process; only another process can end it. Nothing else of mswidget is imported here.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys

TICK_S = 0.5
TOLD, BUSY, IDLE = b"tbi"
"""What the process says: told to end and at work on it; excused while busy; or not."""
_SPOKEN = 0


class Unresponsive:
    """For how long a process that was told to end has not run any Python.

    Parameters
    ----------
    patience_s
        How long it may be silent.
    """

    def __init__(self, patience_s: float) -> None:
        self._patience_s = patience_s
        self._told = self._busy = False
        self._silent_s = 0.0

    def hear(self, said: bytes) -> None:
        """Take what the process says: it runs."""
        self._silent_s = 0.0
        self._told = self._told or TOLD in said
        for word in said:
            if word in (BUSY, IDLE):
                self._busy = word == BUSY

    def tick(self, unread: bytes) -> None:
        """Take that it said nothing for a tick, and the signals it has not read.

        Ticks are counted, as a clock runs on while a container is paused.
        """
        self._told = self._told or signal.SIGTERM in unread
        self._silent_s += TICK_S if self._told else 0

    def is_hang(self, *, given_up: bool) -> bool:
        """Say whether to end the process, which nobody may want any more."""
        excused = self._busy and not given_up
        return self._silent_s >= self._patience_s and not excused


def watch(pid: int, wakeup: socket.socket, silence: Unresponsive, file: str) -> None:
    """Watch a process until it ends, or hangs and is ended."""
    while os.getppid() == pid:
        if silence.is_hang(given_up=bool(file) and not os.path.exists(file)):  # noqa: PTH110 - pathlib takes 1 MB
            os.kill(pid, signal.SIGKILL)
            return
        if select.select([_SPOKEN], [], [], TICK_S)[0]:
            said = os.read(_SPOKEN, 4096)
            if not said:  # it has ended
                return
            silence.hear(said)
        elif not is_stopped(pid):
            silence.tick(_unread(wakeup))


def is_stopped(pid: int) -> bool:
    """Say whether a debugger or SIGSTOP holds a process; where Linux tells it."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123 - as above
            return stat.read().rpartition(b") ")[2][:1] in (b"t", b"T")
    except OSError:
        return False


def _unread(wakeup: socket.socket) -> bytes:
    """Return the numbers of the signals that wait for Python to run."""
    try:
        return wakeup.recv(4096, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return b""


if __name__ == "__main__":
    _pid, _fd, _patience_s, _file = sys.argv[1:]
    _wakeup = socket.socket(fileno=int(_fd))
    watch(int(_pid), _wakeup, Unresponsive(float(_patience_s)), _file)
