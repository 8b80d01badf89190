"""A small process that ends this one, should it hang where no Python can run."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

from mswidget.guard import tell
from mswidget.run import last_resort

_END_S = 1.0


class Watchdog:
    """Runs `last_resort` beside this process; what fails here is told, once."""

    def __init__(self) -> None:
        self._busy = False
        self._process: subprocess.Popen[bytes] | None = None
        # Who speaks must not write to what opens next under the number of our pipe. A
        # signal's handler speaks too, in the thread that it interrupts.
        self._speaks = threading.RLock()

    def start(self, wakeup_fd: int, patience_s: float, file: str) -> None:
        """Begin to watch; before this, everything else does nothing.

        Parameters
        ----------
        wakeup_fd
            The end of the wake-up socket that is read: SIGTERM lies unread there while
            no Python can run.
        patience_s
            How long after SIGTERM this process may be silent.
        file
            A kernel's connection file: once it is gone, no excuse counts. Or "".
        """
        try:
            self._process = _start(wakeup_fd, f"{patience_s}", file)
        except Exception as error:  # noqa: BLE001 - the training must go on
            _tell_once(f"{type(error).__name__}: {error}")

    def told(self) -> None:
        """Say, again and again, that this process was told to end and still runs."""
        self._say(last_resort.TOLD)

    def excuse(self, *, busy: bool) -> None:
        """Say whether this process may be silent for long, as in a compile."""
        if busy != self._busy:
            self._busy = busy
            self._say(last_resort.BUSY if busy else last_resort.IDLE)

    def close(self) -> None:
        """End the watchdog; nothing of it is left."""
        with self._speaks:
            process = self._let_go()
        if process is not None:
            process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_S)

    def forget(self) -> None:
        """In a forked data worker: only the pipe is to close."""
        process = self._let_go()  # who spoke in the parent may have left it locked
        if process is not None:
            process.returncode = 0  # not this process's child, and no warning of it

    def _let_go(self) -> subprocess.Popen[bytes] | None:
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()
        return process

    def _say(self, word: int) -> None:
        with self._speaks:
            if self._process is not None and self._process.stdin is not None:
                # It may have ended, or been stopped for so long that the pipe is full.
                with contextlib.suppress(OSError):
                    self._process.stdin.write(bytes([word]))


def _start(wakeup_fd: int, *arguments: str) -> subprocess.Popen[bytes]:
    if getattr(sys, "frozen", False):
        raise OSError("no interpreter to start: the program is frozen")
    options = ["-I", "-S", last_resort.__file__]
    with _blocked():
        process = subprocess.Popen(  # noqa: S603 - the interpreter, our own file
            [sys.executable, *options, f"{os.getpid()}", f"{wakeup_fd}", *arguments],
            bufsize=0,
            stdin=subprocess.PIPE,
            # Who reads this process's output would wait for the watchdog's end too.
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[wakeup_fd],
            start_new_session=True,  # Jupyter interrupts the whole group
        )
    if process.stdin is not None:
        os.set_blocking(process.stdin.fileno(), False)
    return process


@contextlib.contextmanager
def _blocked() -> Iterator[None]:
    """Let what is started here not hear the signals that are for this process.

    Schedulers send them to each process of a job.
    """
    ours = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ours)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@functools.cache
def _tell_once(error: str) -> None:
    tell(
        "a training that hangs with Python's lock held will not end by SIGTERM, "
        f"only by SIGKILL: nothing watches it ({error})"
    )
