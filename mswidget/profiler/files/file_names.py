"""File names of the profiler: stem, slice, time stamp, rank; which export counts."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

# At the end what a browser adds to a name that it has: "kernel_details (1).csv".
_FILE = re.compile(
    r"^(?P<stem>.+?)(?:_slice_(?P<slice>\d+))?(?:_(?P<stamp>\d{14}))?"
    r"(?:_(?P<number>\d{1,5}))?(?:[-_]?rank[-_]?\d{1,5})?(?: ?\(\d+\))?$"
)
_RANK = re.compile(r"rank[-_]?(\d{1,6})(?!\d)", re.IGNORECASE)


def name_parts(file: Path) -> dict[str, str]:
    """Return ``stem``, ``slice``, ``stamp``, ``number`` of a name, in small letters."""
    match = _FILE.match(file.stem.lower())
    assert match  # noqa: S101 - the expression takes any name
    return match.groupdict()


def rank_in(name: str) -> int | None:
    """Return the rank that a name spells out, such as ``rank_3``.

    >>> rank_in("rank3_ascend_pt"), rank_in("results_1")
    (3, None)
    """
    spelled = _RANK.search(name)
    return int(spelled[1]) if spelled else None


def ending(file: Path) -> str:
    """Return what a file's name ends with, in small letters."""
    return file.suffix.lower()


def last_export(files: list[Path]) -> tuple[Path, ...]:
    """Keep one export of a table: its slices belong together, older exports do not.

    Of several that nothing tells apart the first counts.
    """
    shown = [f for f in files if f.parent.name == "ASCEND_PROFILER_OUTPUT"] or files
    by_folder: dict[Path, list[Path]] = defaultdict(list)
    for file in shown:
        by_folder[file.parent].append(file)
    return tuple(
        file for inside in by_folder.values() for file in _newest_export(inside)
    )


def _newest_export(files: list[Path]) -> list[Path]:
    """Return the files of one folder that the last export wrote.

    The slices of one export are stamped one after the other, so it begins with the
    newest first slice.
    """
    parts = [(file, name_parts(file)) for file in files]
    whole = [f for f, part in parts if part["slice"] is None]
    firsts = [part["stamp"] or "" for _, part in parts if part["slice"] == "0"]
    begin = max(firsts, default="")
    slices = {
        int(part["slice"]): file  # a later file of the same slice is newer
        for file, part in sorted(parts, key=lambda item: item[1]["stamp"] or "")
        if part["slice"] is not None and (part["stamp"] or "") >= begin
    }
    newest = max(
        whole, key=lambda f: (name_parts(f)["stamp"] or "", ending(f)), default=None
    )
    if newest and (name_parts(newest)["stamp"] or "") >= begin:
        return [newest]
    return [slices[at] for at in sorted(slices)]
