"""Records as pandas DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from mswidget.guard import tell
from mswidget.metrics import fits, in_order
from mswidget.records.history import Rows

if TYPE_CHECKING:
    import pandas as pd

Attempts = Literal["all", "latest"]
COMMON = ("step", "epoch", "wall_time", "rank", "attempt")
"""The columns that every table of records has."""


def to_pandas(
    ranks: Mapping[int, Rows],
    *,
    metrics: Sequence[str] | None = None,
    attempts: Attempts = "all",
    wide: bool = True,
) -> pd.DataFrame:
    """Return the rows of some ranks as one table, rank by rank, in the order logged.

    Parameters
    ----------
    ranks
        From ``History.rows()``.
    metrics
        Names, or shell patterns such as ``loss/*``; None means all.
    attempts
        ``latest`` leaves out what a later attempt trained again: steps from the
        later one's first on. Where that did not come as far, their values are
        missing, and a warning says which.
    wide
        One column a metric; else one row a value.

    Returns
    -------
    DataFrame
        Wide: index ``step`` (int64); ``epoch`` (Int64), ``wall_time`` (UTC),
        ``rank``, ``attempt``, then one float64 column a metric, the loss first and the
        machine last (`mswidget.metrics.PANELS`). NaN stands both for
        a logged NaN and for a step without that metric; the infinities are kept.
        Long: ``step``, ``epoch``, ``wall_time``, ``rank``, ``attempt``, ``metric``,
        ``value``: here every row was logged, so NaN is a value.

    Raises
    ------
    ValueError
        When ``metrics`` names what was not logged, or ``attempts`` is neither.
    """
    # pandas takes a second to import, and a rank's script never needs it.
    import pandas as pd  # noqa: PLC0415

    if attempts not in ("all", "latest"):
        message = f"attempts must be 'all' or 'latest'; found {attempts!r}"
        raise ValueError(message)
    logged = in_order({n: None for rows in ranks.values() for n in rows.metrics})
    chosen = choose(logged, metrics)
    make = _wide if wide else _long
    frames = []
    for rank, rows in ranks.items():
        kept = latest(rows) if attempts == "latest" else np.isfinite(rows.steps)
        if lost := _lost(rows, kept):
            tell(f"attempts='latest': of rank {rank} {lost}")
        frames.append(make(rank, rows, kept, chosen))
    # Ranks without a row tell no types, and pandas 2 warns that they will.
    full = [frame for frame in frames if len(frame)] or frames[:1]
    return full[0] if len(full) == 1 else pd.concat(full, ignore_index=not wide)


def latest(rows: Rows) -> NDArray[np.bool_]:
    """Say which rows no later attempt trained again, shape (n,)."""
    limits = np.full(len(rows.attempt_names), np.inf)
    limit = np.inf
    for attempt in reversed(range(len(limits))):
        limits[attempt] = limit
        steps = rows.steps[rows.attempts == attempt]
        limit = min(limit, steps.min(initial=np.inf))
    kept: NDArray[np.bool_] = rows.steps < limits[rows.attempts]
    return kept


def _lost(rows: Rows, kept: NDArray[np.bool_]) -> str:
    """Say which steps have values only in attempts that count no longer."""
    missing = np.setdiff1d(rows.steps[~kept], rows.steps[kept])
    if not len(missing):
        return ""
    only = np.isin(rows.steps, missing)
    names = [rows.attempt_names[code] for code in np.unique(rows.attempts[only])]
    span = f"{missing[0]:.0f} to {missing[-1]:.0f}"
    where = span if len(missing) > 1 else f"{missing[0]:.0f}"
    return (
        f"{len(missing)} steps of {where} are left out that only {', '.join(names)} "
        f"logged: a later attempt began before them; attempts='all' has them"
    )


def column_names(metrics: Iterable[str]) -> dict[str, str]:
    """Return the column of each metric: its name, or one behind ``metrics/``.

    A metric may be called as one of `COMMON` is.
    """
    names = list(metrics)
    taken = {*COMMON, *names}
    columns = {}
    for name in names:
        column = name
        while name in COMMON and column in taken:
            column = f"metrics/{column}"
        columns[name] = column
    return columns


def times_us(rows: Rows) -> NDArray[np.int64]:
    """Return Unix times in whole microseconds: a float64 holds no more."""
    times: NDArray[np.int64] = np.round(rows.wall_times_s * 1e6).astype(np.int64)
    return times


def choose(logged: list[str], wanted: Sequence[str] | None) -> list[str]:
    """Return the metrics that names or shell patterns mean; None means all.

    Raises
    ------
    ValueError
        For what was not logged; names what was.
    """
    if wanted is None:
        return logged
    if isinstance(wanted, str):
        wanted = [wanted]
    meant = {w: [n for n in logged if fits(n, w)] for w in wanted}
    missing = [name for name, names in meant.items() if not names]
    if missing:
        message = (
            f"metrics {', '.join(map(repr, missing))}: not logged in this run; logged "
            f"are {', '.join(map(repr, logged)) or 'none'}"
        )
        raise ValueError(message)
    return list(dict.fromkeys(name for names in meant.values() for name in names))


def _wide(
    rank: int, rows: Rows, kept: NDArray[np.bool_], metrics: Sequence[str]
) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415

    columns = _common(rank, rows)
    index = pd.Series(columns.pop("step"), name="step")
    for name, column in column_names(metrics).items():
        held = np.full(len(index), np.nan)
        if name in rows.metrics:
            at, values = rows.metrics[name]
            held[at - rows.start] = values
        columns[column] = held
    frame: pd.DataFrame = pd.DataFrame(columns, index=index)
    return frame if kept.all() else frame.loc[kept]


def _long(
    rank: int, rows: Rows, kept: NDArray[np.bool_], metrics: Sequence[str]
) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415

    places, codes, values = _values(rows, metrics)
    order = np.argsort(places, kind="stable")
    order = order[kept[places[order]]]
    common = pd.DataFrame(_common(rank, rows))
    frame: pd.DataFrame = common.iloc[places[order]].reset_index(drop=True)
    frame["metric"] = pd.Categorical.from_codes(
        codes[order],  # type: ignore[call-overload]
        list(metrics),
    )
    frame["value"] = values[order]
    return frame


def _values(
    rows: Rows, metrics: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return each value's row (from 0), the index of its metric, and the value."""
    held = [(i, *rows.metrics[n]) for i, n in enumerate(metrics) if n in rows.metrics]
    none = np.empty(0, np.int64)
    return (
        np.concatenate([none, *(at - rows.start for _, at, _ in held)]),
        np.concatenate([none, *(np.full(len(at), i) for i, at, _ in held)]),
        np.concatenate([np.empty(0), *(values for *_, values in held)]),
    )


def _common(rank: int, rows: Rows) -> dict[str, object]:
    import pandas as pd  # noqa: PLC0415

    unknown = np.isnan(rows.epochs)
    epochs = pd.array(np.where(unknown, 0, rows.epochs), dtype="Int64")
    epochs[unknown] = pd.NA
    return {
        "step": rows.steps.astype(np.int64),
        "epoch": epochs,
        "wall_time": pd.to_datetime(times_us(rows), unit="us", utc=True).as_unit("us"),
        "rank": np.full(len(rows.steps), rank),
        "attempt": pd.Categorical.from_codes(
            rows.attempts,  # type: ignore[call-overload]
            list(rows.attempt_names),
        ),
    }
