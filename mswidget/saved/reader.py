"""A run's files, read back."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mswidget.files.export import export
from mswidget.files.facts import rank_size, read_facts
from mswidget.files.rank_file import RankFile
from mswidget.importers.format_table import is_foreign
from mswidget.importers.load import load_import, logs_in, notes_of_own
from mswidget.records.alert import Alert
from mswidget.records.figure import figure
from mswidget.records.frame import Attempts, to_pandas
from mswidget.records.history import History, Rows
from mswidget.records.ranks import Ranks
from mswidget.records.record import Event, Record

if TYPE_CHECKING:
    import pandas as pd
    from plotly import graph_objects as go


@dataclass(frozen=True)
class SavedRank:
    """What one rank's file says.

    ``skipped`` names the first lines that could not be read: file, number, why. Of
    what another tool logged, ``rounding`` says by metric how far a printed value may
    be from the full one. ``notes`` are what a reader of the numbers has to know, such
    as which logs beside them are not read.
    """

    rank: int
    history: History
    events: list[Event]
    alerts: list[Alert]
    skipped: list[str]
    rounding: Mapping[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def records(self) -> list[Record]:
        """Return every record as an object of its own; `history` is far smaller."""
        return self.history.records(self.rank)


@dataclass(frozen=True)
class SavedRun:
    """A run read from its folder.

    ``ranks`` are the ranks by number; called, they are a table of what each does and
    which left the others first: see `mswidget.records.ranks.ranks_table`.
    """

    path: Path
    ranks: Ranks[SavedRank]

    def __repr__(self) -> str:
        """Place, ranks, and what to know of the numbers."""
        count = len(self.ranks)
        head = f"<SavedRun {self.path}: {count} {'rank' if count == 1 else 'ranks'}"
        return "\n".join([head, *(f"  {note}" for note in self.notes)]) + ">"

    @property
    def alerts(self) -> list[Alert]:
        """The alerts of all ranks and attempts, in order of time."""
        found = [alert for rank in self.ranks.values() for alert in rank.alerts]
        return sorted(found, key=lambda alert: alert.wall_time_s)

    @property
    def notes(self) -> list[str]:
        """What a reader of the numbers has to know; which files are not read, too."""
        notes = [note for rank in self.ranks.values() for note in rank.notes]
        return list(dict.fromkeys(notes))

    def to_pandas(
        self,
        metrics: Sequence[str] | None = None,
        ranks: Sequence[int] | None = None,
        *,
        attempts: Attempts = "all",
        wide: bool = True,
    ) -> pd.DataFrame:
        """Return the records of all ranks, or of those given.

        See `mswidget.records.frame.to_pandas` for the other arguments and the columns.

        Raises
        ------
        ValueError
            For a rank or a metric that the run does not have.
        """
        return to_pandas(
            self._rows(ranks),
            metrics=metrics,
            attempts=attempts,
            wide=wide,
        )

    def figure(
        self, metrics: Sequence[str] | None = None, ranks: Sequence[int] | None = None
    ) -> go.Figure:
        """Return the curves as a figure of plotly.py, thinned with every extreme kept.

        See `mswidget.records.figure.figure`.

        Raises
        ------
        ValueError
            For a rank or a metric that the run does not have.
        """
        return figure(self.path.absolute().name, self._rows(ranks), metrics)

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write the values of all ranks to a ``.csv``, ``.parquet`` or ``.html`` file.

        See `mswidget.files.export.export`.
        """
        return export(path, self._rows, self._page)

    def _rows(self, ranks: Sequence[int] | None = None) -> dict[int, Rows]:
        chosen = list(self.ranks) if ranks is None else list(ranks)
        missing = [rank for rank in chosen if rank not in self.ranks]
        if missing:
            message = f"ranks {missing}: not in {self.path}; it has {[*self.ranks]}"
            raise ValueError(message)
        return {rank: self.ranks[rank].history.rows() for rank in chosen}

    def _page(self) -> str:
        # A page shows what is drawn of a run, which stands above all that is stored.
        from mswidget.watching.pages import saved_page  # noqa: PLC0415

        return saved_page([self])


def load_run(path: str | Path, pattern: str | None = None) -> SavedRun:
    r"""Read a run folder, or one rank's file; also logs that mswidget did not write.

    Parameters
    ----------
    path
        A run's folder, a file of it, or a log or a folder of logs of another tool.
    pattern
        A regular expression that finds values in the lines of any text log, by its
        named groups: ``r"step (?P<step>\d+) .* loss (?P<loss>\S+)"``; see
        `mswidget.importers.formats.pattern.Pattern`.

    Raises
    ------
    FileNotFoundError
        When there is nothing to read; says what the folder holds instead.
    ValueError
        When the file is of no kind that is understood, or ``pattern`` is wrong.
    """
    folder = Path(path).expanduser()
    if pattern is not None:
        return _import(folder, pattern)
    files = [folder] if folder.is_file() else sorted(folder.glob("rank_*.jsonl"))
    if not files and (why := _why_not(folder)):
        raise FileNotFoundError(f"{folder}: no rank_<r>.jsonl there; {why}")
    if not files or is_foreign(files[0]):
        return _import(folder)
    if folder.is_file():
        rank = _read(folder, [])
        return SavedRun(folder, Ranks({rank.rank: rank}))
    notes = notes_of_own(folder, files)
    ranks = sorted((_read(file, notes) for file in files), key=lambda r: r.rank)
    size = rank_size(read_facts(folder))
    return SavedRun(folder, Ranks({r.rank: r for r in ranks}, size))


def _why_not(folder: Path) -> str:
    if not folder.exists():
        return "the path does not exist"
    inside = {p.parent.name for p in folder.glob("*/rank_*.jsonl")}
    if inside:
        runs = f"give one of the runs in it: {', '.join(sorted(inside)[:20])}"
        logs = [path.name for path in logs_in(folder)]
        return f"{runs}, or a log: {', '.join(logs[:20])}" if logs else runs
    return ""


def _import(path: Path, pattern: str | None = None) -> SavedRun:
    ranks = {
        r.rank: SavedRank(r.rank, r.history, r.events, [], [], r.rounding, r.notes)
        for r in load_import(path, pattern)
    }
    return SavedRun(path, Ranks(ranks))


def _read(path: Path, notes: list[str]) -> SavedRank:
    file = RankFile(path)
    alerts = RankFile(path.with_name(f"alerts_{path.name}"))
    for part in (file, alerts):
        part.read_on()
    return SavedRank(
        file.rank,
        file.history,
        file.events,
        [Alert.from_event(event) for event in alerts.events],
        [*file.skipped, *alerts.skipped],
        notes=notes,
    )
