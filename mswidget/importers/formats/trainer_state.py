"""``trainer_state.json`` of Hugging Face's Trainer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from mswidget.importers.formats.found import (
    Fact,
    Format,
    Found,
    Happening,
    Note,
    Point,
)
from mswidget.importers.formats.json_text import DECODER, flat, to_epoch, to_step

_HISTORY = re.compile(r'"log_history"\s*:\s*\[')
_FACT = re.compile(r'"(max_steps|num_train_epochs)"\s*:\s*(\d{1,15})')
_BETWEEN = re.compile(r"[\s,]*")
_FACTS = {"max_steps": "total_steps", "num_train_epochs": "total_epochs"}
_MEANS = Note("the loss is the mean over the steps since the value before")


def read(block: bytes) -> tuple[int, Iterator[Found | None]]:
    """Read a file from its begin, as far as it goes."""
    return len(block), _found(block.decode(errors="replace"))


def _found(text: str) -> Iterator[Found | None]:
    begin = _HISTORY.search(text)
    if begin is None:
        return
    yield _MEANS
    yield Fact({_FACTS[name]: int(value) for name, value in _FACT.findall(text)})
    for entry in _entries(text, begin.end()):
        yield from _entry(entry)


def _entries(text: str, at: int) -> Iterator[Mapping[str, object]]:
    while True:
        space = _BETWEEN.match(text, at)
        try:
            entry, at = DECODER.raw_decode(text, space.end() if space else at)
        except (ValueError, RecursionError):
            return
        if isinstance(entry, dict):
            yield entry


def _entry(entry: Mapping[str, object]) -> Iterator[Found]:
    step = to_step(entry.get("step"))
    if step is None:
        return
    kept = {k: v for k, v in entry.items() if k not in ("step", "epoch")}
    values = {_name(name): value for name, value in flat(kept)}
    yield Point(step, values, to_epoch(entry.get("epoch")))
    evaluated = {n[5:]: float(v) for n, v in values.items() if n.startswith("eval/")}
    if evaluated:
        yield Happening("eval", step, evaluated)
    if "train_runtime" in values:
        yield Happening("train_end", step)


def _name(name: str) -> str:
    return f"eval/{name[5:]}" if name.startswith("eval_") else name


def _sniff(sample: bytes, _path: Path) -> bool:
    return sample.lstrip().startswith(b"{") and b'"log_history"' in sample


TRAINER_STATE = Format(
    "Hugging Face trainer_state.json",
    "`log_history` of `transformers.Trainer`, of a checkpoint or of the whole run",
    _sniff,
    lambda: read,
    rewritten=True,
)
