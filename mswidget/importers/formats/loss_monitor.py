"""What MindSpore's own callbacks print: LossMonitor and TimeMonitor."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from mswidget.importers.formats.found import (
    EpochStep,
    Fact,
    Found,
    Happening,
    Point,
)
from mswidget.importers.formats.lines import NUMBER, format_of, numbers

# As MindSpore has printed it, version by version; processes may glue lines together.
_STEP = re.compile(
    r"(?<![A-Za-z])epoch\s*:?\s*(\d{1,9})[,\s]\s*step\s*:?\s*(\d{1,9})"
    rf"(?:\s*/\s*(\d{{1,9}}))?[,\s]\s*loss(?: is|:)\s*[\[(]?({NUMBER})",
    re.IGNORECASE,
)
_TIME = re.compile(
    rf"(?<!Eval )\bepoch time: .*\bper step time: ({NUMBER})", re.IGNORECASE
)
_MEAN = re.compile(rf"\bavg loss: ({NUMBER})")
_EPOCH_TIME = re.compile(
    rf"epoch time: ({NUMBER})(?: ms)?, per step time: ({NUMBER})", re.IGNORECASE
)
_EVAL = re.compile(r"\bEval result: epoch (\d{1,9}), metrics: \{(.*)\}")
_METRIC = re.compile(rf"'([^']+)': (?:np\.\w+\()?({NUMBER})")
_EXACT = 0.8
"""Of a step: of a longer rounding error a ratio of times says no whole number."""


class LossMonitor:
    """Reads what was printed, line by line."""

    def __init__(self) -> None:
        self._place: EpochStep | None = None

    def __call__(self, line: str) -> Sequence[Found] | None:
        """Return what a line says; None when it is none of these."""
        if steps := _STEP.findall(line):
            return [self._loss(*step) for step in steps]
        if match := _EVAL.search(line):
            return self._eval(match[2])
        if match := _TIME.search(line):
            return self._time(line, match)
        return [] if "epoch time: " in line else None

    def _loss(self, epoch: str, step: str, length: str, loss: str) -> Point:
        whole = int(length) if length else None
        self._place = EpochStep(int(epoch), int(step), whole)
        return Point(self._place, numbers({"loss": loss}))

    def _eval(self, metrics: str) -> list[Found]:
        values = numbers({f"eval/{n}": v for n, v in _METRIC.findall(metrics)})
        plain = {name[5:]: float(value) for name, value in values.items()}
        place = 0 if self._place is None else self._place
        return [Point(place, values), Happening("eval", place, plain)]

    def _time(self, line: str, match: re.Match[str]) -> list[Found]:
        whole = _EPOCH_TIME.search(line)
        length = _ratio(whole[1], whole[2]) if whole else None
        facts: list[Found] = [Fact({"steps_per_epoch": length})] if length else []
        mean = _MEAN.search(line)
        values = numbers(
            {"step_time_ms": match[1], "loss_epoch_mean": mean[1] if mean else ""}
        )
        if not values or self._place is None:
            return facts
        return [*facts, Point(self._place, values)]


def _ratio(whole: str, part: str) -> int | None:
    """Return how often a time is in another; None if rounding leaves that open."""
    decimals = len(part.partition(".")[2])
    time, unit = float(part), 0.1**decimals
    if not (time > 0 and math.isfinite(float(whole) / time)):
        return None
    ratio = float(whole) / time
    return round(ratio) if 0 < ratio * unit / time < _EXACT else None


LOSS_MONITOR = format_of(
    "output of MindSpore's LossMonitor",
    "lines `epoch: 1 step: 5, loss is 0.5`",
    LossMonitor,
)
