"""Which parameters are watched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from mswidget.collect.options.weight_options import WeightOptions
from mswidget.records.parameters import Parameter

MOST_PARAMETERS = 32
MOST_NUMBERS = 2_000_000


def choose(parameters: Sequence[Parameter], options: WeightOptions) -> list[Parameter]:
    """Return the parameters, each with why it is not watched, if so.

    Without patterns, of the trainable ones: all if these are few and small, else the
    matrices among them, spread evenly from the first layer to the last, as many as
    `MOST_PARAMETERS` and `MOST_NUMBERS` allow.
    """
    if options.watch is False:
        return [replace(each, unwatched="watch=False") for each in parameters]
    if options.watch is not True:
        patterns = _patterns(options.watch)
        return [_if_matching(each, patterns) for each in parameters]
    reasons = _reasons([each for each in parameters if each.trainable])
    return [
        replace(each, unwatched=reasons.get(each.name, "frozen")) for each in parameters
    ]


def explain(chosen: Sequence[Parameter], options: WeightOptions) -> list[str]:
    """Return what the user should know of the choice."""
    if options.watch is False:
        return []
    if options.watch is True:
        return _explain_bounds([each for each in chosen if each.trainable])
    names = [each.name for each in chosen]
    return [
        f"watch: {pattern!r} matches none of the {len(names)} parameters, such as "
        f"{', '.join(names[:10])}"
        for pattern in _patterns(options.watch)
        if not any(fnmatchcase(name, pattern) for name in names)
    ]


def _explain_bounds(trainable: Sequence[Parameter]) -> list[str]:
    count = sum(each.watched for each in trainable)
    text = (
        f"statistics are taken of {count} of {len(trainable)} trainable parameters: "
        "run.parameters() tells which, watch='*.attention.*' chooses others"
    )
    return [text] if count < len(trainable) else []


def _patterns(chosen: str | Sequence[str]) -> Sequence[str]:
    return [chosen] if isinstance(chosen, str) else chosen


def _if_matching(parameter: Parameter, patterns: Sequence[str]) -> Parameter:
    matches = any(fnmatchcase(parameter.name, pattern) for pattern in patterns)
    return replace(parameter, unwatched="" if matches else "does not match watch=")


def _reasons(trainable: Sequence[Parameter]) -> Mapping[str, str]:
    """Return by name why a trainable parameter is not watched by default."""
    small = [each for each in trainable if each.size <= MOST_NUMBERS]
    why = dict.fromkeys((each.name for each in trainable), "too large: watch= chooses")
    why |= dict.fromkeys((each.name for each in small), "one of many: watch= chooses")
    return why | dict.fromkeys((each.name for each in _few(small)), "")


def _few(small: Sequence[Parameter]) -> Sequence[Parameter]:
    if _fit(small):
        return small
    matrices = [each for each in small if len(each.shape) > 1] or small
    counts = range(min(MOST_PARAMETERS, len(matrices)), 1, -1)
    spread = (_spread(matrices, count) for count in counts)
    return next(filter(_fit, spread), matrices[:1])


def _fit(parameters: Sequence[Parameter]) -> bool:
    numbers = sum(each.size for each in parameters)
    return len(parameters) <= MOST_PARAMETERS and numbers <= MOST_NUMBERS


def _spread(parameters: Sequence[Parameter], count: int) -> list[Parameter]:
    """Return so many of them, the first and the last among them."""
    last = len(parameters) - 1
    return [parameters[round(i * last / (count - 1))] for i in range(count)]
