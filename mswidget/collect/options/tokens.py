"""The units of language models, from what the user knows of his own."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Tokens:
    """How many tokens a sample has, and what they cost.

    Parameters
    ----------
    per_sample
        The sequence length.
    flops_per_token
        Of forward and backward together; None when nobody asks.
    peak_tflops
        What one NPU could do, for the data type in use; None when nobody asks.
    """

    per_sample: float | None = None
    flops_per_token: float | None = None
    peak_tflops: float | None = None

    def __post_init__(self) -> None:
        _check("tokens_per_sample", self.per_sample)
        _check("flops_per_token", self.flops_per_token, self.per_sample)
        _check("peak_tflops", self.peak_tflops, self.flops_per_token)

    def rates(self, samples_per_s: float | None) -> dict[str, float]:
        """Return what follows from a rate of samples; empty when nothing does."""
        if samples_per_s is None or self.per_sample is None:
            return {}
        rates = {"tokens_per_s": samples_per_s * self.per_sample}
        if self.flops_per_token is not None:
            tflops = rates["tokens_per_s"] * self.flops_per_token / 1e12
            rates["tflops_per_npu"] = tflops
            if self.peak_tflops is not None:
                rates["mfu"] = tflops / self.peak_tflops
        return rates


_NEEDS = {"flops_per_token": "tokens_per_sample", "peak_tflops": "flops_per_token"}


def _check(name: str, value: object, needed: object = 1) -> None:
    """Raise ``ValueError`` unless a value is None, or positive with what it needs."""
    if value is None:
        return
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 < value < math.inf:  # type: ignore[operator]
        message = f"{name} must be a number above 0; found {value!r}"
        raise ValueError(message)
    if needed is None:
        message = f"{name} says nothing without {_NEEDS[name]}: give it as well"
        raise ValueError(message)
