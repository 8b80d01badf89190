"""A run's files, read back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mswidget.store.frame import to_pandas
from mswidget.store.history import History
from mswidget.store.record import Event, Record, from_line

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class SavedRank:
    """What one rank's file says.

    ``skipped`` names each line that could not be read: file, line number, why.
    """

    rank: int
    records: list[Record]
    events: list[Event]
    skipped: list[str]


@dataclass(frozen=True)
class SavedRun:
    """A run read from its folder."""

    path: Path
    ranks: dict[int, SavedRank]

    def to_pandas(self) -> pd.DataFrame:
        """Return all records of all ranks and attempts, in file order.

        See `mswidget.store.frame.to_pandas` for the columns.
        """
        # Only a reader pays for pandas.
        import pandas as pd  # noqa: PLC0415

        frames = [_frame(rank) for rank in self.ranks.values()]
        return pd.concat(frames) if len(frames) > 1 else frames[0]


def load_run(path: str | Path) -> SavedRun:
    """Read a run folder, or one rank's file.

    Raises
    ------
    FileNotFoundError
        When there is no ``rank_<r>.jsonl``; says what the folder holds instead.
    """
    folder = Path(path).expanduser()
    files = [folder] if folder.is_file() else sorted(folder.glob("rank_*.jsonl"))
    if not files:
        message = f"{folder}: no rank_<r>.jsonl there; {_found(folder)}"
        raise FileNotFoundError(message)
    ranks = [_read(file) for file in files]
    return SavedRun(folder, {r.rank: r for r in sorted(ranks, key=lambda r: r.rank)})


def _found(folder: Path) -> str:
    if not folder.exists():
        return "the path does not exist"
    inside = {p.parent.name for p in folder.glob("*/rank_*.jsonl")}
    if inside:
        return f"give one of the runs in it: {', '.join(sorted(inside)[:20])}"
    names = ", ".join(sorted(p.name for p in folder.iterdir())[:20])
    return f"it holds {names or 'nothing'}"


def _read(file: Path) -> SavedRank:
    records: list[Record] = []
    events: list[Event] = []
    skipped: list[str] = []
    text = file.read_bytes().decode(errors="replace")
    whole, _, _half_written = text.rpartition("\n")
    for number, line in enumerate(whole.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            item = from_line(line)
        except ValueError as error:
            skipped.append(f"{file.name}:{number}: {error}")
            continue
        if isinstance(item, Record):
            records.append(item)
        else:
            events.append(item)
    return SavedRank(_rank_of(file, records), records, events, skipped)


def _rank_of(file: Path, records: list[Record]) -> int:
    named = re.fullmatch(r"rank_(\d+)", file.stem)
    return int(named[1]) if named else (records[0].rank if records else 0)


def _frame(saved: SavedRank) -> pd.DataFrame:
    history = History()
    history.extend(saved.records)
    attempts = [record.attempt for record in saved.records]
    return to_pandas(history.rows(), rank=saved.rank, attempts=attempts)
