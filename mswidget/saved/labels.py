"""What runs are called side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def labels(paths: Sequence[Path]) -> list[str]:
    """Return the shortest ends of paths that tell them apart."""
    return [_label(paths, at) for at in range(len(paths))]


def _label(paths: Sequence[Path], at: int) -> str:
    others = [path.parts for number, path in enumerate(paths) if number != at]
    parts = paths[at].parts
    for depth in range(1, len(parts) + 1):
        if all(other[-depth:] != parts[-depth:] for other in others):
            return "/".join(parts[-depth:])
    same = sum(path == paths[at] for path in paths[: at + 1])
    return f"{paths[at].name} ({same})"
