"""What Hugging Face's Trainer prints: dicts, beside a progress bar with the step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mswidget.importers.formats.found import (
    Fact,
    Found,
    Happening,
    Note,
    Number,
    Point,
)
from mswidget.importers.formats.json_text import to_epoch
from mswidget.importers.formats.lines import format_of, number

_BAR = re.compile(r"%\|[^|]*\|\s*(\d{1,12})/(\d{1,12}) \[")
_DICT = re.compile(
    r"\{'(?:loss|eval_loss|train_loss|train_runtime|eval_runtime)': [^{}]*\}"
)
_PART = re.compile(r"'([^']+)': (?:'([^']*)'|([^,}]+))")
_NAMES = {"learning_rate": "lr", "train_loss": "train_loss_mean"}
_NO_BAR = Note(
    "no progress bar says its steps: its lines are counted, so a step here is a line"
)


class PrintedDicts:
    """Reads dicts as they were printed; their steps stand in the bar before them."""

    def __init__(self) -> None:
        self._step: int | None = None
        self._total = 0
        self._lines = 0

    def __call__(self, line: str) -> Sequence[Found] | None:
        """Return what a line says; None when it is none of these."""
        if "{'" not in line and "%|" not in line:
            return None
        for bar in _BAR.finditer(line):
            self._see(int(bar[1]), int(bar[2]))
        items = [i for text in _DICT.findall(line) for i in self._dict(text)]
        return items or ([] if _BAR.search(line) else None)

    def _see(self, step: int, total: int) -> None:
        # An evaluation has a shorter bar of its own.
        if total >= self._total:
            self._step, self._total = step, total

    def _dict(self, text: str) -> Iterator[Found]:
        values = {name: quoted or plain for name, quoted, plain in _PART.findall(text)}
        epoch = number(values.pop("epoch", ""))
        numbers = {_name(n): v for n, v in _numbers(values)}
        self._lines += "loss" in numbers
        yield Fact({"total_steps": self._total}) if self._step is not None else _NO_BAR
        step = self._lines if self._step is None else self._step
        yield Point(step, numbers, to_epoch(epoch))
        evaluated = {n[5:]: float(v) for n, v in numbers.items() if n[:5] == "eval/"}
        if evaluated:
            yield Happening("eval", step, evaluated)
        if "train_runtime" in numbers:
            yield Happening("train_end", step)


def _numbers(values: dict[str, str]) -> Iterator[tuple[str, Number]]:
    for name, text in values.items():
        if (value := number(text)) is not None:
            yield name, value


def _name(name: str) -> str:
    return f"eval/{name[5:]}" if name.startswith("eval_") else _NAMES.get(name, name)


PRINTED_DICTS = format_of(
    "output of Hugging Face's Trainer",
    "lines `{'loss': 1.5, 'learning_rate': 1e-05, 'epoch': 0.1}` beside a progress bar",
    PrintedDicts,
)
