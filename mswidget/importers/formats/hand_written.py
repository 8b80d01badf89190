"""JSON lines of monitors that people write themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mswidget.importers.formats.found import Found, Happening, Number, Point
from mswidget.importers.formats.json_text import (
    flat,
    read_object,
    to_epoch,
    to_step,
    to_time,
)
from mswidget.importers.formats.lines import format_of

_STEPS = ("step", "global_step", "iteration", "iter")
_TIMES = ("timestamp", "time", "wall_time", "ts")
_TOTALS = ("loss/loss", "loss/total", "loss/total_loss")
_OTHER = {*_STEPS, *_TIMES, "epoch", "rank", "event", "attempt"}


def read_line(line: str) -> Sequence[Found] | None:
    """Return what a line says; None when it is none of these."""
    values = read_object(line)
    step = None if values is None else _step(values)
    if values is None or step is None:
        return None
    time_s, rank = to_time(values, _TIMES), _rank(values)
    event = values.get("event")
    if step == -1:
        return [Happening("train_end", None, {}, time_s, rank)]
    if step < 0:
        return []
    if event:
        fields = {k: _plain(v) for k, v in values.items() if k not in _OTHER}
        return [Happening(str(event), step, fields, time_s, rank)]
    return [Point(step, _values(values), to_epoch(values.get("epoch")), time_s, rank)]


def _step(values: Mapping[str, object]) -> int | None:
    steps = (to_step(values.get(key)) for key in _STEPS)
    return next((step for step in steps if step is not None), None)


def _rank(values: Mapping[str, object]) -> int | None:
    rank = to_step(values.get("rank"))
    return rank if rank is not None and rank >= 0 else None


def _values(values: Mapping[str, object]) -> dict[str, float | Number]:
    kept = {key: value for key, value in values.items() if key not in _OTHER}
    return {("loss" if n in _TOTALS else n): value for n, value in flat(kept)}


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
