"""What of a folder's logs is not read, and what is read as one: in sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mswidget.importers.formats.found import Format
from mswidget.importers.places import Choice, Place, group, unnumbered

Call = Literal["load_run", "watch"]
"""How the user reads a folder, and may read a file of it instead."""
_NAMED = 3
_PLACES = 8


@dataclass(frozen=True)
class _Logs:
    """Files of one kind, in words; ``folder`` if that is read as these."""

    kind: str
    paths: Sequence[Path]
    folder: Path | None = None

    def named(self, root: Path) -> str:
        paths = sorted(self.paths, key=_by_number)
        return f"{_names(root, paths)} ({self.kind})"

    def alone(self, call: Call) -> str:
        """Say how to read them, or the first of them."""
        if self.folder is None or len(self.paths) == 1:
            return f"mswidget.{call}({str(self.paths[0])!r}) reads that file"
        return f"mswidget.{call}({str(self.folder)!r}) reads that folder"


def notes_on(root: Path, choice: Choice, call: Call) -> list[str]:
    """Return what to know of the logs that were chosen in a folder.

    Parameters
    ----------
    root
        The folder.
    choice
        What is read of it, and what is not.
    call
        How the user reads it.
    """
    place = choice.place
    read = _Logs(place.kind.name, [p for paths in place.ranks.values() for p in paths])
    why = "older" if place.kind.rewritten else "no rank in the name"
    unread = [_Logs(f"{place.kind.name}, {why}", place.unread)] if place.unread else []
    kinds = Counter(p.folder for p in (place, *choice.others))
    others = (_logs(p, alone=kinds[p.folder] == 1) for p in choice.others)
    left = [*unread, *others]
    cut = "not all of its files are looked at: there are too many"
    return [
        *_not_read(root, read, left, call),
        *_joined(root, place, call),
        *([] if choice.whole else [cut]),
    ]


def notes_beside_own(
    root: Path, own: Sequence[Path], kinds: Mapping[Path, Format], call: Call
) -> list[str]:
    """Return what to know of other tools' logs beside a run of mswidget's own.

    Parameters
    ----------
    root
        The run's folder.
    own
        Its ranks' files.
    kinds
        The format of each log.
    call
        How the user reads it.
    """
    left = [_logs(place, alone=False) for place in group(root, kinds)]
    return [*_not_read(root, _Logs("mswidget's own", own), left, call)]


def _logs(place: Place, *, alone: bool) -> _Logs:
    ranked = [path for paths in place.ranks.values() for path in paths]
    folder = place.folder if alone else None
    return _Logs(place.kind.name, [*ranked, *place.unread], folder)


def _not_read(
    root: Path, read: _Logs, left: Sequence[_Logs], call: Call
) -> Iterator[str]:
    for logs in left[:_PLACES]:
        yield (
            f"not read: {logs.named(root)}, but {read.named(root)}; {logs.alone(call)}"
        )
    if len(left) > _PLACES:
        yield f"not read: logs of {len(left) - _PLACES} more kinds or folders"


def _joined(root: Path, place: Place, call: Call) -> Iterator[str]:
    """Say which logs of a rank are taken for one training; parts of a log are."""
    several = [p for p in place.ranks.values() if len({*map(unnumbered, p)}) > 1]
    if not several:
        return
    first, *more = several
    ranks = f", and those of {len(more)} more ranks" if more else ""
    growing = ", of which only the last is followed" if call == "watch" else ""
    yield (
        f"read as one training, one after another{growing}: "
        f"{_names(root, first)}{ranks}; mswidget.{call}({str(first[0])!r}) reads one "
        "alone"
    )


def _names(root: Path, paths: Sequence[Path]) -> str:
    names = [str(path.relative_to(root)) for path in paths]
    more = len(names) - _NAMED
    shown = ", ".join(names[:_NAMED])
    return f"{shown} and {more} more" if more > 0 else shown


def _by_number(path: Path) -> list[tuple[int, str]]:
    parts = re.findall(r"(\d+)|(\D+)", str(path))
    return [(int(number or 0), text) for number, text in parts]
