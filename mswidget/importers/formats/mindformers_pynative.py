"""Logs of MindFormers' PyNative trainer, whose steps are counted through."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mswidget.importers.formats.found import Fact, Found, Number, Point
from mswidget.importers.formats.lines import format_of, numbers

_STEP = re.compile(
    r"\{ step:\[\s*(\d{1,15})/\s*(\d{1,15})\], "
    r"((?:consumed_samples|global_batch_size|loss|per_step_time): .*?)\s*\}"
)
_STATE = re.compile(r"(?<!\], )\bstep:\[\s*(\d{1,15})/\s*(\d{1,15})\] ([^:]+): (.*)")
_PART = re.compile(r"(\w+):\s*([^,\s]+)")
_NO_LOSS = re.compile(r"\bloss:\s*N/A\b")
_WHY = "another stage of a pipeline has the loss, as its log says"
_NAMES = {"per_step_time": "step_time_ms", "throughput": "tflops_per_npu"}


def read_line(line: str) -> Sequence[Found] | None:
    """Return what a line says; None when it is none of these."""
    if match := _STEP.search(line):
        return _step(match)
    if match := _STATE.search(line):
        step, _, tag, value = match.groups()
        values = numbers({tag: value})
        return [Point(int(step), values)] if values else []
    return None


def _step(match: re.Match[str]) -> list[Found]:
    step, total, rest = match.groups()
    parts = dict(_PART.findall(rest))
    facts: dict[str, object] = {"total_steps": int(total)}
    if _NO_LOSS.search(rest):
        facts |= {"loss_valid": False, "loss_invalid_because": _WHY}
    size = parts.pop("global_batch_size", "")
    if size.isdecimal():
        facts["batch_size"] = float(size)
    return [Fact(facts), Point(int(step), _values(parts))]


def _values(parts: dict[str, str]) -> dict[str, float | Number]:
    # A norm that is NaN is printed as "nan"; "NaN" stands for none at all.
    if parts.get("grad_norm") == "NaN":
        del parts["grad_norm"]
    return numbers({_name(name): value for name, value in parts.items()})


def _name(name: str) -> str:
    part = name.removesuffix("_loss")
    return _NAMES.get(name, name) if part == name else f"loss/{part}"


PYNATIVE = format_of(
    "MindFormers log, PyNative trainer",
    "lines `{ step:[    5/  100], consumed_samples: 40, ..., loss:   1.659948, ...`",
    lambda: read_line,
)
