"""Which parameters are watched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from mswidget.collect.options.weight_options import WeightOptions
from mswidget.records.parameters import Parameter

MOST_PARAMETERS = 32
MOST_NUMBERS = 2_000_000


def choose(found: Sequence[Parameter], options: WeightOptions) -> list[Parameter]:
    """Return the parameters, each with why it is not watched, if so.

    Without patterns, of the trainable ones: all if these are few and small, else the
    matrices among them, spread evenly from the first layer to the last, as many as
    `MOST_PARAMETERS` and `MOST_NUMBERS` allow.
    """
    if options.watch is False:
        return [replace(one, unwatched="watch=False") for one in found]
    if options.watch is not True:
        patterns = _patterns(options.watch)
        return [_if_matching(one, patterns) for one in found]
    reasons = _reasons([one for one in found if one.trainable])
    return [replace(one, unwatched=reasons.get(one.name, "frozen")) for one in found]


def explain(chosen: Sequence[Parameter], options: WeightOptions) -> list[str]:
    """Return what the user should know of the choice."""
    if options.watch is False:
        return []
    if options.watch is True:
        return _explain_bounds([one for one in chosen if one.trainable])
    names = [one.name for one in chosen]
    return [
        f"watch: {pattern!r} matches none of the {len(names)} parameters, such as "
        f"{', '.join(names[:10])}"
        for pattern in _patterns(options.watch)
        if not any(fnmatchcase(name, pattern) for name in names)
    ]


def _explain_bounds(trainable: Sequence[Parameter]) -> list[str]:
    count = sum(one.watched for one in trainable)
    text = (
        f"statistics are taken of {count} of {len(trainable)} trainable parameters: "
        "run.parameters() tells which, watch='*.attention.*' chooses others"
    )
    return [text] if count < len(trainable) else []


def _patterns(chosen: str | Sequence[str]) -> Sequence[str]:
    return [chosen] if isinstance(chosen, str) else chosen


def _if_matching(one: Parameter, patterns: Sequence[str]) -> Parameter:
    matches = any(fnmatchcase(one.name, pattern) for pattern in patterns)
    return replace(one, unwatched="" if matches else "does not match watch=")


def _reasons(trainable: Sequence[Parameter]) -> Mapping[str, str]:
    """Return by name why a trainable parameter is not watched by default."""
    small = [one for one in trainable if one.size <= MOST_NUMBERS]
    why = dict.fromkeys((one.name for one in trainable), "too large: watch= chooses")
    why |= dict.fromkeys((one.name for one in small), "one of many: watch= chooses")
    return why | dict.fromkeys((one.name for one in _few(small)), "")


def _few(small: Sequence[Parameter]) -> Sequence[Parameter]:
    if _fit(small):
        return small
    matrices = [one for one in small if len(one.shape) > 1] or small
    counts = range(min(MOST_PARAMETERS, len(matrices)), 1, -1)
    spread = (_spread(matrices, count) for count in counts)
    return next(filter(_fit, spread), matrices[:1])


def _fit(parameters: Sequence[Parameter]) -> bool:
    numbers = sum(one.size for one in parameters)
    return len(parameters) <= MOST_PARAMETERS and numbers <= MOST_NUMBERS


def _spread(parameters: Sequence[Parameter], count: int) -> list[Parameter]:
    """Return so many of them, the first and the last among them."""
    last = len(parameters) - 1
    return [parameters[round(i * last / (count - 1))] for i in range(count)]
