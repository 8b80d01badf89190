"""Which files of a folder are logs, and whose."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mswidget.importers.format_table import format_at
from mswidget.importers.formats.found import Format

DEEPEST = 3
"""Folders within folders are looked into so deep."""
MOST_FILES = 4096
"""So many files of a folder are looked at."""
_ENDINGS = (".log", ".txt", ".out", ".json", ".jsonl")
_EVENTS = ("events.out.", ".tfevents.")
_ROTATED = re.compile(r"\.(\d{1,4})$")
_OWN = re.compile(r"run\.json|notified\.jsonl|(alerts_)?rank_\d+\.jsonl")
_RANK = re.compile(r"(?:rank|worker)[._-]?(\d{1,9})(?!\d)", re.IGNORECASE)
# As MindSpore's scripts name folders: a device of one machine is a rank.
_DEVICE = re.compile(r"(?:device|train_parallel)[_-]?(\d{1,9})(?!\d)")
_ALONE = ("log", "stdout", "stderr")
"""Names of logs without an ending."""


def is_of_rank(folder: Path) -> bool:
    """Say whether a folder is named as that of a rank of a run."""
    return _is_rank(folder.name)


def _is_rank(name: str) -> bool:
    return any(named.fullmatch(name) for named in (_RANK, _DEVICE))


@dataclass(frozen=True)
class Place:
    """Files of one kind in one folder: by rank, each rank's oldest first.

    ``unread`` are those that are of no rank, or that a newer one stands for.
    """

    kind: Format
    folder: Path
    ranks: dict[int, list[Path]]
    unread: list[Path] = field(default_factory=list)

    def of(self, rank: int) -> list[Path]:
        """Return the list of a rank's files."""
        return self.ranks.setdefault(rank, [])

    def sort(self) -> None:
        """Put the oldest first; of files that hold all of it, keep the newest."""
        for rank, paths in self.ranks.items():
            paths.sort(key=_age)
            if self.kind.rewritten:
                self.ranks[rank] = paths[-1:]
                # A training's newest checkpoint holds what those before it do.
                older = (p for p in paths[:-1] if p.parent == self.folder)
                self.unread.extend(older)


@dataclass(frozen=True)
class Choice:
    """What is read of a folder: ``place``, but not ``others``.

    ``whole`` says whether all of its files were looked at.
    """

    place: Place
    others: Sequence[Place]
    whole: bool


def rank_in(path: Path) -> int | None:
    """Return the rank in a file's name, or in that of its folder."""
    for named in (_RANK, _DEVICE):
        for name in (path.name, path.parent.name):
            if numbers := named.findall(name):
                return int(numbers[-1])
    return None


def logs_in(folder: Path) -> list[Path]:
    """Return the logs that are in a folder itself and can be read."""
    files, _ = log_files(folder, near=True)
    return [path for path in files if path.parent == folder and _is_log(path)]


def _is_log(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return format_at(path) is not None
    return False


def choose(folder: Path, places: Sequence[Place], formats: Sequence[Format]) -> Place:
    """Return the logs nearest to a folder; of several formats, the first's.

    Raises
    ------
    ValueError
        When there are several of these; names them.
    """

    def order(place: Place) -> tuple[int, int, bool]:
        depth = len(place.folder.relative_to(folder).parts)
        # MindFormers' scripts log everything twice: beside it are the ranks' own logs.
        again = place.folder.name == "msrun_log"
        return depth, formats.index(place.kind), again

    best = min(map(order, places))
    first, *others = (p for p in places if order(p) == best)
    if others:
        folders = ", ".join(sorted(str(p.folder) for p in (first, *others))[:20])
        message = f"{folder}: {first.kind.name}s of several runs; give one of {folders}"
        raise ValueError(message)
    return first


def group(root: Path, kinds: Mapping[Path, Format]) -> list[Place]:
    """Return logs put together by the runs that they are of."""
    places: dict[tuple[str, Path], Place] = {}
    unnamed: dict[tuple[str, Path], list[Path]] = {}
    for path, kind in kinds.items():
        folder = _folder(path, kind, root)
        key = (kind.name, folder)
        place = places.setdefault(key, Place(kind, folder, {}))
        rank = rank_in(path)
        held = unnamed.setdefault(key, []) if rank is None else place.of(rank)
        held.append(path)
    for key, place in places.items():
        # msrun's scheduler may run the script, too: its log is no rank's.
        if not place.ranks:
            place.ranks[0] = unnamed[key]
        else:
            place.unread.extend(unnamed.get(key, []))
        place.sort()
    return list(places.values())


def _folder(path: Path, kind: Format, root: Path) -> Path:
    """Return the folder whose files are one run's."""
    parent = path.parent
    of_checkpoint = kind.rewritten and parent.name.startswith("checkpoint-")
    inside = parent != root and (is_of_rank(parent) or of_checkpoint)
    return parent.parent if inside else parent


def _age(path: Path) -> tuple[int, float, str]:
    rotated = _ROTATED.search(path.name)
    time_s = 0.0
    with contextlib.suppress(OSError):
        time_s = path.stat().st_mtime
    return -int(rotated[1]) if rotated else 0, time_s, path.name


def log_files(
    folder: Path, *, most: int = MOST_FILES, near: bool = False, own: bool = True
) -> tuple[list[Path], bool]:
    """Return files that may be logs, in a folder and in folders in it.

    Parameters
    ----------
    folder
        Where to look.
    most
        So many files at most.
    near
        Of the folders in it, look only into those of ranks.
    own
        Also files that are named as those of mswidget's own runs.

    Returns
    -------
    list of Path, bool
        The files, and whether these are all.
    """
    named = _walk(folder, near=near)
    files = (path for path in named if own or not _OWN.fullmatch(path.name))
    first = [*itertools.islice(files, most)]
    return first, next(files, None) is None


def _walk(folder: Path, *, near: bool) -> Iterator[Path]:
    for where, folders, names in os.walk(folder):
        depth = len(Path(where).relative_to(folder).parts)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and (_is_rank(name) or not near)
        )
        if depth >= (1 if near else DEEPEST):
            folders.clear()
        for name in sorted(filter(_may_be_log, names)):
            yield Path(where, name)


def unnumbered(path: Path) -> Path:
    """Return the log that a file is a part of: ``info.log`` for ``info.log.1``."""
    return path.with_name(_ROTATED.sub("", path.name))


def _may_be_log(name: str) -> bool:
    stem = _ROTATED.sub("", name)
    known = stem in _ALONE or stem.endswith(_ENDINGS)
    return known or any(part in name for part in _EVENTS)
