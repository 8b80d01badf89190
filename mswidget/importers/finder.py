"""Logs of other tools that appear in folders, for whoever follows them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mswidget.files.rank_file import RankFile
from mswidget.importers.format_table import format_at
from mswidget.importers.formats.found import Format
from mswidget.importers.imported_file import ImportedFile
from mswidget.importers.left_out import notes_beside_own, notes_on
from mswidget.importers.places import Choice, Place, choose, group, log_files

MOST_FILES = 256
"""So many files of a folder are looked at; what is no log yet, when it has changed."""


@dataclass(frozen=True)
class Logs:
    """What there is in a folder, now.

    Parameters
    ----------
    files
        One for each rank.
    notes
        What to know of them, such as which others are not read.
    waits
        Whether there are files that may become logs yet.
    """

    files: Sequence[RankFile]
    notes: Sequence[str]
    waits: bool


class Finder:
    """Finds the logs of one run in a folder, and in its folders of ranks.

    Those of the format that it has found in a folder first stay the ones.
    """

    def __init__(self) -> None:
        self._stamps: dict[Path, tuple[int, int]] = {}
        self._kinds: dict[Path, Format] = {}
        self._first: dict[Path, Format] = {}

    def __call__(self, place: Path) -> Logs:
        """Return the logs of a folder, or the one that ``place`` is."""
        folder, files, whole = place.parent, [place], True
        if not place.is_file():
            folder = place
            files, whole = log_files(place, most=MOST_FILES, near=True)
        kinds, others = self._look(files)
        places = [p for p in group(folder, kinds) if p.folder == folder]
        if not places:
            return Logs([], [], waits=bool(others))
        chosen = self._choose(place, folder, places)
        choice = Choice(chosen, [p for p in places if p is not chosen], whole)
        notes = notes_on(folder, choice, "watch")
        return Logs(_files(chosen), notes, waits=bool(others))

    def beside(self, folder: Path, own: Sequence[Path]) -> Logs:
        """Return mswidget's own files of a folder, and what to know of logs there."""
        files, _ = log_files(folder, most=MOST_FILES, near=True, own=False)
        kinds, others = self._look(files)
        notes = notes_beside_own(folder, own, kinds, "watch")
        # Very many runs may have a file of settings beside them.
        waits = any(path.suffix != ".json" for path in others)
        return Logs([RankFile(path) for path in own], notes, waits)

    def _look(self, files: Iterable[Path]) -> tuple[dict[Path, Format], list[Path]]:
        """Return the logs, and what may become one."""
        found = {path: self._kind(path) for path in files}
        kinds = {path: kind for path, kind in found.items() if kind is not None}
        return kinds, [path for path in found if path not in kinds]

    def _choose(self, place: Path, folder: Path, places: Sequence[Place]) -> Place:
        first = self._first.get(place)
        chosen = next((p for p in places if p.kind is first), None)
        chosen = chosen or choose(folder, places)
        self._first[place] = chosen.kind
        return chosen

    def _kind(self, path: Path) -> Format | None:
        if path in self._kinds:
            return self._kinds[path]
        with contextlib.suppress(OSError):
            stat = path.stat()
            stamp = (stat.st_size, stat.st_mtime_ns)
            if self._stamps.get(path) != stamp:
                self._stamps[path] = stamp
                if (kind := format_at(path)) is not None:
                    self._kinds[path] = kind
        return self._kinds.get(path)


def _files(place: Place) -> list[ImportedFile]:
    size = max(place.ranks) + 1
    return [
        ImportedFile(
            paths[-1], place.kind, rank if size > 1 else None, size, paths[:-1]
        )
        for rank, paths in place.ranks.items()
    ]
