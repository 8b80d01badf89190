"""What MindSpore's own callbacks print: LossMonitor and TimeMonitor."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mswidget.importers.formats.found import Fact, Found, Happening, Note, Point
from mswidget.importers.formats.lines import NUMBER, format_of, number, numbers

_STEP = re.compile(rf"\bepoch: (\d{{1,9}}) step: (\d{{1,9}}), loss is [\[(]?({NUMBER})")
_TIME = re.compile(rf"(?<!Eval )\bepoch time: .*\bper step time: ({NUMBER})")
_EPOCH_TIME = re.compile(rf"epoch time: ({NUMBER})(?: ms)?, per step time: ({NUMBER})")
_EVAL = re.compile(r"\bEval result: epoch (\d{1,9}), metrics: \{(.*)\}")
_METRIC = re.compile(rf"'([^']+)': (?:np\.\w+\()?({NUMBER})")
_COUNTED = Note(
    "LossMonitor prints steps within an epoch: they are counted on by the steps that "
    "an epoch is seen to have"
)


class LossMonitor:
    """Reads what was printed, line by line; finds out how many steps an epoch has."""

    def __init__(self) -> None:
        self._epoch = 0
        self._in_epoch = 0
        self._interval = 0
        self._offset = 0
        self._length: int | None = None

    @property
    def _step(self) -> int:
        return self._offset + self._in_epoch

    def __call__(self, line: str) -> Sequence[Found] | None:
        """Return what a line says; None when it is none of these."""
        if match := _STEP.search(line):
            return self._line(int(match[1]), int(match[2]), match[3])
        if match := _EVAL.search(line):
            values = numbers({f"eval/{n}": v for n, v in _METRIC.findall(match[2])})
            plain = {name[5:]: float(value) for name, value in values.items()}
            point = Point(self._step, values, self._epoch)
            return [point, Happening("eval", self._step, plain)]
        if match := _TIME.search(line):
            return self._time(line, match)
        return [] if "epoch time: " in line else None

    def _line(self, epoch: int, step: int, loss: str) -> list[Found]:
        facts: list[Found] = []
        if epoch > self._epoch and self._epoch:
            self._next_epoch(epoch, step)
            facts = [_COUNTED, Fact({"steps_per_epoch": self._length})]
        elif epoch < self._epoch or step < self._in_epoch:
            self._offset = (epoch - 1) * (self._length or 0)
        elif step > self._in_epoch and self._epoch:
            self._interval = step - self._in_epoch
        self._epoch, self._in_epoch = epoch, step
        return [*facts, Point(self._step, numbers({"loss": loss}), epoch)]

    def _next_epoch(self, epoch: int, step: int) -> None:
        # The interval between lines goes on from one epoch into the next.
        seen = self._in_epoch + self._interval - step if self._interval else 0
        self._length = self._length or max(seen, self._in_epoch)
        self._offset += self._length * (epoch - self._epoch)

    def _time(self, line: str, match: re.Match[str]) -> list[Found]:
        whole = _EPOCH_TIME.search(line)
        if whole is not None and self._length is None:
            self._length = _ratio(float(whole[1]), float(whole[2])) or None
        value = number(match[1])
        if value is None or not self._step:
            return []
        return [Point(self._step, {"step_time_ms": value}, self._epoch)]


def _ratio(whole: float, part: float) -> int:
    ratio = whole / part if part else 0.0
    return round(ratio) if 0 < ratio < 1e9 else 0  # noqa: PLR2004 - no epoch is longer


LOSS_MONITOR = format_of(
    "output of MindSpore's LossMonitor",
    "lines `epoch: 1 step: 5, loss is 0.5`",
    LossMonitor,
)
