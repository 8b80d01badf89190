"""A metric that the user computes himself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mswidget.collect.options.options import check_count
from mswidget.collect.steps.params import Params


@dataclass(frozen=True)
class OwnMetric:
    """A function of the user's, called every so many steps; see `add_metric`."""

    name: str
    call: Callable[[Params], object]
    every: int

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise TypeError(
                "a metric's name must be text, such as 'eval/bleu'; found "
                f"{self.name!r}"
            )
        if not callable(self.call):
            raise TypeError(
                f"metric {self.name!r} must be a function of MindSpore's callback "
                f"parameters that returns a number; found {type(self.call).__name__}"
            )
        check_count("every", self.every, least=1)
