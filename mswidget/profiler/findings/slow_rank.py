"""Which rank the others wait for, and why."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

_TIMES = ["computing_us", "free_us", "communication_not_overlapped_us", "step_us"]
_WORTH_SAYING = 0.05  # of the step
_CAUSES = {
    "computing_us": "they compute longer",
    "free_us": "their devices are idle longer, so the host or the data are slow there",
}


@dataclass(frozen=True)
class SlowRanks:
    """The ranks that the others wait for.

    Parameters
    ----------
    numbers
        Those nearer to the slowest than to the fastest, the slowest first.
    cause
        What the slowest does longer than the others, in words.
    late_us
        How much later than the ranks on average it comes to communicate, a step: what
        a step could gain at most were all ranks alike.
    share
        ``late_us`` as a part of a step.
    ranks
        The mean times of all ranks, the slowest first.
    """

    numbers: tuple[int, ...]
    cause: str
    late_us: float
    share: float
    ranks: pd.DataFrame

    def __str__(self) -> str:
        several = "s" if self.numbers[1:] else ""
        return f"rank{several} {', '.join(map(str, self.numbers))}"


def compare_ranks(steps: pd.DataFrame) -> SlowRanks | None:
    """Return the slow ranks, none where all are alike or fewer than two are known.

    What a rank computes or idles before it communicates is its own; that it waits in
    communication is the others' fault.

    Parameters
    ----------
    steps
        As of `step_times.step_times`.
    """
    ranks = times_of_ranks(steps)
    if len(ranks) < 2:  # noqa: PLR2004 - one cannot be slower than itself
        return None
    slowest, mean, own = ranks.iloc[0], ranks.mean(), ranks["own_us"]
    late, step = slowest["own_us"] - mean["own_us"], mean["step_us"]
    if not step or late < _WORTH_SAYING * step:
        return None
    cause = max(_CAUSES, key=lambda column: slowest[column] - mean[column])
    slow = ranks.index[own > (own.iloc[0] + own.iloc[-1]) / 2]
    numbers = tuple(int(rank) for rank in slow)
    return SlowRanks(numbers, _CAUSES[cause], late, late / step, ranks.reset_index())


def times_of_ranks(steps: pd.DataFrame) -> pd.DataFrame:
    """Return the mean times of the steps that all ranks have, the slowest rank first.

    ``own_us`` is what a rank computes or idles.
    """
    known = steps.dropna(subset=["rank", *_TIMES])
    counts = known.groupby("step", dropna=False)["rank"].transform("nunique")
    shared = known[counts == known["rank"].nunique()]
    ranks = shared.groupby("rank")[_TIMES].mean().astype(float)
    ranks = ranks.assign(own_us=ranks["computing_us"] + ranks["free_us"])
    return ranks.sort_values("own_us", ascending=False, kind="stable")
