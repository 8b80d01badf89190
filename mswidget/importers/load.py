"""Files of other tools, read to the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mswidget.importers.format_table import FORMATS, format_at, understood
from mswidget.importers.formats.found import Format
from mswidget.importers.formats.pattern import format_by
from mswidget.importers.imported_file import ImportedFile
from mswidget.importers.left_out import notes_beside_own, notes_on
from mswidget.importers.places import (
    Place,
    find_place,
    kinds_of,
    log_files,
    rank_in,
)
from mswidget.records.history import History
from mswidget.records.record import Event


@dataclass(frozen=True)
class ImportedRank:
    """What other tools' files say of one rank.

    ``rounding`` says by metric how far a printed value may be from the full one;
    ``notes`` are what a reader of the numbers has to know.
    """

    rank: int
    history: History
    events: list[Event]
    rounding: Mapping[str, float]
    notes: list[str]


def load_import(path: Path, pattern: str | None = None) -> list[ImportedRank]:
    """Read a file or a folder of another tool.

    Parameters
    ----------
    path
        The file, or a folder with those of all ranks.
    pattern
        See `pattern.Pattern`; None means what is understood
        by itself.

    Raises
    ------
    ValueError
        When nothing in it is understood; says what is.
    """
    formats = FORMATS if pattern is None else (format_by(pattern),)
    if path.is_file():
        return list(_read(_alone(path, formats), ()))
    choice = find_place(path, formats)
    return list(_read(choice.place, notes_on(path, choice, "load_run")))


def notes_of_own(folder: Path, own: Sequence[Path]) -> list[str]:
    """Return what to know of other tools' logs beside mswidget's own files."""
    files, _ = log_files(folder, near=True, own=False)
    return notes_beside_own(folder, own, kinds_of(files), "load_run")


def logs_in(folder: Path) -> list[Path]:
    """Return the logs of other tools that are in a folder itself."""
    files, _ = log_files(folder, near=True)
    return [path for path in kinds_of(files) if path.parent == folder]


def _alone(path: Path, formats: Sequence[Format]) -> Place:
    kind = format_at(path, formats)
    if kind is None and formats is not FORMATS:
        kind = formats[0]
    if kind is None:
        raise ValueError(f"{path}: not understood. What is:\n{understood()}")
    return Place(kind, path.parent, {rank_in(path) or 0: [path]})


def _read(place: Place, others: Sequence[str]) -> Iterator[ImportedRank]:
    size = max(place.ranks) + 1
    for rank, paths in sorted(place.ranks.items()):
        *before, path = paths
        named = rank if size > 1 else None
        file = ImportedFile(path, place.kind, named, size, before)
        file.read_on()
        if not file.sheets:
            raise ValueError(f"{path}: no line of it was understood")
        for found, sheet in sorted(file.sheets.items()):
            notes = [*file.notes_of(found), *others]
            rounding = sheet.printed.rounding()
            yield ImportedRank(found, sheet.history, sheet.events, rounding, notes)
