"""Looks after steps that do not come, while the training's thread may hang."""

from __future__ import annotations

import faulthandler
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from mswidget.alerts.rules.stall import STALL, is_stalled
from mswidget.records.alert import Alert
from mswidget.widget.protocol import Status

_LOOK_S = 1.0
# Where a thread waits for its user: a kernel for the next cell, a debugger for a word.
_WAITING = frozenset(("selectors", "asyncio", "tornado", "zmq"))
_DEBUGGERS = frozenset(("pdb", "bdb", "pydevd", "_pydevd_bundle", "debugpy"))


class Stall:
    """Raises an alert when no step comes, and writes where all threads stand.

    Parameters
    ----------
    status
        Returns what the run does now.
    thread
        Returns which thread makes the steps.
    rank, attempt
        Of the run.
    stacks
        The file to which Python's stacks are written.
    add
        Takes the alert, and again with its last step when it has passed.
    """

    def __init__(
        self,
        status: Callable[[], Status],
        thread: Callable[[], int],
        *,
        rank: int,
        attempt: str,
        stacks: Path,
        add: Callable[[Alert], None],
    ) -> None:
        self._status = status
        self._thread = thread
        self._rank, self._attempt = rank, attempt
        self._stacks = stacks
        self._add = add
        self._next_s = 0.0
        self._lasting: Alert | None = None
        self._since_s: float | None = None
        self._count = 0

    def tick(self) -> None:
        """Look once a second."""
        now_s = time.monotonic()
        if now_s < self._next_s:
            return
        self._next_s = now_s + _LOOK_S
        status = self._status()
        since_s = status["last_step_s"] or status["sent_s"]
        if self._lasting is not None and since_s != self._since_s:
            self._add(replace(self._lasting, last_step=self._lasting.step))
            self._lasting = None
        silent_s = status["sent_s"] - since_s
        stalled = is_stalled(silent_s, status["usual_step_s"], self._count)
        if stalled and self._lasting is None and self._is_training(status):
            self._lasting, self._since_s = self._alert(status, silent_s), since_s
            self._count += 1
            self._add(self._lasting)

    def _is_training(self, status: Status) -> bool:
        return status["phase"] == "training" and not waits_for_user(self._thread())

    def _alert(self, status: Status, silent_s: float) -> Alert:
        where = _where(self._thread())
        try:
            with self._stacks.open("w", encoding="utf-8") as file:
                faulthandler.dump_traceback(file)
            advice = f"Python's stacks stand in {self._stacks.name}"
        except (OSError, ValueError) as error:
            advice = f"Python's stacks could not be written ({type(error).__name__})"
        usual_s = status["usual_step_s"] or 0.0
        return Alert(
            rule=STALL,
            step=max(status["step"] or 1, 1),
            wall_time_s=status["sent_s"],
            rank=self._rank,
            attempt=self._attempt,
            severity="error",
            metric="",
            message=f"no step for {silent_s:.0f} s, where one takes {usual_s:.3g} s; "
            f"the training is in {where}",
            advice=f"{advice}; look for a rank that has ended, and at the data",
            epoch=status["epoch"],
        )


def waits_for_user(thread: int) -> bool:
    """Say whether a thread runs no code of a training: it is idle, or in a debugger."""
    frame = sys._current_frames().get(thread)  # noqa: SLF001 - the only way
    if frame is None:
        return True
    if _room(frame.f_globals) in _WAITING:
        return True
    while frame is not None:
        if _room(frame.f_globals) in _DEBUGGERS:
            return True
        frame = frame.f_back
    return False


def _room(names: dict[str, object]) -> str:
    return str(names.get("__name__")).partition(".")[0]


def _where(thread: int) -> str:
    frame = sys._current_frames().get(thread)  # noqa: SLF001
    if frame is None:
        return "no Python code"
    code = frame.f_code
    return f"{code.co_name} ({Path(code.co_filename).name}:{frame.f_lineno})"
