"""What a rule is given, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mswidget.alerts.digest import BLOCK, Digest
from mswidget.drawing.names import visible
from mswidget.metrics import fits
from mswidget.records.alert import Severity
from mswidget.records.history import History, Places, Series

Flags: TypeAlias = NDArray[np.bool_]


class Digests:
    """The digests of a history's metrics, each made when a rule asks for it."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._digests: dict[str, Digest] = {}

    def __call__(self, metric: str) -> Digest:
        """Return a metric's digest as it is now."""
        if metric not in self._digests:
            self._digests[metric] = Digest(lambda: self._history.values(metric))
        digest = self._digests[metric]
        digest.extend()
        return digest


@dataclass(frozen=True)
class Glance:
    """One metric, of whose values those from ``start`` on are new.

    Places count its values from 0.
    """

    history: History
    metric: str
    series: Series
    digests: Digests
    start: int
    begin: Mapping[str, object] = field(default_factory=dict)
    """What the begin of the training says of it."""

    @property
    def name(self) -> str:
        """The metric as it is shown."""
        return visible(self.metric)

    @property
    def values(self) -> NDArray[np.float64]:
        """All values so far, not copied."""
        return self.series.values

    @property
    def stop(self) -> int:
        """How many values there are."""
        return len(self.series.values)

    @property
    def new(self) -> NDArray[np.float64]:
        """The values that are new."""
        return self.values[self.start :]

    @property
    def digest(self) -> Digest:
        """The values in blocks."""
        return self.digests(self.metric)

    @property
    def blocks(self) -> NDArray[np.int64]:
        """The numbers of the blocks of which the new values know, rising.

        A value knows of the blocks that end with it or before.
        """
        first = (self.start + 1) // BLOCK - 1
        return np.arange(max(first, 0), self.stop // BLOCK)

    def block_of(self, place: int) -> int:
        """Return which of `blocks` is the last that the value at a place knows."""
        return int((place + 1) // BLOCK - 1 - self.blocks[0])

    def of_blocks(self, bad: Flags) -> Flags:
        """Return flags of the new values from those of `blocks`."""
        known = np.arange(self.start, self.stop) + 1
        at = known // BLOCK - 1
        begun = at >= 0
        flags = np.zeros(len(known), bool)
        flags[begun] = bad[at[begun] - max((self.start + 1) // BLOCK - 1, 0)]
        return flags

    def at(self, metric: str) -> Glance:
        """Return a glance at another metric."""
        series = self.history.series(metric, len(self.history))
        return replace(self, metric=metric, series=series)

    def beside(self, metric: str, places: Places) -> NDArray[np.float64]:
        """Return another metric's last values at some places; NaN before its first."""
        other = self.history.series(metric, len(self.history))
        at = other.before(self.series.rows(places) + 1) - 1
        held = np.append(other.values, np.nan)
        values: NDArray[np.float64] = held[np.where(at >= 0, at, len(held) - 1)]
        return values

    def within(self, metric: str, places: Places) -> NDArray[np.float64]:
        """Return another metric's values in the very rows; NaN where it has none."""
        other = self.history.series(metric, len(self.history))
        rows = self.series.rows(places)
        at = np.maximum(other.before(rows + 1) - 1, 0)
        if not len(other.values):
            return np.full(len(rows), np.nan)
        return np.where(other.rows(at) == rows, other.values[at], np.nan)


@dataclass(frozen=True)
class Fault:
    """Which new values are bad, and what to say of the one at a place."""

    bad: Flags
    tell: Callable[[int], str]


@dataclass(frozen=True)
class Rule:
    """A rule and what it watches.

    Parameters
    ----------
    name
        What the alert is called.
    patterns
        Names of metrics, or shell patterns such as ``loss/*``.
    severity
        How bad that is.
    advice
        What to try.
    find
        Looks at one metric that fits; None when all is well.
    names_batch
        Whether the batch of that step may be to blame.
    """

    name: str
    patterns: tuple[str, ...]
    severity: Severity
    advice: str
    find: Callable[[Glance], Fault | None]
    names_batch: bool = False

    def watches(self, metric: str) -> bool:
        """Say whether a metric is one of those."""
        return any(fits(metric, pattern) for pattern in self.patterns)


def in_a_row(flags: Flags, count: int) -> Flags:
    """Return where ``count`` flags in a row end."""
    at = np.arange(len(flags))
    last_off = np.maximum.accumulate(np.where(flags, -1, at))
    streaks: Flags = at - last_off >= count
    return streaks


def at_blocks(column: NDArray[np.float64], blocks: Places) -> NDArray[np.float64]:
    """Return a digest's numbers of some blocks; NaN for those that are not there."""
    if not len(column):
        return np.full(blocks.shape, np.nan)
    inside = (blocks >= 0) & (blocks < len(column))
    # Those outside are counted from the other end, or are the last.
    held = column[np.clip(blocks, -1, len(column) - 1)]
    return held if inside.all() else np.where(inside, held, np.nan)


def last_blocks(blocks: Places, count: int) -> Places:
    """Return each block and some before it, one row each."""
    rows: Places = blocks[:, None] - np.arange(count)
    return rows


def least_of_last(
    column: NDArray[np.float64], blocks: Places, count: int
) -> NDArray[np.float64]:
    """Return the least of each block and some before it; NaN if one is missing."""
    held = at_blocks(column, last_blocks(blocks, count))
    least: NDArray[np.float64] = held.min(axis=1, initial=np.inf)
    return least
