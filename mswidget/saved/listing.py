"""The runs of a folder as one table, without reading them whole."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mswidget.files.facts import read_facts
from mswidget.files.folder import log_dir_of
from mswidget.files.names import rank_files
from mswidget.files.rank_file import RankFile
from mswidget.files.tail import attempt_number, newest_first
from mswidget.records.curve import curve
from mswidget.records.phase import ENDS
from mswidget.records.record import Event, Record

if TYPE_CHECKING:
    import pandas as pd

_LOOK_BACK = 100
_COLUMNS = (
    *("run", "path", "start", "ranks", "attempts", "phase"),
    *("step", "loss", "duration"),
)


def list_runs(
    log_dir: str | os.PathLike[str] | None = None, *, best: bool = False
) -> pd.DataFrame:
    """Return a table of the runs in a folder, oldest first.

    It reads ``run.json`` and the ends of files only: a thousand runs take a second.

    Parameters
    ----------
    log_dir
        A folder of runs, or one run. Default: ``MSWIDGET_LOG_DIR``, else
        ``train_logs``.
    best
        Add ``best_loss``, the least finite one of the attempts that count: files are
        read whole.

    Returns
    -------
    DataFrame
        ``run``, ``path``, ``start`` (UTC), ``ranks`` and ``attempts`` (how many),
        ``phase`` (a run that was killed stays ``training``), ``step`` and ``loss``
        (the last), ``duration`` (from the start to the last line). Values are those
        of the first rank, or of the last when the first has no loss.

    Raises
    ------
    FileNotFoundError
        When the folder does not exist.
    """
    # pandas takes a second to import.
    import pandas as pd  # noqa: PLC0415

    folders = run_folders(log_dir_of(log_dir))
    rows = [_row(path, files, best=best) for path, files in folders]
    columns = [*_COLUMNS, *(["best_loss"] if best else [])]
    frame = pd.DataFrame(rows, columns=columns)
    starts = pd.to_datetime(frame["start"].astype(float), unit="s", utc=True)
    frame["start"] = starts.dt.floor("s")
    spans = pd.to_timedelta(frame["duration"].astype(float), unit="s")
    frame["duration"] = spans.dt.floor("s")
    frame = frame.astype({"step": "Int64", "loss": float})
    listed: pd.DataFrame = frame.sort_values("start", kind="stable", ignore_index=True)
    return listed


def run_folders(folder: Path) -> Iterator[tuple[Path, dict[int, Path]]]:
    """Yield each run in a folder, or the folder if it is one, with its ranks' files.

    Raises
    ------
    FileNotFoundError
        When the folder does not exist.
    """
    inside = sorted(path for path in folder.iterdir() if path.is_dir())
    for path in [folder, *inside]:
        if files := rank_files(path):
            yield path, files


@dataclass
class _End:
    """What the last lines of a file say, back to the last loss."""

    attempts: int = 1
    phase: str = ""
    step: int | None = None
    loss: float = np.nan
    wall_time_s: float = np.nan

    def take(self, item: Record | Event) -> None:
        """Take a line, from the end on."""
        if np.isnan(self.wall_time_s):
            self.attempts = attempt_number(item.attempt)
            self.wall_time_s = item.wall_time_s
        if isinstance(item, Record):
            self.step = item.step if self.step is None else self.step
            self.loss = item.values.get("loss", np.nan)
        elif not self.phase and (item.name == "train_begin" or item.name in ENDS):
            self.phase = ENDS.get(item.name, "training")


def _end(file: Path) -> _End:
    end = _End()
    for item in itertools.islice(newest_first(file), _LOOK_BACK):
        end.take(item)
        if isinstance(item, Record) and "loss" in item.values:
            break
    end.phase = end.phase or ("waiting" if end.step is None else "training")
    return end


def _row(path: Path, files: dict[int, Path], *, best: bool) -> dict[str, object]:
    first, *_, last = [*files.values(), *files.values()]
    end, file = _end(first), first
    if last != first and np.isnan(end.loss):
        # The loss of a pipeline is known to its last stage.
        end, file = _end(last), last
    start_s = _start(path, file)
    return {
        "run": path.name,
        "path": str(path),
        "start": start_s,
        "ranks": len(files),
        "attempts": end.attempts,
        "phase": end.phase,
        "step": end.step,
        "loss": end.loss,
        "duration": end.wall_time_s - start_s,
        "best_loss": _least_loss(file) if best else None,
    }


def _start(path: Path, file: Path) -> float:
    try:
        return datetime.fromisoformat(str(read_facts(path)["start"])).timestamp()
    except (KeyError, ValueError):
        return file.stat().st_mtime


def _least_loss(path: Path) -> float:
    file = RankFile(path)
    file.read_on()
    losses = curve(file.history.rows(), "loss").values
    return float(losses[np.isfinite(losses)].min(initial=np.inf))
