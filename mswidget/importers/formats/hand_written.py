"""JSON lines of monitors that people write themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mswidget.importers.formats.found import (
    EpochStep,
    Found,
    Happening,
    Note,
    Number,
    Point,
)
from mswidget.importers.formats.json_text import (
    flat,
    read_object,
    to_epoch,
    to_step,
    to_time,
)
from mswidget.importers.formats.lines import format_of

_STEPS = ("global_step", "step", "_step", "iteration", "iter")
_IN_EPOCH = ("step", "iteration", "iter")
_TIMES = ("timestamp", "_timestamp", "time", "wall_time", "ts")
_TOTALS = ("loss/loss", "loss/total", "loss/total_loss")
_OTHER = {*_STEPS, *_TIMES, "epoch", "rank", "event", "attempt"}
_LONGEST = 10
_EPOCHS = Note("its lines have an epoch and no step: a step here is an epoch")


def read_line(line: str) -> Sequence[Found] | None:
    """Return what a line says; None when it is none of these."""
    values = read_object(line)
    if values is None:
        return None
    key = next((k for k in _STEPS if to_step(values.get(k)) is not None), "epoch")
    step = to_step(values.get(key))
    if step is None or (key == "epoch" and not any("loss" in k for k in values)):
        return None
    time_s, rank = to_time(values, _TIMES), _rank(values)
    if step == -1:
        return [Happening("train_end", None, {}, time_s, rank)]
    place = _place(values, key, step)
    if event := values.get("event"):
        fields = {k: _plain(v) for k, v in values.items() if k not in _OTHER}
        return [Happening(str(event), place, fields, time_s, rank)]
    epoch = to_epoch(values.get("epoch")) if isinstance(place, int) else None
    notes = [_EPOCHS] if key == "epoch" else []
    return [*notes, Point(place, _values(values), epoch, time_s, rank)]


def _place(values: Mapping[str, object], key: str, step: int) -> int | EpochStep:
    """Return the step; one that stands beside a whole epoch may be within it."""
    epoch = values.get("epoch")
    whole = isinstance(epoch, Number) and epoch.isdecimal() and len(epoch) < _LONGEST
    if key not in _IN_EPOCH or not whole:
        return step
    return EpochStep(int(str(epoch)), step, sure=False)


def _rank(values: Mapping[str, object]) -> int | None:
    rank = to_step(values.get("rank"))
    return rank if rank is not None and rank >= 0 else None


def _values(values: Mapping[str, object]) -> dict[str, float | Number]:
    kept = {key: value for key, value in values.items() if key not in _OTHER}
    seconds = {
        key: value
        for key in _TIMES
        if isinstance(value := values.get(key), Number)
        and to_time(values, (key,)) is None
    }
    named = {("loss" if n in _TOTALS else n): value for n, value in flat(kept)}
    return {**named, **seconds}


def _plain(value: object) -> object:
    return float(value) if isinstance(value, Number) else value


def is_own(sample: bytes) -> bool:
    """Say whether a file's lines are mswidget's, which name an attempt each."""
    return b'"attempt": "' in sample and b'"timestamp": ' in sample


_ANY = format_of(
    "JSON lines with a step",
    '`{"step": 5, "loss": 0.5, "lr": 1e-4, "timestamp": ..., "rank": 0}`, the loss a '
    "number or an object; `step: -1` ends; `<model>_rank<r>.jsonl`",
    lambda: read_line,
)
HAND_WRITTEN = replace(
    _ANY, sniff=lambda sample, path: not is_own(sample) and _ANY.sniff(sample, path)
)
