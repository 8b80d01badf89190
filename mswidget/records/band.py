"""What the ranks of a run have in common, step by step."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mswidget.metrics import describe
from mswidget.records.history import History, Rows

Stat = Literal["min", "mean", "median", "max"]
STATS: tuple[Stat, ...] = ("min", "mean", "median", "max")
Column = tuple[NDArray[np.int64], NDArray[np.float64]]
_STEPS = 10_000
_OF_ONE_RANK = ("distributions", "layers")


class Band:
    """Lowest, mean, median and highest value over the ranks, for each step and metric.

    A step is done when every rank that is waited for has gone beyond it: until then
    an evaluation may still log at it. What a rank logs at a step that is done is left
    out, unless a new attempt trains it again: then its row comes again. Values that
    are not finite are left out and counted; where no rank has a finite one, NaN
    stands. Distributions and layers, hundreds of metrics, are those of single ranks.
    """

    def __init__(self) -> None:
        self.histories: dict[Stat, History] = {stat: History() for stat in STATS}
        """Rows as of a rank, for each statistic."""
        self.farthest: dict[str, int] = {}
        """By metric: the rank farthest from the median at its last step done."""
        self.nonfinite: dict[str, int] = {}
        """By metric: how many values of the ranks were not finite."""
        self._done = -math.inf
        self._attempt = 0
        self._begin = -math.inf
        self._sources: dict[int, tuple[History, int]] = {}
        self._seen: object = None

    def extend(
        self, ranks: Mapping[int, History], waiting_for: Collection[int]
    ) -> None:
        """Take what is new of the ranks.

        Parameters
        ----------
        ranks
            All ranks; a history in place of another is read from its begin.
        waiting_for
            Ranks that are expected to go on: steps that they have not left wait.
        """
        seen = ([(rank, id(h), len(h)) for rank, h in ranks.items()], set(waiting_for))
        if seen == self._seen:
            return
        self._seen = seen
        fresh = {rank: self._fresh(rank, source) for rank, source in ranks.items()}
        for rows in fresh.values():
            self._look_for_attempt(rows)
        fresh = {rank: self._current(rows) for rank, rows in fresh.items()}
        upto = min((_reached(fresh[rank]) for rank in waiting_for), default=math.inf)
        while self._step(ranks, fresh, upto):
            pass

    def _fresh(self, rank: int, source: History) -> Rows:
        """Return the rows of a rank that are not done."""
        held, row = self._sources.get(rank, (source, 0))
        return source.rows(row if held is source else 0)

    def _look_for_attempt(self, rows: Rows) -> None:
        """Go back to where a new attempt begins."""
        attempts = _attempts(rows)
        newest = int(attempts.max(initial=0))
        if newest > self._attempt:
            self._attempt = newest
            self._begin = float(rows.steps[attempts == newest].min())
            self._done = min(self._done, self._begin - 1)

    def _current(self, rows: Rows) -> Rows:
        """Return rows without a step where the newest attempt trains it again."""
        old = (_attempts(rows) < self._attempt) & (rows.steps >= self._begin)
        return replace(rows, steps=np.where(old, np.nan, rows.steps))

    def _step(
        self, ranks: Mapping[int, History], fresh: Mapping[int, Rows], upto: float
    ) -> bool:
        """Do up to `_STEPS` steps; False when there are none left."""
        todo = {
            rank: (rows.steps > self._done) & (rows.steps < upto)
            for rank, rows in fresh.items()
        }
        waiting = [rows.steps[todo[rank]] for rank, rows in fresh.items()]
        steps = np.unique(np.concatenate([np.empty(0), *waiting]))[:_STEPS]
        if not len(steps):
            return False
        self._add(steps, fresh)
        self._done = float(steps[-1])
        for rank, source in ranks.items():
            self._sources[rank] = self._passed(source, fresh[rank])
        return True

    def _passed(self, source: History, rows: Rows) -> tuple[History, int]:
        """Return from which row on a rank is not done."""
        left = np.flatnonzero(rows.steps > self._done)
        row = rows.start + int(left[0]) if len(left) else rows.stop
        return source, row

    def _add(self, steps: NDArray[np.float64], fresh: Mapping[int, Rows]) -> None:
        grid = _Grid(steps, fresh)
        columns: dict[Stat, dict[str, Column]] = {stat: {} for stat in STATS}
        logged = dict.fromkeys(n for rows in fresh.values() for n in rows.metrics)
        for name in filter(_is_banded, logged):
            table, present = grid.table(name)
            rows = np.flatnonzero(present.any(axis=0))
            if len(rows):
                self._look(name, table, present, list(fresh))
                for stat, values in _statistics(table[:, rows]).items():
                    columns[stat][name] = (rows, values)
        for stat in STATS:
            self.histories[stat].append(grid.rows(columns[stat]))

    def _look(
        self,
        name: str,
        table: NDArray[np.float64],
        present: NDArray[np.bool_],
        order: list[int],
    ) -> None:
        """Count what is not finite, and find the rank that stands out."""
        nonfinite = present & ~np.isfinite(table)
        if nonfinite.any():
            self.nonfinite[name] = self.nonfinite.get(name, 0) + int(nonfinite.sum())
        last = int(np.flatnonzero(present.any(axis=0))[-1])
        values = np.where(present[:, last], table[:, last], np.nan)
        finite = values[np.isfinite(values)]
        if len(finite) < 3 and not nonfinite[:, last].any():  # noqa: PLR2004
            return  # two are equally far from each other
        distances = np.abs(values - (np.median(finite) if len(finite) else 0.0))
        distances[nonfinite[:, last]] = np.inf
        if np.nanmax(distances) > 0:
            self.farthest[name] = order[int(np.nanargmax(distances))]


@functools.cache
def _is_banded(name: str) -> bool:
    return describe(name).panel not in _OF_ONE_RANK


def _reached(rows: Rows) -> float:
    return float(np.fmax.reduce(rows.steps, initial=-math.inf))


def _attempts(rows: Rows) -> NDArray[np.int64]:
    """Return the number of each row's attempt: 2 for ``a2``; names of ranks differ."""
    names = (re.fullmatch(r"a(\d{1,9})", name) for name in rows.attempt_names)
    numbers = np.array([int(name[1]) if name else 0 for name in names], np.int64)
    return numbers[rows.attempts]


