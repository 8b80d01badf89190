"""What the loss that this rank's train step returns stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod

from mswidget.collect.outputs.derived import Quotient


@dataclass(frozen=True)
class Share:
    """Brings a returned loss to the value that MindFormers' own log shows.

    Parameters
    ----------
    divisors
        What it is divided by, by MindFormers' names.
    why_no_loss
        Why the loss here means nothing; empty when it does.
    """

    divisors: Mapping[str, int] = field(default_factory=dict)
    why_no_loss: str = ""

    @property
    def divisor(self) -> int:
        """The product of all."""
        return prod(self.divisors.values())

    def of(self, values: Mapping[str, object]) -> Mapping[str, object]:
        """Return the values of a step as they are logged, unread.

        Where the loss is divided, ``loss_raw`` is what was returned; where it means
        nothing, it is left out with its parts.
        """
        if self.why_no_loss:
            return {name: v for name, v in values.items() if not _is_loss(name)}
        if self.divisor == 1 or "loss" not in values:
            return values
        raw = values["loss"]
        return {**values, "loss": Quotient(raw, self.divisor), "loss_raw": raw}


def _is_loss(name: str) -> bool:
    return name == "loss" or name.startswith("loss/")
