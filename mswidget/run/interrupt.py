"""Ends a training cleanly when MindSpore would end the process.

Once MindSpore has run anything, its own C handler turns Ctrl-C, and Jupyter's
interrupt, into SIGTERM: unhandled, that kills the kernel. Handled, it also swallows
a true termination, and an orphan would hold the device. Both end well here.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from typing_extensions import Self

from mswidget.run.wakeup import Wakeup
from mswidget.run.watchdog import Watchdog
from mswidget.run.worker import WORKER

PATIENCE_S = 10.0
_WATCH_S = 0.1
_FLUSH_S = 4.0
_WATCHDOG_S = 1.0  # who ends cleanly a moment late is not to be killed
_ACTIVE: list[Interrupts] = []


class Interrupts:
    """Stands between SIGTERM and the process while a training runs.

    The first signal asks the training to stop, the second raises
    ``KeyboardInterrupt`` at once. Handlers that were there before are called too.
    Where the process may live on (a kernel, a prompt) it does, unless the signal
    turns out to be a true termination: the kernel's connection file is gone, or its
    parent is another. A script gets the signal again when the context ends. A process
    that does not react for `PATIENCE_S`, as its main thread hangs in C, is ended; where
    it can run no Python, by a `Watchdog`, unflushed.

    Off the main thread this does nothing: Python cannot handle signals there.

    Parameters
    ----------
    on_interrupt
        Called in the main thread at the first signal; None raises
        ``KeyboardInterrupt`` there.
    flush
        Called, maybe in another thread, before this ends the process.
    busy
        Says that the main thread is in C for long, as in a compile: then a kernel
        that does not react is not taken to hang.
    """

    def __init__(
        self,
        on_interrupt: Callable[[], None] | None,
        flush: Callable[[], None],
        busy: Callable[[], bool] = lambda: False,
    ) -> None:
        self._on_interrupt = on_interrupt
        self._flush = flush
        self._busy = busy
        self.wakeup: Wakeup | None = None
        self._watchdog = Watchdog()
        self._handled = 0
        self._signalled = False
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        """Take over SIGTERM."""
        if os.name == "posix" and threading.current_thread() is threading.main_thread():
            self._process = _Surroundings()
            # First what may fail, for want of file descriptors.
            self.wakeup = _shared_wakeup()
            self.wakeup.add(self._arrived)
            self._watch_over(self.wakeup.fileno())
            self._earlier = signal.signal(signal.SIGTERM, self._handle)
            _ACTIVE.append(self)
            self._excuse()
            WORKER.add(self._excuse)
        return self

    def __exit__(self, *error: object) -> None:
        """Give SIGTERM back; a script that was told to end does so here."""
        if self.wakeup is None:
            return
        _ACTIVE.remove(self)
        # MindSpore's C handler stays behind, and would end the process at the next
        # interrupt of the same cell: put Python's in its place.
        of_interrupt = signal.getsignal(signal.SIGINT)
        if of_interrupt is not None:
            signal.signal(signal.SIGINT, of_interrupt)
        self.wakeup.remove(self._arrived)
        self._restore()
        self._ended.set()
        WORKER.remove(self._excuse)
        self._watchdog.close()
        if self._handled and not self._process.lives_on and not callable(self._earlier):
            os.kill(os.getpid(), signal.SIGTERM)

    def forget(self) -> None:
        """In a forked data worker: this is not its business."""
        signal.set_wakeup_fd(-1)
        self.wakeup = None
        self._restore()
        self._watchdog.forget()

    def _watch_over(self, wakeup_fd: int) -> None:
        """Have a hang ended in which no Python runs, unless SIGTERM is others'."""
        if signal.getsignal(signal.SIGTERM) in (signal.SIG_DFL, None):
            file = str(self._process.file or "")
            self._watchdog.start(wakeup_fd, PATIENCE_S + _WATCHDOG_S, file)

    def _excuse(self) -> None:
        spared = self._process.lives_on and (self._handled > 0 or self._busy())
        self._watchdog.excuse(busy=spared or _others_handle())

    def _restore(self) -> None:
        # None: the earlier handler was not set by Python.
        earlier = signal.SIG_DFL if self._earlier is None else self._earlier
        if signal.getsignal(signal.SIGTERM) == self._handle:
            signal.signal(signal.SIGTERM, earlier)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._handled += 1
        self._watchdog.told()
        self._excuse()
        if self._on_interrupt is not None and self._handled == 1:
            self._on_interrupt()
        if callable(self._earlier):
            self._earlier(number, frame)
        if self._on_interrupt is None or self._handled > 1:
            raise KeyboardInterrupt

    def _arrived(self) -> None:
        """Watch what comes of the first signal; Python has not handled it yet."""
        if not self._signalled:
            self._signalled = True
            self._watchdog.told()
            threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        patient_until_s = time.monotonic() + PATIENCE_S
        while not self._ended.is_set() or time.monotonic() < patient_until_s:
            self._watchdog.told()
            if self._process.orphaned():
                self._end_process()
            if time.monotonic() > patient_until_s and self._hangs():
                self._end_process()
            time.sleep(_WATCH_S)

    def _hangs(self) -> bool:
        """Say whether nothing came of the signal, or too little in a script.

        A handler of others decides for itself how long it may take.
        """
        if self._ended.is_set() or callable(self._earlier) or _others_handle():
            return False
        if self._process.lives_on:
            return not self._handled and not self._busy()
        return True

    def _end_process(self) -> None:
        flushing = threading.Thread(target=self._flush, daemon=True)
        flushing.start()
        flushing.join(_FLUSH_S)
        # signal.signal works in the main thread only, which may hang.
        ctypes.CDLL(None).signal(int(signal.SIGTERM), ctypes.c_void_p(0))
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(1)
        os._exit(128 + signal.SIGTERM)


class _Surroundings:
    """What tells an interrupt of this process from its termination."""

    def __init__(self) -> None:
        # The interpreter's prompt and IPython set ps1, so does a kernel.
        self.lives_on = hasattr(sys, "ps1")
        self._parent = os.getppid()
        self.file = _connection_file()

    def orphaned(self) -> bool:
        """Say whether nobody can talk to this kernel any more.

        VS Code's restart sends one SIGTERM and removes the file, nothing else.
        """
        if not self.lives_on:
            return False
        gone = self.file is not None and not self.file.exists()
        return gone or os.getppid() != self._parent


def _connection_file() -> Path | None:
    """Return the file by which clients find this kernel; None outside of one."""
    module = sys.modules.get("ipykernel.kernelapp")
    if module is None or not module.IPKernelApp.initialized():
        return None
    path = Path(module.IPKernelApp.instance().abs_connection_file)
    return path if path.exists() else None


def _others_handle() -> bool:
    """Say whether a handler has come since, as MindSpore's ``OnRequestExit`` does."""
    handler = signal.getsignal(signal.SIGTERM)
    return not isinstance(getattr(handler, "__self__", None), Interrupts)


def _shared_wakeup() -> Wakeup:
    """Return the one of this process: a run within another opens no second one."""
    for active in _ACTIVE:
        if active.wakeup is not None:
            return active.wakeup
    return Wakeup()


def _forget_in_child() -> None:
    while _ACTIVE:
        _ACTIVE.pop().forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)
