"""Runs side by side: their curves in one picture, their differences in tables."""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mswidget.files.folder import run_path
from mswidget.metrics import describe
from mswidget.pictures.scene import SavedScene
from mswidget.records.history import Column, Places
from mswidget.run.session import Run
from mswidget.saved.compare import Comparison
from mswidget.saved.finder import Finder
from mswidget.saved.labels import labels
from mswidget.saved.reader import load_run
from mswidget.saved.run import SavedRun
from mswidget.widget.protocol import AskTracks
from mswidget.widget.surroundings import in_kernel

if TYPE_CHECKING:
    import pandas as pd

_SHOWN_PANELS = ("loss", "parts", "evaluation")
_ROWS = 60
Comparable = str | os.PathLike[str] | Run | SavedRun


def compare(
    *runs: Comparable,
    baseline: Comparable | None = None,
    align: str = "step",
    tolerance: float | None = None,
    pattern: str | None = None,
    steps_per_epoch: int | None = None,
) -> Comparison:
    """Compare runs; in a notebook their curves are overlaid below the cell.

    Parameters
    ----------
    runs
        Folders or logs, names of runs in ``MSWIDGET_LOG_DIR`` or ``train_logs``, or
        runs that were read or go on.
    baseline
        The one that the others are held against; it need not be among ``runs``.
    align
        Compare at the same ``step``, ``epoch``, ``time``, ``samples``, ``tokens``.
    tolerance
        A share of the baseline: `Comparison.errors` tells the first step beyond it.
        Default: a hundredth; of learning rates at the same step, the last bits.
    pattern, steps_per_epoch
        How the logs of other tools among ``runs`` are read: as of `load_run`.

    Returns
    -------
    Comparison
        Tables of settings, values and differences.

    Raises
    ------
    FileNotFoundError
        When there is no such run.
    ValueError
        For less than two runs, or an alignment that does not exist.
    """
    given = list(runs) if baseline in (None, *runs) else [baseline, *runs]
    if len(given) < 2:  # noqa: PLR2004
        message = f"compare takes at least two runs; found {len(given)}"
        raise ValueError(message)
    saved = [_read(run, pattern, steps_per_epoch) for run in given if run is not None]
    names = labels([run.path for run in saved])
    name = None if baseline is None else names[given.index(baseline)]
    comparison = Comparison(saved, name, align=align, tolerance=tolerance)
    if in_kernel():
        _show(comparison, SavedScene(saved))
    return comparison


def _read(
    run: Comparable, pattern: str | None, steps_per_epoch: int | None
) -> SavedRun:
    if isinstance(run, SavedRun):
        return run
    if isinstance(run, Run):
        run.flush()
        return load_run(run.path)
    path = run_path(run)
    if pattern is not None and Finder("load_run").own(path):
        pattern = None  # mswidget's own run, held against another tool's log
    return load_run(path, pattern, steps_per_epoch=steps_per_epoch)


def _show(comparison: Comparison, scene: SavedScene) -> None:
    # Only a notebook has IPython.
    from mswidget.widget.live import LiveView  # noqa: PLC0415

    for run, name in zip(scene.runs, comparison.runs, strict=True):
        scene.add(run, _differences(comparison, name))

    def choose(asked: AskTracks) -> str:
        scene.choose(asked["shown"])
        return ""

    view = LiveView(
        lambda: scene.histories,
        scene.head,
        {"ask_tracks": choose},
    )
    view.show(tables_html(comparison))
    view.finish()


def _differences(comparison: Comparison, name: str) -> dict[str, Column]:
    """Return how far a run is from the baseline, as values of its rows."""
    rows = comparison.rank(name).history.rows(names=())
    differences: dict[str, Column] = {}
    for metric in comparison.metrics:
        apart = comparison.difference(name, metric)
        if apart is not None and describe(metric).panel in _SHOWN_PANELS:
            at = _rows_at(rows.steps, apart.steps)
            order = np.argsort(at)
            differences |= {
                f"difference/{metric}": (at[order], apart.absolute[order]),
                f"relative_difference/{metric}": (at[order], apart.relative[order]),
            }
    return differences


def _rows_at(run: NDArray[np.float64], steps: NDArray[np.float64]) -> Places:
    """Return the last row of each step: that of the attempt that is compared."""
    known, before_end = np.unique(run[::-1], return_index=True)
    at: Places = len(run) - 1 - before_end[np.searchsorted(known, steps)]
    return at


def tables_of(comparison: Comparison) -> dict[str, pd.DataFrame]:
    """Return the tables of a comparison that hold something, by what they tell."""
    tables = {
        "Settings that differ": comparison.settings,
        "Final and best values": comparison.values,
        f"Distance to {comparison.baseline}": comparison.errors,
    }
    return {title: table for title, table in tables.items() if len(table)}


def tables_html(comparison: Comparison) -> str:
    """Return the tables of a comparison as HTML, safe whatever names are in them."""
    parts = [
        f"<h4>{escape(title)}</h4>{_table(table)}"
        for title, table in tables_of(comparison).items()
    ]
    notes = [f"<p>{escape(note)}</p>" for note in comparison.notes]
    return "".join([*notes, *parts])


def _table(table: pd.DataFrame) -> str:
    left = len(table) - _ROWS
    more = f"<p>and {left} rows more: the table has all</p>" if left > 0 else ""
    html: str = table.head(_ROWS).to_html(float_format="{:.6g}".format, na_rep="")
    return html + more
