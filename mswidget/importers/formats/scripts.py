"""What the training scripts of model collections print, a form of line each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mswidget.importers.formats.found import EpochStep, Found, Number, Point
from mswidget.importers.formats.lines import NUMBER, format_of, number

_OF = r"\s*/\s*\d{1,9}"
_IN = r"(?P<step>\d{1,9})\s*/\s*(?P<length>\d{1,9})"
_PART = re.compile(
    r"([A-Za-z][\w/.]*(?: [A-Za-z][\w/.]*){0,4})\s*[:=]\s*[\[(]?"
    rf"({NUMBER})(?:/({NUMBER}))?[\])]?\s*(ms|s|m)?\b"
)
_NAMES = {
    "learning_rate": "lr",
    "time": "step_time_ms",
    "step time": "step_time_ms",
    "per step time": "step_time_ms",
    "data_time": "data_time_ms",
    "train loss": "loss",
    "fps": "samples_per_s",
}
_OTHER = {"eta", "memory", "epoch", "step"}


@dataclass(frozen=True)
class _Form:
    """A form of line: whose it is, where it stands, and the usual first step."""

    whose: str
    place: re.Pattern[str]
    first: int = 1
    sure: bool = True
    unit_ms: float = 1.0
    """Of times without a unit."""


def _form(whose: str, place: str, **how: float) -> _Form:
    return _Form(whose, re.compile(place), **how)  # type: ignore[arg-type]


_FORMS = (
    _form(
        "MobileNet", rf"epoch: \[\s*(?P<epoch>\d+){_OF}\], step:\[\s*{_IN}\], ", first=0
    ),
    _form("MindCV", rf"Epoch: \[\s*(?P<epoch>\d+){_OF}\], batch: ?\[\s*{_IN}\], "),
    _form("MindOCR", rf"epoch: \[\s*(?P<epoch>\d+){_OF}\] step: \[?\s*{_IN}\]?, "),
    _form("MindYOLO", rf"Epoch (?P<epoch>\d+){_OF}, Step {_IN}, "),
    _form(
        "mmcv",
        rf"Epoch(?:\(train\))?\s*\[(?P<epoch>\d+)\]\[\s*{_IN}\]\s+",
        unit_ms=1000.0,
    ),
    _form(
        "MindFormers' experimental trainer",
        r"\btrain: Epoch:\s*(?P<epoch>\d+), Step:\s*(?P<step>\d+), (?=Loss:)",
        sure=False,
    ),
    _form("MindFlow", r"\bepoch: (?P<only>\d+),? (?=train loss: )"),
    _form("SciAI", r"(?:^|[\s\]])step: (?P<step>\d+), (?=loss\w*: )"),
    _form("verl", r"\bstep:(?P<step>\d+) - (?=\S+/\S+:)", unit_ms=1000.0),
)


def read_line(line: str) -> Sequence[Found] | None:
    """Return what a line says; None when it is none of these."""
    if ":" not in line:
        return None
    for form in _FORMS:
        if match := form.place.search(line):
            values = _values(line[match.end() :], form)
            return [Point(_place(match, form), values)] if values else None
    return None


def _place(match: re.Match[str], form: _Form) -> int | EpochStep:
    groups = {name: int(text) for name, text in match.groupdict().items() if text}
    if "only" in groups:
        return groups["only"]
    step, length = groups["step"], groups.get("length")
    if "epoch" not in groups:
        return step
    return EpochStep(groups["epoch"], step, length, form.first, sure=form.sure)


def _values(text: str, form: _Form) -> dict[str, float | Number]:
    values: dict[str, float | Number] = {}
    for printed_name, first, second, unit in _PART.findall(text):
        name = _name(printed_name)
        value = number(first)
        if name in _OTHER or value is None:
            continue
        values[name] = _ms(value, unit, form) if name.endswith("_ms") else value
        if second and name == "loss" and (mean := number(second)) is not None:
            values["loss_epoch_mean"] = mean
    return values


def _name(printed: str) -> str:
    name = printed.lower() if printed == "Loss" else printed
    part = re.fullmatch(r"loss_(\w+)|(\w+)_loss", name)
    if part:
        return f"loss/{part[1] or part[2]}"
    return _NAMES.get(name, name.replace(" ", "_"))


def _ms(value: Number, unit: str, form: _Form) -> float | Number:
    factor = {"ms": 1.0, "s": 1000.0}.get(unit, form.unit_ms)
    return value if factor == 1 else round(float(value) * factor, 9)


SCRIPTS = format_of(
    "output of a known training script",
    "step lines of " + ", ".join(form.whose for form in _FORMS),
    lambda: read_line,
)
