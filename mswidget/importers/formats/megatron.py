"""Logs of Megatron-LM and what is made from it: MindSpeed-LLM, Megatron-DeepSpeed."""

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
from mswidget.importers.formats.lines import format_of, numbers

_STEP = re.compile(r"\biteration\s+(\d{1,15})/\s*(\d{1,15}) \|(.*)")
_EVAL = re.compile(r"\bvalidation loss at iteration (\d{1,15}) \|(.*)")
_SAVED = re.compile(r"successfully saved checkpoint (?:at|from) iteration\s+(\d{1,15})")
_END = "[after training is done]"
_NAMES = {
    "consumed samples": "consumed_samples",
    "consumed tokens": "consumed_tokens",
    "elapsed time per iteration (ms)": "step_time_ms",
    "throughput per GPU (TFLOP/s/GPU)": "tflops_per_npu",
    "TFLOPs": "tflops_per_npu",
    "learning rate": "lr",
    "global batch size": "batch_size",
    "lm loss": "loss",
    "loss scale": "loss_scale",
    "grad norm": "grad_norm",
    "number of skipped iterations": "skipped_iterations",
    "number of nan iterations": "nan_iterations",
    "lm loss value": "eval/loss",
    "lm loss PPL": "eval/perplexity",
}
_MEANS = Note("losses and times are means over the iterations since the line before")


def read_line(line: str) -> Sequence[Found] | None:
    """Return what a line says; None when it is none of these."""
    if match := _STEP.search(line):
        return list(_step(int(match[1]), int(match[2]), _values(match[3])))
    if match := _EVAL.search(line):
        step, values = int(match[1]), _values(match[2])
        return [Point(step, values), Happening("eval", step, dict(_plain(values)))]
    if match := _SAVED.search(line):
        return [Happening("checkpoint", int(match[1]))]
    if _END in line:
        return [Happening("train_end")]
    return [] if line.startswith(("-----", "time (ms)")) else None


def _step(step: int, total: int, values: dict[str, float | Number]) -> Iterator[Found]:
    facts = {"total_steps": total}
    if "batch_size" in values:
        facts |= {"batch_size": float(values["batch_size"])}  # type: ignore[dict-item]
    yield Fact(facts)
    yield _MEANS
    time_s = values.pop("current time", None)
    yield Point(step, values, wall_time_s=None if time_s is None else float(time_s))
    if float(values.get("skipped_iterations", 0)) > 0:
        yield Happening("skipped", step)


def _values(text: str) -> dict[str, float | Number]:
    cells = (cell.partition(":") for cell in text.split("|"))
    return numbers({_name(name.strip()): value for name, _, value in cells if value})


def _name(name: str) -> str:
    if name in _NAMES:
        return _NAMES[name]
    part = re.sub(r"[ _]loss$", "", name)
    return name if part == name else f"loss/{part}"


def _plain(values: dict[str, float | Number]) -> Iterator[tuple[str, float]]:
    for name, value in values.items():
        yield name.removeprefix("eval/"), float(value)


MEGATRON = format_of(
    "Megatron or MindSpeed log",
    "lines ` iteration       5/     100 | consumed samples: ... | lm loss: 1.66E+00`",
    lambda: read_line,
)
