"""``trainer_log.jsonl`` of LLaMA-Factory."""

from __future__ import annotations

from collections.abc import Sequence

from mswidget.importers.formats.found import Fact, Found, Number, Point
from mswidget.importers.formats.json_text import flat, read_object, to_epoch, to_step
from mswidget.importers.formats.lines import format_of

_NOT_VALUES = ("current_steps", "total_steps", "epoch", "percentage")
_NAMES = {
    "eval_loss": "eval/loss",
    "predict_loss": "eval/predict_loss",
    "throughput": "tokens_per_s",
}


def read_line(line: str) -> Sequence[Found] | None:
    """Return what a line says; None when it is none of these."""
    values = read_object(line) or {}
    step = to_step(values.get("current_steps"))
    if step is None:
        return None
    kept = {k: v for k, v in values.items() if k not in _NOT_VALUES}
    numbers: dict[str, float | Number] = {_NAMES.get(n, n): v for n, v in flat(kept)}
    total = to_step(values.get("total_steps"))
    return [
        Fact({"total_steps": total}),
        Point(step, numbers, to_epoch(values.get("epoch"))),
    ]


LLAMA_FACTORY = format_of(
    "LLaMA-Factory trainer_log.jsonl",
    '`{"current_steps": 10, "total_steps": 100, "loss": 1.5, "lr": ...}`',
    lambda: read_line,
)
