"""What a run tells where there is no page: a line of text now and then."""

from __future__ import annotations

import contextlib
import math
import os
import select
import sys
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from mswidget.drawing.names import shown
from mswidget.pictures.caption import NAME, VALUES, caption, panel_in_line
from mswidget.records.record import Event, Record, kind_of
from mswidget.widget.protocol import Status

LINE_S = 1.0
_LONGEST = 1000


class TextLines:
    """Prints what was logged since the last line, at most once a second.

    Parameters
    ----------
    name
        The run's.
    status
        Returns what the run is doing.
    """

    def __init__(self, name: str, status: Callable[[], Status]) -> None:
        self.name = name
        self._status = status
        self._values: dict[str, float] = {}
        self._nonfinite: dict[str, str] = {}
        self._last: Record | None = None
        self._next_s = 0.0
        self._ended_s = 0.0

    def take(self, items: Sequence[Record | Event]) -> None:
        """Keep the newest of each value, and where one was no finite number."""
        for item in items:
            if isinstance(item, Record):
                self._last = item
                self._values.update(item.values)
                # A sum tells of all at once: this runs beside each step.
                if not math.isfinite(sum(item.values.values())):
                    self._note(item)

    def tick(self) -> None:
        """Print a line when there is something new, and the last one is old."""
        if time.monotonic() < self._next_s:
            return
        if any(map(panel_in_line, self._values)):
            self._next_s = time.monotonic() + LINE_S
            status = self._reached()
            self._print(progress(status), remaining(status))

    def end(self) -> None:
        """Print the last values, and how the run ended."""
        status = self._reached()
        # Records that came after the end bring this call again.
        if status["begun_s"] != self._ended_s:
            self._ended_s = status["begun_s"]
            self._print(ending(status), "")

    def _reached(self) -> Status:
        """Return the status at the values to print: the training is ahead of them."""
        status, last = self._status(), self._last
        if last is None:
            return status
        return {**status, "step": last.step, "epoch": last.epoch or status["epoch"]}

    def _note(self, record: Record) -> None:
        for name, value in record.values.items():
            if not math.isfinite(value) and panel_in_line(name):
                told = f"was {kind_of(value)} at step {record.step}"
                self._nonfinite.setdefault(name, told)

    def _print(self, first: str, last: str) -> None:
        names = shown(list(self._nonfinite)[:VALUES], NAME)
        bad = [f"{text} {self._nonfinite[name]}" for name, text in names.items()]
        parts = [first, *caption(self._values), *bad, last]
        self._values, self._nonfinite = {}, {}
        line = f"{self.name}: {'  '.join(part for part in parts if part)}"
        say(one_line(line), sys.stdout)


def progress(status: Status) -> str:
    """Return where the training is."""
    epoch, step = status["epoch"], status["step"] or 0
    of_steps = _of(status["total_steps"])
    epochs = "" if epoch is None else f"epoch {epoch}{_of(status['total_epochs'])}  "
    return f"{epochs}step {step}{of_steps}"


def _of(total: int | None) -> str:
    return "" if total is None else f"/{total}"


def remaining(status: Status) -> str:
    """Return the time left; empty when nobody knows."""
    step, total, rate = status["step"], status["total_steps"], status["steps_per_s"]
    if step is None or not total or not rate:
        return ""
    return f"{_clock(max(0, total - step) / rate)} left"


def ending(status: Status) -> str:
    """Return how a run ended, when, and why."""
    took = _clock(status["phase_since_s"] - status["begun_s"])
    detail = f" ({status['detail']})" if status["detail"] else ""
    return f"{status['phase']} at {progress(status)} after {took}{detail}"


def _clock(seconds: float) -> str:
    minutes, whole = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{whole:02}" if hours else f"{minutes}:{whole:02}"


def one_line(text: str) -> str:
    """Return a text without what would move a terminal's cursor."""
    safe = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return safe if len(safe) <= _LONGEST else f"{safe[:_LONGEST]}..."


def say(line: str, stream: TextIO | None) -> None:
    """Write a line, or leave it where that would fail or wait.

    A process's own output is written past its buffer: what a closed pipe refuses
    would stay in there, and be an error when the process ends.
    """
    if stream is None:
        return
    own = stream is sys.__stdout__
    with contextlib.suppress(OSError, ValueError):
        encoding = stream.encoding or "utf-8"
        data = f"{line}\n".encode(encoding, "backslashreplace")
        if own:
            _write_now(stream.fileno(), data)
        else:
            stream.write(data.decode(encoding))
            stream.flush()


def _write_now(file: int, data: bytes) -> None:
    # A pager, or Ctrl-S, may hold it up: the next line comes in a second.
    if select.select([], [file], [], 0)[1]:
        os.write(file, data)
