"""Which parameters are watched, and at which steps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from mswidget.records.parameters import Parameter

MOST_PARAMETERS = 32
MOST_NUMBERS = 2_000_000
INTERVAL = 50
SHARE = 0.01


@dataclass(frozen=True)
class Watch:
    """What a user wants to know of weights and gradients; see `TrainMonitor`."""

    chosen: bool | str | Sequence[str] = True
    interval: int | None = None
    gradients: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.chosen, bool) and not _are_patterns(self.chosen):
            raise ValueError(
                f"watch={self.chosen!r}: expected patterns of parameter names such as "
                "'*.attention.*' or a list of them, True for a choice, or False to "
                "watch none"
            )
        given = self.interval is not None
        if given and (type(self.interval) is not int or self.interval < 1):
            raise ValueError(
                f"watch_interval={self.interval!r}: expected a whole number of steps, "
                "at least 1, or None to choose"
            )
        if not isinstance(self.gradients, bool):
            raise ValueError(  # noqa: TRY004 - as for the other options
                f"watch_gradients={self.gradients!r}: expected True or False"
            )

    @property
    def share(self) -> float:
        """The most of the time that it may take.

        Clocks of ranks differ, and all of them have to ask for the same gradients.
        """
        return SHARE if self.interval is None and not self.gradients else 1.0


class Allowance:
    """Lets what is done now and then take a share of the time, and no more.

    Parameters
    ----------
    share
        Above 0; with 1 there is no limit.
    """

    def __init__(self, share: float) -> None:
        self._times_more = 1 / share - 1
        self._next_s = -math.inf

    def spend(self, spent_s: float, now_s: float) -> None:
        """Note what it has just taken."""
        self._next_s = now_s + self._times_more * spent_s

    def allows(self, now_s: float) -> bool:
        """Say whether it may be done again."""
        return now_s >= self._next_s


class Turns:
    """Tells whose turn it is: the first step's, then one in ``interval`` steps.

    Parameters
    ----------
    interval
        Is rounded up to a multiple of ``log_interval``: what is not logged has no turn.
    before
        The last step before these.
    """

    def __init__(self, interval: int, log_interval: int, before: int) -> None:
        self._interval = -(-interval // log_interval) * log_interval
        self._next = _after(before, log_interval)

    def is_due(self, step: int) -> bool:
        """Say whether it is the turn of a step that begins.

        In a data sink on an Ascend it is when a turn lies among the steps that end
        with it.
        """
        if step < self._next:
            return False
        self._next = _after(step, self._interval)
        return True


def _after(step: int, interval: int) -> int:
    return (step // interval + 1) * interval


def choose(found: Sequence[Parameter], watch: Watch) -> list[Parameter]:
    """Return the parameters, each with why it is not watched, if so.

    Without patterns, of the trainable ones: all if these are few and small, else the
    matrices among them, spread evenly from the first layer to the last, as many as
    `MOST_PARAMETERS` and `MOST_NUMBERS` allow.
    """
    if watch.chosen is False:
        return [replace(one, unwatched="watch=False") for one in found]
    if watch.chosen is not True:
        patterns = _patterns(watch.chosen)
        return [_if_matching(one, patterns) for one in found]
    reasons = _reasons([one for one in found if one.trainable])
    return [replace(one, unwatched=reasons.get(one.name, "frozen")) for one in found]


def explain(chosen: Sequence[Parameter], watch: Watch) -> list[str]:
    """Return what the user should know of the choice."""
    if watch.chosen is False:
        return []
    if watch.chosen is True:
        return _explain_bounds([one for one in chosen if one.trainable])
    names = [one.name for one in chosen]
    return [
        f"watch: {pattern!r} matches none of the {len(names)} parameters, such as "
        f"{', '.join(names[:10])}"
        for pattern in _patterns(watch.chosen)
        if not any(fnmatchcase(name, pattern) for name in names)
    ]


def _explain_bounds(trainable: Sequence[Parameter]) -> list[str]:
    count = sum(one.watched for one in trainable)
    text = (
        f"statistics are taken of {count} of {len(trainable)} trainable parameters: "
        "run.parameters() tells which, watch='*.attention.*' chooses others"
    )
    return [text] if count < len(trainable) else []


def _are_patterns(chosen: object) -> bool:
    if not isinstance(chosen, Sequence) or not chosen:
        return False
    return all(isinstance(one, str) for one in chosen)


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
