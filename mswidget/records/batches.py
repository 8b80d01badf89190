"""Which batch of which epoch a step was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from typing_extensions import Self

from mswidget.records.begin import inside


@dataclass(frozen=True)
class Batches:
    """What the begin of a training says of its batches.

    ``seed`` is that of MindSpore's dataset; None where every run has its own order.
    """

    steps_per_epoch: int
    seed: int | None

    @classmethod
    def of(cls, begin: Mapping[str, object]) -> Self | None:
        """Return it from the fields of ``train_begin``; None where they do not say."""
        steps = begin.get("steps_per_epoch")
        if type(steps) is not int or steps < 1:
            return None
        seed = inside(inside(begin, "config"), "data").get("seed")
        return cls(steps, seed if type(seed) is int else None)

    def words(self, step: int, epoch: int | None) -> str:
        """Return the batch of a step, to be put behind a sentence.

        Empty when the epoch that was logged is another than that of the step: after
        a change of the data nobody can count.
        """
        before, batch = divmod(step - 1, self.steps_per_epoch)
        if epoch != before + 1:
            return ""
        seed = "" if self.seed is None else f", dataset seed {self.seed}"
        of = f"batch {batch + 1} of {self.steps_per_epoch} in epoch {epoch}"
        return f" ({of}{seed})"
