"""A program of somebody else's, which may hang, fail, or never end to print."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from typing import IO

TIMEOUT_S = 10.0
_POLL_S = 0.05
_KILL_S = 1.0
_CHUNK = 2**16
_LIMIT = 2**20


class ProgramError(Exception):
    """A call that gave no answer; the message says why."""


class Program:
    """Runs a program again and again, never twice at a time.

    Parameters
    ----------
    program
        Its path.
    cancelled
        Once set, a running call is killed.
    timeout_s
        A call that takes longer is killed.
    """

    def __init__(
        self, program: str, cancelled: threading.Event, timeout_s: float = TIMEOUT_S
    ) -> None:
        self._program = program
        self._cancelled = cancelled
        self._timeout_s = timeout_s
        self._last: subprocess.Popen[bytes] | None = None

    def __call__(self, *arguments: str) -> str:
        """Return what the program prints.

        Raises
        ------
        ProgramError
            When it does not start, does not end in time, fails, or prints too much.
        """
        if self._last is not None and self._last.poll() is None:
            raise ProgramError("an earlier call cannot be killed")
        try:
            process, output = self._start(arguments)
        except OSError as error:
            raise ProgramError(error.strerror or str(error)) from error
        with output:
            try:
                text = self._read(output)
                code = process.wait(_KILL_S)
            except (ProgramError, subprocess.TimeoutExpired) as error:
                _kill(process)
                raise ProgramError(str(error)) from error
        if code:
            raise ProgramError(f"exit code {code}")
        return text.decode(errors="replace")

    def _start(
        self, arguments: tuple[str, ...]
    ) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
        self._last = process = subprocess.Popen(  # noqa: S603 - found on PATH
            [self._program, *arguments],
            bufsize=0,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # A group of its own, so that all of it can be killed.
            start_new_session=True,
        )
        assert process.stdout is not None  # noqa: S101 - mypy cannot know
        return process, process.stdout

    def _read(self, output: IO[bytes]) -> bytes:
        os.set_blocking(output.fileno(), False)
        text = b""
        until_s = time.monotonic() + self._timeout_s
        while not self._cancelled.wait(_POLL_S):
            # Without anything to read this is None, at the end it is empty.
            while part := output.read(_CHUNK):
                text += part
                if len(text) > _LIMIT:
                    raise ProgramError(f"printed more than {_LIMIT:,} bytes")
            if part is not None:
                return text
            if time.monotonic() > until_s:
                raise ProgramError(f"no answer within {self._timeout_s:g} s")
        raise ProgramError("the run has ended")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that was not waited for yet, and what it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    # One that waits for a broken device cannot die.
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_KILL_S)
