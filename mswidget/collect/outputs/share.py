"""What the loss that this rank's train step returns stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod

from mswidget.collect.outputs.derived import Quotient


@dataclass(frozen=True)
class Share:
    """Brings a returned loss to the value of one batch.

    Parameters
    ----------
    divisors
        What it is divided by, by MindFormers' names.
    because
        Why it is divided, in words.
    doubt
        What the user should know of a loss that may have to be divided; else empty.
    why_no_loss
        Why the loss here means nothing; empty when it does.
    """

    divisors: Mapping[str, int] = field(default_factory=dict)
    because: str = ""
    doubt: str = ""
    why_no_loss: str = ""

    @property
    def notice(self) -> str:
        """What the user should know of the loss; empty when it is as returned."""
        if self.why_no_loss:
            return f"no loss on this rank: {self.why_no_loss}"
        if not self.divisors:
            return self.doubt
        by = " and ".join(f"{name} = {n}" for name, n in self.divisors.items())
        returned = f"loss_raw, which was returned, divided by {by}"
        return f"loss is derived: {returned}, {self.because}"

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
