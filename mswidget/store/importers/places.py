"""Which files of a folder are logs, and whose."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mswidget.store.importers.formats import FORMATS, format_at, understood
from mswidget.store.importers.found import Format

DEEPEST = 3
"""Folders within folders are looked into so deep."""
MOST_FILES = 4096
"""So many files of a folder are looked at."""
_ENDINGS = (".log", ".txt", ".out", ".json", ".jsonl")
_EVENTS = ("events.out.", ".tfevents.")
_ROTATED = re.compile(r"\.(\d{1,4})$")
_RANK = re.compile(r"(?:rank|worker)[_-]?(\d{1,9})(?!\d)", re.IGNORECASE)


@dataclass(frozen=True)
class Place:
    """Files of one kind in one folder: by rank, each rank's oldest first."""

    kind: Format
    folder: Path
    ranks: dict[int, list[Path]]


def rank_in(path: Path) -> int | None:
    """Return the rank in a file's name, or in that of its folder."""
    for name in (path.name, path.parent.name):
        found = _RANK.findall(name)
        if found:
            return int(found[-1])
    return None


def find_place(
    folder: Path, formats: Iterable[Format] = FORMATS
) -> tuple[Place, list[str]]:
    """Return the logs in a folder that belong together, and what else there is.

    Those nearest to the folder are taken; of several formats there, the first of
    the table.

    Raises
    ------
    FileNotFoundError
        When there are none; says what is understood.
    ValueError
        When they are of several runs; names those.
    """
    known = list(formats)
    places = _places(folder, known)
    if not places:
        raise FileNotFoundError(f"{folder}: no log there; {_held(folder)}")
    best = min(_order(place, folder, known) for place in places)
    first, *others = (p for p in places if _order(p, folder, known) == best)
    if others:
        found = ", ".join(sorted(str(p.folder) for p in (first, *others))[:20])
        message = f"{folder}: {first.kind.name}s of several runs; give one of {found}"
        raise ValueError(message)
    rest = [p for p in places if p is not first]
    return first, [f"not read: {p.kind.name} in {p.folder}" for p in rest]


def _held(folder: Path) -> str:
    names = ", ".join(sorted(p.name for p in folder.iterdir())[:20])
    return f"it holds {names or 'nothing'}. What is understood:\n{understood()}"


def _order(place: Place, folder: Path, formats: list[Format]) -> tuple[int, int]:
    depth = len(place.folder.relative_to(folder).parts)
    return depth, formats.index(place.kind)


def _places(folder: Path, formats: list[Format]) -> list[Place]:
    found: dict[tuple[str, Path], Place] = {}
    for path in _files(folder):
        try:
            kind = format_at(path, formats)
        except OSError:
            continue
        if kind is None:
            continue
        place = _folder(path, kind, folder)
        held = found.setdefault((kind.name, place), Place(kind, place, {}))
        held.ranks.setdefault(rank_in(path) or 0, []).append(path)
    for held in found.values():
        for rank, paths in held.ranks.items():
            paths.sort(key=_age)
            if held.kind.rewritten:
                # The newest holds all that the others do.
                held.ranks[rank] = paths[-1:]
    return list(found.values())


def _folder(path: Path, kind: Format, root: Path) -> Path:
    """Return the folder whose files are one run's."""
    parent = path.parent
    of_rank = _RANK.fullmatch(parent.name)
    of_checkpoint = kind.rewritten and parent.name.startswith("checkpoint-")
    return parent.parent if parent != root and (of_rank or of_checkpoint) else parent


def _age(path: Path) -> tuple[int, float, str]:
    rotated = _ROTATED.search(path.name)
    return -int(rotated[1]) if rotated else 0, path.stat().st_mtime, path.name


def _files(folder: Path) -> Iterator[Path]:
    left = MOST_FILES
    for where, folders, names in os.walk(folder):
        depth = len(Path(where).relative_to(folder).parts)
        folders[:] = sorted(n for n in folders if not n.startswith("."))
        if depth >= DEEPEST:
            folders.clear()
        for name in sorted(filter(_may_be_log, names)):
            if not left:
                return
            left -= 1
            yield Path(where, name)


def _may_be_log(name: str) -> bool:
    stem = _ROTATED.sub("", name)
    return stem.endswith(_ENDINGS) or any(part in name for part in _EVENTS)