class _Grid:
    """What some ranks logged at some steps.

    Parameters
    ----------
    steps
        Rising, shape (n,).
    fresh
        Rows of each rank; those at other steps are left out.
    """

    def __init__(self, steps: NDArray[np.float64], fresh: Mapping[int, Rows]) -> None:
        self._steps = steps
        self._fresh = list(fresh.values())
        self._at = [np.searchsorted(steps, rows.steps) for rows in self._fresh]
        self._held = [
            steps[np.minimum(at, len(steps) - 1)] == rows.steps
            for at, rows in zip(self._at, self._fresh, strict=True)
        ]

    def table(self, name: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return a metric's values, shape (ranks, steps), and where there is one."""
        table = np.full((len(self._fresh), len(self._steps)), np.nan)
        present = np.zeros(table.shape, bool)
        for line, rows in enumerate(self._fresh):
            if name in rows.metrics:
                row, values = rows.metrics[name]
                held = self._held[line][row - rows.start]
                at = self._at[line][row - rows.start][held]
                # Of several values at a step the last one wins.
                table[line, at] = values[held]
                present[line, at] = True
        return table, present

    def rows(self, metrics: Mapping[str, Column]) -> Rows:
        """Return columns as rows, with the epoch and the time of the slowest rank."""
        times, epochs = np.full((2, len(self._steps)), np.nan)
        for rows, at, held in zip(self._fresh, self._at, self._held, strict=True):
            np.fmax.at(times, at[held], rows.wall_times_s[held])
            np.fmax.at(epochs, at[held], rows.epochs[held])
        return Rows(
            start=0,
            stop=len(self._steps),
            steps=self._steps,
            epochs=epochs,
            wall_times_s=times,
            attempts=np.zeros(len(self._steps), np.int64),
            attempt_names=("a1",),
            metrics=metrics,
        )


def _statistics(table: NDArray[np.float64]) -> dict[Stat, NDArray[np.float64]]:
    # Sorted, NaN comes last. Several times as fast as numpy's functions that skip it.
    finite = np.sort(np.where(np.isfinite(table), table, np.nan), axis=0)
    count = np.isfinite(finite).sum(axis=0)
    last = np.maximum(count - 1, 0)

    def of_rank(at: NDArray[np.int64]) -> NDArray[np.float64]:
        values: NDArray[np.float64] = np.take_along_axis(finite, at[None], axis=0)[0]
        return values

    # Where no rank has a finite value all are NaN, and that is right.
    with np.errstate(invalid="ignore", over="ignore"):
        mean = np.nansum(finite, axis=0) / count
        median = (of_rank(last // 2) + of_rank(count // 2)) / 2
    return {"min": finite[0], "mean": mean, "median": median, "max": of_rank(last)}
