"""A run on disk, read as far as it goes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mswidget.alerts.check import check
from mswidget.files.facts import rank_size, read_facts
from mswidget.files.logged import Logged
from mswidget.records.alert import Alert
from mswidget.records.alerts_table import alerts_table
from mswidget.records.frame import Attempts
from mswidget.records.history import Rows
from mswidget.records.rank import Rank
from mswidget.records.ranks import Ranks
from mswidget.records.shared_notes import shared_notes
from mswidget.saved.finder import Contents
from mswidget.saved.rank_source import RankSource

if TYPE_CHECKING:
    import pandas as pd
    from plotly import graph_objects as go


class SavedRun:
    """A run on disk, as far as it was read. Made by `load_run`, which reads it whole.

    Parameters
    ----------
    path
        Its folder, or the file that is read alone.
    name
        What it is called; by default, as ``path`` is.
    """

    def __init__(self, path: Path, name: str = "") -> None:
        self.path = path
        self.name = name or path.absolute().name
        self.facts = read_facts(path)
        """What ``run.json`` says."""
        self.sources: dict[int, RankSource] = {}
        """What it is read from, by the ranks that these are named for."""
        self._logged = Logged(self.name, self._rows, self._page)
        self._size = 0 if path.is_file() else rank_size(self.facts)
        self._ranks: Ranks | None = None
        self._notes: dict[Path, Sequence[str]] = {}
        self._left_out: dict[Path, None] = {}

    def __repr__(self) -> str:
        """Place, ranks, and what to know of the numbers."""
        count = len(self.ranks)
        head = f"<SavedRun {self.path}: {count} {'rank' if count == 1 else 'ranks'}"
        return "\n".join([head, *(f"  {note}" for note in self.notes)]) + ">"

    @property
    def ranks(self) -> Ranks:
        """The ranks by number; called, a table of them.

        The table says what each does and which left the others first: see
        `mswidget.records.ranks.ranks_table`.
        """
        if self._ranks is None:
            self._ranks = self._gathered()
        return self._ranks

    @property
    def alerts(self) -> pd.DataFrame:
        """What was found wrong while it ran, a row each, of all ranks and attempts.

        See `mswidget.records.alerts_table.alerts_table`.
        """
        return alerts_table(self.alert_list)

    @property
    def alert_list(self) -> list[Alert]:
        """The alerts of each rank as it wrote them."""
        return [alert for rank in self.ranks.values() for alert in rank.alerts]

    def check(self) -> pd.DataFrame:
        """Return what the rules of today find in its numbers, a row each.

        That is also of a log that mswidget did not write, and of a run that had other
        rules while it ran. See `mswidget.records.alerts_table.alerts_table`.
        """
        return alerts_table(check(self.ranks))

    @property
    def notes(self) -> list[str]:
        """What a reader of the numbers has to know; which files are not read, too."""
        of_ranks = shared_notes({n: rank.notes for n, rank in self.ranks.items()})
        of_folders = (note for notes in self._notes.values() for note in notes)
        left_out = (
            f"{path} is left out: another folder has the same rank"
            for path in self._left_out
        )
        return list(dict.fromkeys([*of_ranks, *of_folders, *left_out]))

    def add(self, folder: Path, contents: Contents) -> None:
        """Take what there is in one of the run's folders, or there is now."""
        self._ranks = None
        self._notes[folder] = contents.notes
        for source in contents.sources:
            held = self.sources.setdefault(source.rank, source)
            if folder in held.path.parents:
                if _has_more(source, held):
                    self.sources[source.rank] = source
            elif held.path != source.path:
                self._left_out[source.path] = None

    def read_on(self, rank: int, limit: int | None = None) -> bool:
        """Read what the source named for a rank has got; see `RankSource.read_on`."""
        changed = self.sources[rank].read_on(limit)
        if changed:
            self._ranks = None
        return changed

    def _gathered(self) -> Ranks:
        """Put the ranks together; one with a source of its own is what that says."""
        alone: dict[int, Rank] = {}
        shared: dict[int, Rank] = {}
        for ranks in map(_ranks_of, self.sources.values()):
            (shared if len(ranks) > 1 else alone).update(ranks)
        return Ranks(dict(sorted({**shared, **alone}.items())), self._size)

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
        return self._logged.to_pandas(metrics, ranks, attempts=attempts, wide=wide)

    def around(self, step: int, steps: int = 5) -> pd.DataFrame:
        """Return what was logged some steps before and after one, on all ranks.

        What is farthest from its usual value at that step stands in front. See
        `mswidget.records.around.around`.
        """
        return self._logged.around(step, steps)

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
        return self._logged.figure(metrics, ranks)

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write the values of all ranks to a ``.csv``, ``.parquet`` or ``.html`` file.

        See `mswidget.files.export.export`.
        """
        return self._logged.export(path)

    def _rows(self, ranks: Sequence[int] | None = None) -> dict[int, Rows]:
        chosen = list(self.ranks) if ranks is None else list(ranks)
        missing = [rank for rank in chosen if rank not in self.ranks]
        if missing:
            message = f"ranks {missing}: not in {self.path}; it has {[*self.ranks]}"
            raise ValueError(message)
        return {rank: self.ranks[rank].history.rows() for rank in chosen}

    def _page(self) -> str:
        # The page's parts come with Jupyter's widgets, which take time to import.
        from mswidget.pictures.page import saved_page  # noqa: PLC0415

        return saved_page([self])


def _ranks_of(source: RankSource) -> Mapping[int, Rank]:
    """Return a source's ranks; of one that has none yet, that which it is named for."""
    number = source.rank
    return source.ranks or {number: Rank(number, path=source.path, own=source.own)}


def _has_more(source: RankSource, held: RankSource) -> bool:
    """Say whether a rank has got another log, or files of mswidget's own."""
    return not held.own and not source.logs <= held.logs
