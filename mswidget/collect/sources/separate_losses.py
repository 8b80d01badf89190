"""The losses that MindFormers keeps apart: language model, balancing, MTP, indexer.

Its train step adds them to parameters, and its own monitor reads and clears those at
each step's end, before or after us. Here they are looked at when somebody clears
them, else when a step is logged, and never cleared.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from typing_extensions import Self, override

from mswidget.collect.sources.source import Source, Subject
from mswidget.collect.steps.progress import Progress
from mswidget.guard import Guard

_MODULE = "mindformers.utils.parameter_register"
_NAMES = {
    "lm_loss": "loss/lm",
    "aux_loss": "loss/load_balancing",  # so its log calls it
    "mtp_loss": "loss/mtp",
    "indexer_loss": "loss/indexer",
}


class SeparateLosses(Source):
    """Tells the mean of each over the steps since the last reading.

    It reads what adds up in MindFormers' register, beside its own monitor.

    Parameters
    ----------
    register
        Its parameters by name, and ``clear`` which sets one to 0.
    divisor
        What the loss of this rank is divided by.
    guard
        Calls what may fail while somebody else clears.
    """

    def __init__(
        self,
        register: Any,  # noqa: ANN401 - MindFormers'
        divisor: int,
        guard: Guard,
    ) -> None:
        self._register = register
        self._divisor = divisor
        self._guard = guard
        self._clear = register.clear
        # What stood there when it was last told or cleared, and steps added since.
        self._before = self._now()
        self._steps = 0
        self._cleared: dict[str, float] = {}
        self._ended = False
        self._known: set[str] = set()
        register.clear = self._on_clear

    @classmethod
    def of(cls, subject: Subject) -> Self | None:
        """Read those of MindFormers, if it is there and this rank has a loss."""
        # Found, not imported: who trains with it has imported it.
        register = getattr(sys.modules.get(_MODULE), "parameter_register", None)
        if register is None or subject.share.why_no_loss:
            return None
        return cls(register, subject.share.divisor, Guard(subject.notice))

    @override
    def step_begin(self, progress: Progress) -> None:
        self._ended = False
        if self._cleared:
            self._cleared, self._steps = {}, 0

    @override
    def step_end(self, progress: Progress) -> None:
        # What is cleared from now on was not cleared before us.
        self._steps += progress.steps
        self._ended = True

    @override
    def end(self, progress: Progress) -> None:
        if vars(self._register).get("clear") == self._on_clear:
            del self._register.clear

    @override
    def read(self, progress: Progress) -> Mapping[str, float]:
        if not self._steps:
            return {}
        sums = self._cleared
        if not sums:
            now = self._now()
            sums = {name: now[name] - self._before.get(name, 0.0) for name in now}
            self._before = now
        share = self._steps * self._divisor
        self._steps = 0
        # One that was always 0 is left out: the model has no such part.
        self._known |= {name for name, value in sums.items() if value != 0}
        return {_NAMES[n]: v / share for n, v in sums.items() if n in self._known}

    def _on_clear(self, name: str) -> object:
        if name in _NAMES:
            self._guard("MindFormers' separate losses", self._take, name)
        return self._clear(name)

    def _take(self, name: str) -> None:
        if self._ended:
            self._steps = 0
        else:
            self._cleared[name] = self._value(name) - self._before.get(name, 0.0)
        self._before[name] = 0.0

    def _now(self) -> dict[str, float]:
        return {n: self._value(n) for n in _NAMES if n in self._register.keys()}  # noqa: SIM118 - no mapping

    def _value(self, name: str) -> float:
        return float(np.ravel(self._register.get(name).asnumpy())[0])
