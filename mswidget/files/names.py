"""How the files of a run are called."""

from __future__ import annotations

import re
from pathlib import Path

_RANK = re.compile(r"rank_(\d+)\.jsonl")


def rank_file(folder: Path, rank: int) -> Path:
    """Return where a rank's records stand."""
    return folder / f"rank_{rank}.jsonl"


def alerts_file(records: Path) -> Path:
    """Return where the alerts stand of the rank whose records are in a file."""
    return records.with_name(f"alerts_{records.name}")


def rank_named(path: Path) -> int | None:
    """Return the rank whose file is called so; None for any other file."""
    name = _RANK.fullmatch(path.name)
    return int(name[1]) if name else None


def rank_files(folder: Path) -> dict[int, Path]:
    """Return the files of a run's ranks, by rank; none where there is no folder."""
    named = {rank_named(path): path for path in folder.glob("rank_*.jsonl")}
    return {rank: named[rank] for rank in sorted(r for r in named if r is not None)}


def stacks_file(records: Path) -> Path:
    """Return where the stacks go of a rank that hangs, whose records are in a file."""
    return records.with_name(f"stacks_{records.stem}.txt")
