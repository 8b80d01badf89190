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
_EVAL = re.compile(
    r"\bvalidation loss at iteration (\d{1,15})(?: on (validation|test) set)? \|(.*)"
)
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


class Megatron:
    """Reads one log, line by line; an iteration may be wrapped over several."""

    def __init__(self) -> None:
        self._step = 0
        self._rest: str | None = None

    def __call__(self, line: str) -> Sequence[Found] | None:
        """Return what a line says; None when it is none of these."""
        if match := _STEP.search(line):
            self._step = int(match[1])
            values = self._whole_cells(match[3])
            return list(_iteration(self._step, int(match[2]), values))
        if self._rest is not None and "|" in line:
            values = self._whole_cells(self._rest + line)
            return [Point(self._step, values)] if values else []
        if match := _EVAL.search(line):
            return _evaluation(int(match[1]), match[2], _values(match[3]))
        if match := _SAVED.search(line):
            return [Happening("checkpoint", int(match[1]))]
        if _END in line:
            return [Happening("train_end")]
        return [] if line.startswith(("-----", "time (ms)")) else None

    def _whole_cells(self, text: str) -> dict[str, float | Number]:
        """Return what whole cells say; the next line may go on with the last."""
        cells, _, rest = text.rpartition("|")
        self._rest = rest if rest.strip() else None
        return _values(cells)


def _evaluation(
    step: int, of: str | None, values: dict[str, float | Number]
) -> list[Found]:
    if of == "test":
        values = {f"test/{n.removeprefix('eval/')}": v for n, v in values.items()}
        return [Point(step, values)]
    return [Point(step, values), Happening("eval", step, dict(_plain(values)))]


def _iteration(
    step: int, total: int, values: dict[str, float | Number]
) -> Iterator[Found]:
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
    Megatron,
)
