"""Rules about the ranks of a run, as another process sees them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from mswidget.records.alert import Alert, Severity
from mswidget.records.curve import curve
from mswidget.records.divergence import divergences
from mswidget.records.phase import ENDED
from mswidget.records.rank import Rank
from mswidget.records.shared_notes import rank_words

SILENT_S = 180.0
"""Whoever has been heard within that is not silent."""
_OTHERS_S = 600.0
# What a machine does is logged each minute beside steps, and after long ones rarely.
_BESIDE = 0.25
_RECENT = 200
_INTERVALS = 20.0
_FEWEST = 3


@dataclass(frozen=True)
class _Kind:
    """What all alerts of a rule have in common."""

    rule: str
    severity: Severity
    advice: str


_GONE = _Kind(
    "process_gone",
    "error",
    "look at the end of this rank's log; the others may wait for it for ever",
)
_SILENT = _Kind(
    "rank_silent",
    "error",
    "look whether its process and its host still live, and for the earliest error in "
    "the logs of all ranks",
)
_DRIFT = _Kind(
    "rank_drift",
    "warning",
    "compare its data and its chip with those of the others; run.ranks() has the rest",
)


def gone(ranks: Mapping[int, Rank], now_s: float) -> Iterator[Alert]:
    """Find ranks whose process has ended without a word."""
    for rank in ranks.values():
        if rank.lost and not rank.has_ended:
            step = _last_step(rank)
            text = f"rank {rank.rank} is gone after step {step}: {rank.lost}"
            yield _alert(_GONE, rank, step, now_s, text)


def silent(
    ranks: Mapping[int, Rank], now_s: float, heard_s: Mapping[int, float]
) -> Iterator[Alert]:
    """Find ranks that log nothing any more, and have not ended.

    Parameters
    ----------
    ranks
        By number.
    now_s
        Unix time.
    heard_s
        When each was heard last; those that are not in it are not looked at.
    """
    for number, since_s in heard_s.items():
        rank, silent_s = ranks[number], now_s - since_s
        if silent_s <= SILENT_S or rank.phase[0] in ENDED or not len(rank.history):
            continue
        if silent_s > _patience_s(rank):
            step = _last_step(rank)
            text = (
                f"rank {number} has been silent for {silent_s:.0f} s, after step {step}"
                f"{_behind(ranks)}"
            )
            yield _alert(_SILENT, rank, step, now_s, text)


def drift(ranks: Mapping[int, Rank], most: int | None = None) -> Iterator[Alert]:
    """Find ranks whose loss left that of the others; see `divergences`.

    Parameters
    ----------
    ranks
        By number.
    most
        So many of the last rows of each are looked at; None for all.
    """
    starts = {
        number: 0 if most is None else max(len(rank.history) - most, 0)
        for number, rank in ranks.items()
    }
    curves = {
        number: curve(rank.history.rows(starts[number], names=("loss",)), "loss")
        for number, rank in ranks.items()
    }
    speaking = {n: held for n, held in curves.items() if len(held.values)}
    if len(speaking) < _FEWEST:
        return
    left = divergences([*speaking.values()])
    for (number, held), step in zip(speaking.items(), left, strict=True):
        if np.isfinite(step):
            at = int(np.searchsorted(held.steps, step))
            when = " or before" if starts[number] > 0 and at == 0 else ""
            text = (
                f"the loss of rank {number} left the others' at step {step:.0f}{when}: "
                f"{held.values[at]:.4g}"
            )
            time_s = float(held.wall_times_s[at])
            yield _alert(_DRIFT, ranks[number], int(step), time_s, text)


def _patience_s(rank: Rank) -> float:
    """Return how long a rank may be silent."""
    rows = rank.history.rows(max(len(rank.history) - _RECENT, 0), names=())
    if not rank.own:
        apart_s = np.diff(rows.wall_times_s)
        usual_s = float(np.median(apart_s)) if len(apart_s) else 0.0
        return max(_OTHERS_S, _INTERVALS * usual_s)
    first = int(np.argmax(rows.steps == rows.steps[-1]))
    held_up_s = float(rows.wall_times_s[-1] - rows.wall_times_s[first])
    return SILENT_S + _BESIDE * held_up_s


def _behind(ranks: Mapping[int, Rank]) -> str:
    """Return which ranks are behind the others, in words."""
    steps = {n: _last_step(r) for n, r in ranks.items() if len(r.history)}
    least, most = min(steps.values()), max(steps.values())
    if least == most:
        return ""
    behind = [n for n, step in steps.items() if step == least]
    return f"; {rank_words(behind)} at step {least}, others at {most}"


def _last_step(rank: Rank) -> int:
    last = rank.history.step_and_time_s(-1)
    return int(last[0]) if last else 0


def _alert(kind: _Kind, rank: Rank, step: int, time_s: float, text: str) -> Alert:
    rows = rank.history.rows(len(rank.history) - 1, names=())
    attempt = rows.attempt_names[rows.attempts[-1]] if len(rows.attempts) else "a1"
    return Alert(
        rule=kind.rule,
        step=max(step, 1),
        wall_time_s=time_s,
        rank=rank.rank,
        attempt=attempt,
        severity=kind.severity,
        metric="loss" if kind is _DRIFT else "",
        message=text,
        advice=kind.advice,
    )
