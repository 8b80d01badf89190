"""What a run is read from: found in its folder, now or as it appears."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mswidget.files.names import rank_files
from mswidget.files.own_source import OwnSource
from mswidget.importers.format_table import FORMATS, format_at, is_foreign
from mswidget.importers.formats.found import Format
from mswidget.importers.formats.pattern import format_by
from mswidget.importers.left_out import Call, notes_beside_own, notes_on
from mswidget.importers.log_source import LogSource
from mswidget.importers.places import Choice, Place, choose, group, log_files
from mswidget.saved.rank_source import RankSource

MOST_FILES = 256
"""So many files of a folder are looked at again and again."""


@dataclass(frozen=True)
class Contents:
    """What there is in a folder, now.

    Parameters
    ----------
    sources
        One for each rank, or for several that share a log.
    notes
        What to know of them, such as which other logs are not read.
    waits
        Whether there are files that may become logs yet.
    """

    sources: Sequence[RankSource] = ()
    notes: Sequence[str] = ()
    waits: bool = False


class Finder:
    """Finds what runs are read from.

    What is no log yet is looked into again when it has changed; logs of the format
    that was found in a folder first stay the ones.

    Parameters
    ----------
    call
        How the user reads: ``load_run`` looks once, and into all folders in a folder,
        ``watch`` often, and only into those of ranks.
    pattern
        See `pattern.Pattern`; None means what is understood by itself.
    steps_per_epoch
        See `LogSource`.

    Raises
    ------
    ValueError
        When ``pattern`` is no regular expression, or no epoch has so many steps.
    """

    def __init__(
        self,
        call: Call,
        pattern: str | None = None,
        steps_per_epoch: int | None = None,
    ) -> None:
        if steps_per_epoch is not None and steps_per_epoch < 1:
            raise ValueError(
                f"steps_per_epoch={steps_per_epoch} is invalid: expected at least 1"
            )
        self._call = call
        self._steps_per_epoch = steps_per_epoch
        self._pattern = None if pattern is None else format_by(pattern)
        self._formats = (self._pattern,) if self._pattern else FORMATS
        often = call == "watch"
        self._files = partial(log_files, most=MOST_FILES) if often else log_files
        self._stamps: dict[Path, tuple[int, int]] = {}
        self._kinds: dict[Path, Format] = {}
        self._first: dict[Path, Format] = {}

    def own(self, place: Path) -> Contents | None:
        """Return mswidget's own files in a folder, or the one that a place is."""
        files = [place] if place.is_file() else [*rank_files(place).values()]
        if self._pattern or not files or is_foreign(files[0]):
            return None
        sources = [OwnSource(path) for path in files]
        if place.is_file():
            return Contents(sources)
        beside, _ = self._files(place, near=True, own=False)
        kinds, others = self._look(beside)
        # Very many runs may have a file of settings beside them.
        waits = any(path.suffix != ".json" for path in others)
        notes = notes_beside_own(place, files, kinds, self._call)
        return Contents(sources, notes, waits)

    def logs(self, place: Path) -> Contents:
        """Return the logs of other tools in a folder, or the one that a place is."""
        folder = place.parent if place.is_file() else place
        files, whole = self._candidates(place)
        kinds, others = self._look(files)
        places = group(folder, kinds)
        if not places:
            return Contents(waits=bool(others))
        chosen = self._choose(place, folder, places)
        choice = Choice(chosen, [p for p in places if p is not chosen], whole)
        notes = notes_on(folder, choice, self._call)
        return Contents(self._sources(chosen), notes, waits=bool(others))

    def _candidates(self, place: Path) -> tuple[list[Path], bool]:
        """Return the files that may be logs, and whether these are all."""
        if not place.is_file():
            return self._files(place, near=self._call == "watch")
        if self._pattern:
            self._kinds[place] = self._pattern
        return [place], True

    def _look(self, files: Iterable[Path]) -> tuple[dict[Path, Format], list[Path]]:
        """Return the logs, and what may become one."""
        looked_at = {path: self._kind(path) for path in files}
        kinds = {path: kind for path, kind in looked_at.items() if kind is not None}
        return kinds, [path for path in looked_at if path not in kinds]

    def _choose(self, place: Path, folder: Path, places: Sequence[Place]) -> Place:
        first = self._first.get(place)
        chosen = next((p for p in places if p.kind is first), None)
        chosen = chosen or choose(folder, places, self._formats)
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
                if (kind := format_at(path, self._formats)) is not None:
                    self._kinds[path] = kind
        return self._kinds.get(path)

    def _sources(self, place: Place) -> list[LogSource]:
        size = max(place.ranks) + 1
        return [
            LogSource(
                paths[-1],
                place.kind,
                rank if size > 1 else None,
                size,
                before=paths[:-1],
                steps_per_epoch=self._steps_per_epoch,
            )
            for rank, paths in sorted(place.ranks.items())
        ]
