"""What a run's folder says of the run: ``run.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path


def read_facts(path: Path) -> Mapping[str, object]:
    """Return what stands in ``run.json``; nothing where it is missing or broken.

    Parameters
    ----------
    path
        The run's folder, or a file in it.
    """
    folder = path if path.is_dir() else path.parent
    try:
        facts = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def rank_size(facts: Mapping[str, object]) -> int:
    """Return how many ranks a run is to have; 0 when it does not say."""
    size = facts.get("rank_size")
    return size if type(size) is int else 0
