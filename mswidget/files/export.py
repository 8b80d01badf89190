"""A run's values as a file for other programs."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars as pl

from mswidget.records.frame import column_names, times_us
from mswidget.records.history import Rows

_KINDS = (".csv", ".parquet", ".html")


def export(
    path: str | os.PathLike[str],
    ranks: Callable[[], Mapping[int, Rows]],
    page: Callable[[], str],
) -> Path:
    """Write a file whose kind its name says; it is whole at any time.

    Tables have one row a step of a rank, one column a metric, see `table`; a page
    shows the curves.

    Parameters
    ----------
    path
        Ends with ``.csv``, ``.parquet`` or ``.html``. A file that is there is replaced.
    ranks
        Returns the numbers, from ``History.rows()``.
    page
        Returns the page's text.

    Returns
    -------
    Path
        Where the file is.

    Raises
    ------
    ValueError
        For another kind of file.
    OSError
        When nothing can be written there.
    """
    target = Path(path).expanduser()
    kind = target.suffix.lower()
    if kind not in _KINDS:
        raise ValueError(
            f"{str(target)!r}: a run is exported to a file that ends with "
            f"{', '.join(_KINDS)}; found {kind or 'no ending'!r}"
        )
    with replacing(target) as fresh:
        if kind == ".csv":
            table(ranks()).write_csv(fresh, datetime_format="%Y-%m-%dT%H:%M:%S%.6fZ")
        elif kind == ".parquet":
            table(ranks()).write_parquet(fresh)
        else:
            # A name may hold what no encoding knows.
            fresh.write_bytes(page().encode(errors="backslashreplace"))
    return target


def table(ranks: Mapping[int, Rows]) -> pl.DataFrame:
    """Return all rows, rank by rank, in the order logged.

    Columns are ``step``, ``epoch``, ``wall_time`` (UTC), ``rank``, ``attempt``, then
    the metrics as float64. What was not logged is null: NaN is a value.
    """
    logged = dict.fromkeys(name for rows in ranks.values() for name in rows.metrics)
    names = column_names(logged)
    frames = [_of_rank(rank, rows, names) for rank, rows in ranks.items()]
    return pl.concat(frames, how="vertical")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a file to write, which then takes the place of ``path`` at once.

    Raises
    ------
    OSError
        When no file can be made there.
    """
    fresh = path.with_name(f".mswidget-{secrets.token_hex(8)}")
    try:
        fresh.touch()
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error
    try:
        yield fresh
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _of_rank(rank: int, rows: Rows, names: Mapping[str, str]) -> pl.DataFrame:
    count = len(rows.steps)
    epochs = pl.Series(rows.epochs).fill_nan(None).cast(pl.Int64)
    attempts = np.array(rows.attempt_names, object)[rows.attempts]
    columns = {
        "step": pl.Series(rows.steps).cast(pl.Int64),
        "epoch": epochs,
        "wall_time": pl.Series(times_us(rows)).cast(pl.Datetime("us", "UTC")),
        "rank": pl.repeat(rank, count, dtype=pl.Int64, eager=True),
        "attempt": pl.Series(attempts, dtype=pl.String),
    }
    for name, column in names.items():
        # Polars knows no half of a surrogate pair.
        safe = column.encode(errors="backslashreplace").decode()
        columns[safe] = _values(rows, name, count)
    return pl.DataFrame(columns)


def _values(rows: Rows, name: str, count: int) -> pl.Series:
    if name not in rows.metrics:
        return pl.repeat(None, count, dtype=pl.Float64, eager=True)
    at, values = rows.metrics[name]
    if len(at) == count:
        return pl.Series(values)
    places = np.full(count, -1)
    places[at - rows.start] = np.arange(len(at))
    return pl.Series(values).gather(pl.Series(places).replace(-1, None))
