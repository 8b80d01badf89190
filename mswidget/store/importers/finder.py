"""Logs of other tools that appear in folders, for whoever follows them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from mswidget.store.importers.formats import format_at
from mswidget.store.importers.found import Format
from mswidget.store.importers.imported_file import ImportedFile
from mswidget.store.importers.places import choose, group, log_files

MOST_FILES = 256
"""So many files of a folder are looked at; what is no log yet, when it has changed."""


class Finder:
    """Finds the logs of one run in a folder, and in its folders of ranks."""

    def __init__(self) -> None:
        self._stamps: dict[Path, tuple[int, int]] = {}
        self._kinds: dict[Path, Format] = {}
        self.waits = False
        """Whether the last folder has files that may become logs yet."""

    def __call__(self, place: Path) -> dict[int, ImportedFile]:
        """Return the log of each rank; nothing when there is none.

        Parameters
        ----------
        place
            The folder, or one log.
        """
        if place.is_file():
            return self._logs(place.parent, [place])
        files = log_files(place, deepest=1, most=MOST_FILES, every=False)
        return self._logs(place, files)

    def _logs(self, folder: Path, files: Iterable[Path]) -> dict[int, ImportedFile]:
        kinds = {}
        self.waits = False
        for path in files:
            kind = self._kind(path)
            self.waits |= kind is None
            if kind is not None:
                kinds[path] = kind
        places = [p for p in group(folder, kinds) if p.folder == folder]
        if not places:
            return {}
        place = choose(folder, places)
        size = max(place.ranks) + 1
        return {
            rank: ImportedFile(
                paths[-1], place.kind, rank if size > 1 else None, size, paths[:-1]
            )
            for rank, paths in place.ranks.items()
        }

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
