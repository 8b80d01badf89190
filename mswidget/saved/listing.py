"""The runs of a folder as one table, without reading them whole."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mswidget.files.facts import read_facts
from mswidget.files.folder import log_dir_of
from mswidget.files.names import rank_files
from mswidget.files.rank_file import RankFile
from mswidget.files.tail import attempt_number, newest_first, writing_process
from mswidget.records.curve import curve
from mswidget.records.phase import ENDED, ENDS
from mswidget.records.record import Event, Record
from mswidget.saved.settings import batch_size, config_of, differ, learning_rate

if TYPE_CHECKING:
    import pandas as pd

_LOOK_BACK = 100
_COLUMNS = (
    *("run", "path", "start", "ranks", "attempts", "phase"),
    *("step", "loss", "duration", "lr", "batch_size"),
)
# These have columns of their own.
_KNOWN = ("learning_rate.lr.value", "data.batch_size")


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
        ``phase`` (a run that was killed is ``lost`` where its process can be asked for,
        on its own host, and stays ``training`` elsewhere), ``step`` and ``loss`` (the
        last), ``duration`` (from the start to the last line), ``lr`` (the highest
        that the config names, else the last logged) and ``batch_size``. Values are
        those of the first rank, or of the last when the first has no loss. Then a
        column for each other setting that is not the same in all runs that have a
        config, such as ``optimizer.type`` or ``given.dropout``.

    Raises
    ------
    FileNotFoundError
        When the folder does not exist.
    """
    # pandas takes a second to import.
    import pandas as pd  # noqa: PLC0415

    folders = run_folders(log_dir_of(log_dir))
    runs = [_ListedRun(path, files, read_facts(path)) for path, files in folders]
    rows = [run.row(best=best) for run in runs]
    columns = [*_COLUMNS, *(["best_loss"] if best else [])]
    frame = pd.DataFrame(rows, columns=columns)
    starts = pd.to_datetime(frame["start"].astype(float), unit="s", utc=True)
    frame["start"] = starts.dt.floor("s")
    spans = pd.to_timedelta(frame["duration"].astype(float), unit="s")
    frame["duration"] = spans.dt.floor("s")
    frame = frame.astype({"step": "Int64", "loss": float, "batch_size": "Int64"})
    settings = {
        f"config.{name}" if name in frame else name: values
        for name, values in _differing([run.config for run in runs]).items()
    }
    differing = pd.DataFrame(settings, frame.index, dtype="object")
    table = pd.concat([frame, differing], axis=1)
    listed: pd.DataFrame = table.sort_values("start", kind="stable", ignore_index=True)
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
    lr: float = np.nan
    wall_time_s: float = np.nan

    def take(self, item: Record | Event) -> None:
        """Take a line, from the end on."""
        if np.isnan(self.wall_time_s):
            self.attempts = attempt_number(item.attempt)
            self.wall_time_s = item.wall_time_s
        if isinstance(item, Record):
            self.step = item.step if self.step is None else self.step
            self.loss = item.values.get("loss", np.nan)
            if np.isnan(self.lr):
                self.lr = item.values.get("lr", np.nan)
        elif not self.phase and (item.name == "train_begin" or item.name in ENDS):
            self.phase = ENDS.get(item.name, "training")


def _end(file: Path) -> _End:
    end = _End()
    for item in itertools.islice(newest_first(file), _LOOK_BACK):
        end.take(item)
        if isinstance(item, Record) and "loss" in item.values:
            break
    end.phase = end.phase or ("waiting" if end.step is None else "training")
    if end.phase not in ENDED and _is_lost(file):
        end.phase = "lost"
    return end


def _is_lost(file: Path) -> bool:
    process = writing_process(file)
    return process is not None and process.is_gone()


class _ListedRun:
    """A run, as far as the table needs it."""

    def __init__(
        self, path: Path, files: Mapping[int, Path], facts: Mapping[str, object]
    ) -> None:
        self._path = path
        self._files = files
        self._facts = facts
        self.config = config_of(facts)

    def row(self, *, best: bool) -> dict[str, object]:
        """Return what is the same column in every table."""
        end, file = self._end()
        start_s = self._start(file)
        lr = learning_rate(self.config)
        return {
            "run": self._path.name,
            "path": str(self._path),
            "start": start_s,
            "ranks": len(self._files),
            "attempts": end.attempts,
            "phase": end.phase,
            "step": end.step,
            "loss": end.loss,
            # Negative where the clock was set back.
            "duration": np.maximum(end.wall_time_s - start_s, 0),
            "lr": end.lr if np.isnan(lr) else lr,
            "batch_size": batch_size(self.config),
            "best_loss": _least_loss(file) if best else None,
        }

    def _end(self) -> tuple[_End, Path]:
        """Return the end of the file that speaks for the run, and that file."""
        first, *_, last = [*self._files.values(), *self._files.values()]
        end = _end(first)
        if last != first and np.isnan(end.loss):
            # The loss of a pipeline is known to its last stage.
            return _end(last), last
        return end, first

    def _start(self, file: Path) -> float:
        try:
            return datetime.fromisoformat(str(self._facts["start"])).timestamp()
        except (KeyError, ValueError):
            return file.stat().st_mtime


def _differing(configs: Sequence[Mapping[str, object]]) -> dict[str, list[object]]:
    """Return what each run says of the settings in which they differ."""
    said = [config for config in configs if config]
    names = dict.fromkeys(name for config in said for name in config)
    return {
        name: [config.get(name) for config in configs]
        for name in names
        if name not in _KNOWN and differ(config.get(name) for config in said)
    }


def _least_loss(path: Path) -> float:
    file = RankFile(path)
    file.read_on()
    losses = curve(file.history.rows(), "loss").values
    return float(losses[np.isfinite(losses)].min(initial=np.inf))
