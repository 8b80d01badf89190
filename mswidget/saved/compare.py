"""Runs side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mswidget.metrics import describe
from mswidget.records.axis import Align, check_align, positions
from mswidget.records.best import VALUES, final_and_best
from mswidget.records.rank import Rank
from mswidget.saved.difference import ERRORS, Difference, Placed, difference
from mswidget.saved.labels import labels
from mswidget.saved.run import SavedRun
from mswidget.saved.settings import settings_table

if TYPE_CHECKING:
    import pandas as pd

TOLERANCE = 0.01
"""A run that is farther from its baseline than this share of it is told."""
_UNKNOWN: dict[Align, str] = {
    "time": "when it began",
    "epoch": "how many steps an epoch has",
    "samples": "how many samples a step has",
    "tokens": "how many tokens a step has",
}
Key = tuple[str, str]


class Comparison:
    """Tables of how runs differ.

    Parameters
    ----------
    runs
        Each is compared by the first of its ranks whose loss means something. Those of
        one name are told apart by the folders that they are in: see `labels`.
    baseline
        The one of them that the others are held against.
    align
        Compare what the runs have at the same ``step``, ``epoch``, ``time`` since the
        begin, ``samples`` or ``tokens``. Only values at the very same step are
        compared by ``step``; by the others, a run's value is compared to the straight
        line between the baseline's two neighbours.
    tolerance
        A share of the baseline. Default: `TOLERANCE`; by ``step`` a learning rate is
        held to the last bits of float32, for it follows from the settings alone.

    Raises
    ------
    ValueError
        For a baseline or an alignment that does not exist.
    """

    def __init__(
        self,
        runs: Sequence[SavedRun],
        baseline: str | None = None,
        *,
        align: str = "step",
        tolerance: float | None = None,
    ) -> None:
        self.runs = dict(zip(labels([run.path for run in runs]), runs, strict=True))
        if baseline is not None and baseline not in self.runs:
            message = f"baseline={baseline!r}: expected one of {[*self.runs]}"
            raise ValueError(message)
        self.baseline = baseline
        self.align = check_align(align)
        self.tolerance = tolerance

    @cached_property
    def settings(self) -> pd.DataFrame:
        """The settings that differ; see `settings_table`."""
        facts = {n: {**r.facts, **self.rank(n).begin} for n, r in self.runs.items()}
        return settings_table(facts)

    @cached_property
    def values(self) -> pd.DataFrame:
        """Final and best values, by metric and run.

        Index ``metric``, ``run``; ``final`` and ``final_step`` of the last value,
        ``best`` and ``best_step`` of the first best finite one, ``better``: which
        direction is good, empty when nobody knows and then without a best;
        ``nonfinite``: how many values are not finite.
        """
        rows = (
            ((metric, name), final_and_best(metric, curve))
            for metric in self.metrics
            for name in self.runs
            if (curve := self.rank(name).curves.get(metric)) and len(curve.steps)
        )
        return _table(rows, VALUES)

    @cached_property
    def errors(self) -> pd.DataFrame:
        """How far the runs are from the baseline, by metric and run; empty without one.

        Index ``metric``, ``run``; ``points``: how many pairs of values there are; mean
        and largest distance, ``absolute`` and as a share of the baseline, ``relative``;
        ``max_absolute_step``: where the largest is; ``nonfinite_apart``: where one of
        both is not finite and the other not the same; ``first_step_beyond``: the run's
        first step beyond the tolerance and what rounding explains; ``rounding``: how
        far values may be apart, at most, since they were printed with few digits.
        """
        differences = self._differences(self.metrics)
        rows = ((k, d.errors(self._allowed(k[0]))) for k, d in differences)
        return _table(rows, ERRORS)

    def differences(self, metric: str = "loss") -> pd.DataFrame:
        """Return a metric's distance to the baseline, value by value.

        Returns
        -------
        DataFrame
            ``run``; ``x`` on the axis of alignment; the run's ``step`` and ``value``
            there; ``baseline``, ``absolute`` and ``relative``: see `Difference`.
        """
        # pandas takes a second to import, and a rank's script never needs it.
        import pandas as pd  # noqa: PLC0415

        frames = [_series(run, d) for (_, run), d in self._differences([metric])]
        empty = Difference(*np.empty((5, 0)))
        return pd.concat(frames or [_series("", empty)], ignore_index=True)

    def difference(self, run: str, metric: str) -> Difference | None:
        """Return how far a run is from the baseline; None where nobody can say."""
        if self.baseline is None or run == self.baseline:
            return None
        mine, base = (self._placed(name, metric) for name in (run, self.baseline))
        if mine is None or base is None:
            return None
        return difference(mine, base, between=self.align != "step")

    def rank(self, run: str) -> Rank:
        """Return the rank by which a run is compared."""
        return self.runs[run].ranks.main

    @property
    def metrics(self) -> list[str]:
        """The metrics of all runs."""
        return list(
            dict.fromkeys(m for run in self.runs for m in self.rank(run).curves)
        )

    @property
    def notes(self) -> list[str]:
        """Which runs cannot be aligned, and why."""
        return [
            f"{name} is left out: {_UNKNOWN[self.align]} is not known"
            for name in self.runs
            if self.rank(name).units.of(self.align) is None
        ]

    def _allowed(self, metric: str) -> float | None:
        """Return the tolerance of a metric; None for the last bits."""
        if self.tolerance is not None:
            return self.tolerance
        # A straight line between two values of a curve is no value of the curve.
        exact = self.align == "step" and describe(metric).planned
        return None if exact else TOLERANCE

    def _placed(self, name: str, metric: str) -> Placed | None:
        rank = self.rank(name)
        curve = rank.curves.get(metric)
        if curve is None:
            return None
        places = positions(curve, self.align, rank.units)
        if places is None:
            return None
        how = rank.rounding.get(metric)
        exact = np.zeros(len(curve.values))
        return Placed(places, curve, exact if how is None else how.of(curve.values))

    def _differences(self, metrics: Iterable[str]) -> Iterator[tuple[Key, Difference]]:
        for metric in metrics:
            for name in self.runs:
                apart = self.difference(name, metric)
                if apart is not None:
                    yield (metric, name), apart


def _series(run: str, apart: Difference) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415

    columns = {
        "run": run,
        "x": apart.x,
        "step": apart.steps.astype(np.int64),
        "value": apart.values,
        "baseline": apart.baseline,
        "absolute": apart.absolute,
        "relative": apart.relative,
    }
    series: pd.DataFrame = pd.DataFrame(columns)
    return series


def _table(
    rows: Iterable[tuple[Key, Mapping[str, object]]], types: Mapping[str, str]
) -> pd.DataFrame:
    # pandas takes a second to import, and a rank's script never needs it.
    import pandas as pd  # noqa: PLC0415

    by_key = dict(rows)
    index = pd.MultiIndex.from_tuples([*by_key], names=["metric", "run"])
    table = pd.DataFrame([*by_key.values()], index=index, columns=[*types])
    typed: pd.DataFrame = table.astype(dict(types))
    return typed
