"""The ranks of a run, side by side."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mswidget.records.curve import Curve, curve
from mswidget.records.divergence import divergences
from mswidget.records.rank import Rank
from mswidget.records.silence import RANK_S

if TYPE_CHECKING:
    import pandas as pd

_TYPES = {
    "phase": "string",
    "detail": "string",
    "silent_s": "float64",
    "attempt": "string",
    "last_step": "Int64",
    "last_time": "datetime64[us, UTC]",
    "last_value": "float64",
    "nonfinite_step": "Int64",
    "left_step": "Int64",
    "note": "string",
}


class Ranks(dict[int, Rank]):
    """The ranks of a run by number; called, a table of them.

    Parameters
    ----------
    ranks
        Those that have a file.
    size
        How many there are to be.
    """

    def __init__(self, ranks: Mapping[int, Rank], size: int = 0) -> None:
        super().__init__(ranks)
        self.size = size

    @cached_property
    def with_loss(self) -> dict[int, Rank]:
        """Those whose loss means something; all when it is none's."""
        valid = {number: rank for number, rank in self.items() if not rank.why_no_loss}
        return valid or dict(self)

    @property
    def main(self) -> Rank:
        """The rank that speaks for the run: the first whose loss means something."""
        ranks = self.with_loss
        return ranks[min(ranks)] if ranks else Rank(0)

    def __call__(self, metric: str = "loss") -> pd.DataFrame:
        """Return what each rank does, and where it left the others: `ranks_table`.

        Examples
        --------
        >>> run.ranks()["left_step"].idxmin()  # the rank that left first
        """
        return ranks_table(self, self.size, time.time(), metric)


def ranks_table(
    ranks: Mapping[int, Rank], size: int, now_s: float, metric: str = "loss"
) -> pd.DataFrame:
    """Return one row for each rank.

    Parameters
    ----------
    ranks
        By number.
    size
        How many ranks there are to be; those without a file are ``missing``.
    now_s
        Unix time.
    metric
        What is compared.

    Returns
    -------
    DataFrame
        Index ``rank``. ``phase``: ``training``, ``silent``, ``finished``,
        ``stopped``, ``failed``, ``lost`` (its process is gone), ``waiting`` or
        ``missing``, and its ``detail``;
        ``silent_s``: seconds since its last line unless it has ended; ``attempt``,
        ``last_step``, ``last_time`` (UTC); of the metric ``last_value``,
        ``nonfinite_step``, the first where it is not finite, and ``left_step``, where
        it left the others (see `divergence.divergences`); ``note``.
    """
    # pandas takes a second to import, and a rank's script never needs it.
    import pandas as pd  # noqa: PLC0415

    numbers = sorted({*ranks, *range(size)})
    rows = {n: _state(ranks[n], now_s) if n in ranks else _MISSING for n in numbers}
    speaking, silenced = _apart(ranks, metric)
    compared = _compared(speaking)
    noted = {n: {"note": text} for n, text in silenced.items()}
    cells = [{**rows[n], **compared.get(n, {}), **noted.get(n, {})} for n in numbers]
    index = pd.Index(numbers, dtype="int64", name="rank")
    table = pd.DataFrame(cells, index=index, columns=[*_TYPES])
    # Whole microseconds: a Unix time in float64 holds no more.
    times_us = np.round(table["last_time"].astype("float64") * 1e6)
    table["last_time"] = pd.to_datetime(times_us, unit="us", utc=True)
    typed: pd.DataFrame = table.astype(_TYPES)
    return typed


_MISSING: dict[str, object] = {"phase": "missing", "note": "no file of this rank"}


def _apart(
    ranks: Mapping[int, Rank], metric: str
) -> tuple[dict[int, Curve], dict[int, str]]:
    """Return the curves of the ranks that have one, and why the others have none."""
    is_loss = metric.partition("/")[0] == "loss"
    whys = {n: rank.why_no_loss if is_loss else "" for n, rank in ranks.items()}
    silenced = {n: f"no loss on this rank: {why}" for n, why in whys.items() if why}
    speaking = {n: curve(r.history.rows(), metric) for n, r in ranks.items()}
    return {n: c for n, c in speaking.items() if n not in silenced}, silenced


def _compared(speaking: Mapping[int, Curve]) -> dict[int, dict[str, object]]:
    left = divergences([*speaking.values()])
    first = np.nanmin(left, initial=np.inf)
    cells: dict[int, dict[str, object]] = {}
    for (number, held), step in zip(speaking.items(), left, strict=True):
        nonfinite = held.steps[~np.isfinite(held.values)]
        cells[number] = {
            "last_value": held.values[-1] if len(held.values) else np.nan,
            "nonfinite_step": nonfinite[0] if len(nonfinite) else None,
            "left_step": None if np.isnan(step) else step,
            "note": "the first to leave the others" if step == first else "",
        }
    return cells


def _state(rank: Rank, now_s: float) -> dict[str, object]:
    phase, detail = rank.phase
    rows = rank.history.rows(len(rank.history) - 1)
    lines = [(event.wall_time_s, event.attempt) for event in rank.events[-1:]]
    for time_s, attempt in zip(rows.wall_times_s, rows.attempts, strict=True):
        lines.append((float(time_s), rows.attempt_names[attempt]))
    last_s, attempt_name = max(lines, default=(np.nan, None))
    going_on = phase in ("training", "waiting")
    silent_s = now_s - last_s if going_on else np.nan
    return {
        "phase": "silent" if silent_s > RANK_S else phase,
        "detail": detail,
        "silent_s": silent_s,
        "attempt": attempt_name,
        "last_step": rows.steps[-1] if len(rows.steps) else None,
        "last_time": last_s,
    }
