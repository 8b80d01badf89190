"""The rows of a history, cut where the curve of a metric would run backwards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mswidget.records.history import History, Rows

Key = Literal["step", "time", "epoch"]
"""What orders rows: steps, Unix seconds, or epochs as logged."""


@dataclass(frozen=True)
class RowPiece:
    """Rows ``start`` to ``stop``, of one attempt, whose keys never fall.

    ``kept`` is False for what was trained again later.
    """

    start: int
    stop: int
    kept: bool
    attempt: str


class Version(NamedTuple):
    """What changes when a piece begins, ends or changes, or a line begins anew."""

    pieces: int
    rewinds: int
    lines: int
    is_open: bool
    """Whether the last row is in a piece."""


class Pieces:
    """Cuts a history by one of its keys; what is cut stays so while it grows.

    A row whose step is lower than that of the row before trains again what stands at
    its step or later: by ``step`` and ``epoch`` that is not kept. By ``time`` nothing
    is lost, and a clock that was set back stands still. A row without a key stands
    where the one before does; at the begin of an attempt it is in no piece.
    """

    def __init__(self, history: History, key: Key) -> None:
        self._history = history
        self._key = key
        self._steps = self._keys = np.empty(0)
        self._own: NDArray[np.float64] | None = None
        self._kept: list[int] = []
        self.cut: list[RowPiece] = []
        """The pieces, in order of their rows."""
        self.begins: list[int] = []
        """Rows at which an attempt begins, or steps begin anew."""
        self.rewinds = 0
        """How often pieces were taken back: changes when what is kept does."""

    def __len__(self) -> int:
        """Return how many rows are cut so far."""
        return len(self._keys)

    @property
    def keys(self) -> NDArray[np.float64]:
        """The key of each row; within a piece they never fall."""
        return self._keys

    @property
    def steps(self) -> NDArray[np.float64]:
        """The step of each row."""
        return self._steps

    @property
    def version(self) -> Version:
        """Which pieces there are, as far as what was told of them stays true."""
        is_open = bool(self.cut) and self.cut[-1].stop == len(self)
        return Version(len(self.cut), self.rewinds, len(self.begins), is_open)

    @property
    def extent(self) -> tuple[float, float] | None:
        """The lowest and the highest key; None without any."""
        if not self.cut:
            return None
        first = min(float(self._keys[piece.start]) for piece in self.cut)
        return first, max(float(self._keys[piece.stop - 1]) for piece in self.cut)

    def extend(self, stop: int) -> None:
        """Take in the rows before ``stop`` that have come since the last call."""
        done = len(self)
        if stop <= done:
            return
        rows = self._history.rows(0, stop, names=())
        keys = {"step": rows.steps, "time": rows.wall_times_s, "epoch": rows.epochs}
        raw, before = keys[self._key], max(done - 1, 0)
        if self._own is None and self.version.is_open and _rises(rows, raw, before):
            self._steps, self._keys = rows.steps, raw
            self.cut[-1] = replace(self.cut[-1], stop=stop)
            return
        fresh = np.flatnonzero(np.diff(rows.attempts[before:])) + before + 1
        attempts = [row for row in fresh.tolist() if row >= done]
        self._steps = rows.steps
        self._keys = self._placed(raw, attempts if done else [0, *attempts])
        self._cut(before, rows.attempts, rows.attempt_names)

    def _placed(
        self, raw: NDArray[np.float64], attempts: list[int]
    ) -> NDArray[np.float64]:
        """Return a key for each row; a copy only where it is not what was logged."""
        done = len(self)
        new = raw[done:]
        stands = self._key == "time" and bool(
            (np.diff(raw[max(done - 1, 0) :]) < 0).any()
        )
        if self._own is None and not stands and not np.isnan(new).any():
            return raw
        if self._own is None or len(self._own) < len(raw):
            grown = np.empty(max(len(raw), len(raw) * 5 // 4))
            grown[:done] = self._keys
            self._own = grown
        self._own[done : len(raw)] = new
        edges = sorted({done, *attempts, len(raw)})
        for start, stop in pairwise(edges):
            first = start if start in attempts else max(start - 1, 0)
            self._own[first:stop] = self._filled(self._own[first:stop])
        return self._own[: len(raw)]

    def _filled(self, keys: NDArray[np.float64]) -> NDArray[np.float64]:
        if self._key == "time":
            placed: NDArray[np.float64] = np.fmax.accumulate(keys)
            return placed
        last = np.maximum.accumulate(np.where(np.isnan(keys), 0, np.arange(len(keys))))
        filled: NDArray[np.float64] = keys[last]
        return filled

    def _cut(
        self, before: int, attempts: NDArray[np.int64], names: tuple[str, ...]
    ) -> None:
        keys, steps = self._keys, self._steps
        line = np.diff(attempts[before:]) != 0
        line |= np.diff(steps[before:]) < 0
        ends = line if self._key != "time" else np.diff(attempts[before:]) != 0
        unknown = np.isnan(keys[before:])
        ends = ends | (np.diff(keys[before:]) < 0) | (unknown[1:] != unknown[:-1])
        first = [] if self.begins else [0]
        self.begins += first + (np.flatnonzero(line) + before + 1).tolist()
        starts = first + (np.flatnonzero(ends) + before + 1).tolist()
        if self.cut and self.cut[-1].stop == before + 1:
            stop = starts[0] if starts else len(keys)
            self.cut[-1] = replace(self.cut[-1], stop=stop)
        for start, stop in pairwise([*starts, len(keys)]):
            if self._key != "time" and start and steps[start] < steps[start - 1]:
                self._rewind(float(steps[start]))
            if not np.isnan(keys[start]):
                self._kept.append(len(self.cut))
                attempt = names[attempts[start]]
                self.cut.append(RowPiece(start, stop, kept=True, attempt=attempt))

    def _rewind(self, step: float) -> None:
        """Keep nothing that stands at a step or later."""
        while self._kept:
            at = self._kept[-1]
            piece = self.cut[at]
            steps = self._steps[piece.start : piece.stop]
            middle = piece.start + int(np.searchsorted(steps, step))
            if middle == piece.stop:
                return
            self.rewinds += 1
            after = at + 1
            lost = replace(piece, start=middle, kept=False)
            if after < len(self.cut) and self._joins(lost, self.cut[after]):
                lost = replace(lost, stop=self.cut[after].stop)
                after += 1
            if middle > piece.start:
                self.cut[at:after] = [replace(piece, stop=middle), lost]
                return
            self.cut[at:after] = [lost]
            self._kept.pop()

    def _joins(self, left: RowPiece, right: RowPiece) -> bool:
        """Say whether only what is kept has parted two neighbours."""
        at = left.stop
        rises = all(a[at] >= a[at - 1] for a in (self._keys, self._steps))
        return rises and at == right.start and left.attempt == right.attempt


def _rises(rows: Rows, keys: NDArray[np.float64], start: int) -> bool:
    """Say whether the last rows go on in all respects, as nearly always."""
    attempts = rows.attempts[start:]
    if attempts[0] != attempts[-1] or (attempts != attempts[0]).any():
        return False
    steps, keys = rows.steps[start:], keys[start:]
    rises = bool((steps[1:] >= steps[:-1]).all())
    return rises and (keys is steps or bool((keys[1:] >= keys[:-1]).all()))
