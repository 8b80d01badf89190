"""Reads the machine every few seconds, in a thread of its own."""

from __future__ import annotations

import math
import os
import shutil
import threading
import time
from collections.abc import Callable, Mapping

from mswidget.guard import Guard
from mswidget.machine.chips import Chip, own_device
from mswidget.machine.program import Program, ProgramError

VARIABLE = "MSWIDGET_MACHINE"
INTERVAL_S = 5.0
_MOST_S = 600.0
_SHARE = 0.1
_JOIN_S = 1.0

Values = Mapping[str, float]


class Sampler:
    """Measures host and NPU while a run goes on.

    Not in the worker: a tool of the driver may hang.

    Parameters
    ----------
    put
        Takes values by metric name.
    tell_chip
        Told once which chip is this rank's.
    notice, withdraw
        Tells the user something, once; says that it is over.
    """

    def __init__(
        self,
        put: Callable[[Values], None],
        tell_chip: Callable[[Mapping[str, object]], object],
        notice: Callable[[str], None],
        withdraw: Callable[[str], None],
    ) -> None:
        self._put = put
        self._tell_chip = tell_chip
        self._notice = notice
        self._withdraw = withdraw
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to measure, unless the user wants none."""
        interval_s = self._interval_s(os.environ.get(VARIABLE, ""))
        if interval_s:
            self._stopped = threading.Event()
            self._thread = threading.Thread(
                target=Guard(self._notice),
                args=("measuring the machine", self._work, interval_s, self._stopped),
                name="mswidget-machine",
                daemon=True,
            )
            self._thread.start()

    def stop(self) -> None:
        """End, and kill what is running for it."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(_JOIN_S)

    def _work(self, interval_s: float, stopped: threading.Event) -> None:
        # psutil takes time to import: not the training's.
        from mswidget.machine.host import Host  # noqa: PLC0415

        guard = Guard(self._notice)
        host, npu = Host(), self._npu(interval_s, stopped)
        while not stopped.wait(interval_s):
            # The NPU first: it may take seconds, and the host's are of now.
            values = guard("reading the NPU", npu) or {}
            values = {**(guard("reading the host", host.read) or {}), **values}
            if not stopped.is_set():
                self._put(values)

    def _npu(self, interval_s: float, stopped: threading.Event) -> Callable[[], Values]:
        path = shutil.which("npu-smi")
        if path is None:
            return dict
        program = Program(path, stopped)
        chip = Chip(program, own_device, self._tell_chip, self._notice)
        return Patience(chip.read, self._notice, self._withdraw, interval_s)

    def _interval_s(self, given: str) -> float:
        try:
            interval_s = float(given or INTERVAL_S)
        except ValueError:
            interval_s = math.nan
        if 0 <= interval_s < math.inf:
            return interval_s
        self._notice(
            f"{VARIABLE}={given!r}: expected seconds between two readings of the "
            f"machine, or 0 for none; it is read every {INTERVAL_S:g} s"
        )
        return INTERVAL_S


class Patience:
    """Reads what may fail or take long, the more rarely the worse it does.

    Parameters
    ----------
    read
        Returns values, or raises `ProgramError` or ``ValueError``.
    notice, withdraw
        Told the first failure, and that it is over.
    interval_s
        How often it is called when all is well.
    """

    def __init__(
        self,
        read: Callable[[], Values],
        notice: Callable[[str], None],
        withdraw: Callable[[str], None],
        interval_s: float,
    ) -> None:
        self._read = read
        self._notice = notice
        self._withdraw = withdraw
        self._interval_s = interval_s
        self._failures = 0
        self._told = ""
        self._not_before_s = 0.0

    def __call__(self) -> Values:
        """Return the values; none while it rests, or fails."""
        begun_s = time.monotonic()
        if begun_s < self._not_before_s:
            return {}
        values = self._try()
        ended_s = time.monotonic()
        rest_s = pause_s(ended_s - begun_s, self._failures, self._interval_s)
        self._not_before_s = ended_s + rest_s
        return values

    def _try(self) -> Values:
        try:
            values = self._read()
        except (ProgramError, ValueError) as error:
            self._failures += 1
            if not self._told:
                self._told = (
                    f"npu-smi: {error}; numbers of the NPU are missing, and asked for "
                    "more and more rarely"
                )
                self._notice(self._told)
            return {}
        self._failures = 0
        self._withdraw(self._told)
        self._told = ""
        return values


def pause_s(spent_s: float, failures: int, interval_s: float) -> float:
    """Return for how long to leave alone what has just been read.

    Parameters
    ----------
    spent_s
        How long it took: it may run for a tenth of the time.
    failures
        How often in a row it has failed.
    interval_s
        How often it is read when all is well.
    """
    again_s = interval_s * 2 ** min(failures, 10) if failures else 0
    return min(max(spent_s / _SHARE, again_s), _MOST_S)
