"""What a run tells where there is no page: a line of text now and then."""

from __future__ import annotations

import contextlib
import functools
import math
import os
import select
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TextIO

from mswidget.metrics import describe
from mswidget.records.record import Event, Record, kind_of
from mswidget.widget.protocol import Status

LINE_S = 1.0
_PANELS = ("loss", "parts", "lr", "grad_norm", "throughput", "evaluation", "other")
_VALUES = 10
_LONGEST = 1000
_UNITS = {
    "samples_per_s": "samples/s",
    "tokens_per_s": "tokens/s",
    "tflops_per_npu": "TFLOP/s per NPU",
}
_LEFT_OUT = ("step_time_ms", "data_time_ms", "watch_time_ms")


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
        if any(map(_panel, self._values)):
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
            if not math.isfinite(value) and _panel(name):
                found = f"{name} was {kind_of(value)} at step {record.step}"
                self._nonfinite.setdefault(name, found)

    def _print(self, first: str, last: str) -> None:
        bad = list(self._nonfinite.values())[:_VALUES]
        parts = [first, *shown(self._values), *bad, last]
        self._values, self._nonfinite = {}, {}
        line = f"{self.name}: {'  '.join(part for part in parts if part)}"
        say(one_line(line), sys.stdout)


def shown(values: Mapping[str, float]) -> list[str]:
    """Return each value with its name, in the order of the panels."""
    panels = {name: _panel(name) for name in values}
    names = [name for panel in _PANELS for name in panels if panels[name] == panel]
    texts = [_value(name, values[name]) for name in names[:_VALUES]]
    more = len(names) - len(texts)
    return [*texts, f"(+{more})"] if more else texts


@functools.cache
def _panel(name: str) -> str | None:
    """Return the panel of what a line may hold; of the others there are too many."""
    panel = describe(name).panel
    return panel if panel in _PANELS and name not in _LEFT_OUT else None


def _value(name: str, value: float) -> str:
    number = f"{value:.4g}".replace("nan", "NaN")
    if name in _UNITS:
        return f"{number} {_UNITS[name]}"
    return f"{name.removeprefix('loss/')} {number}"


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
