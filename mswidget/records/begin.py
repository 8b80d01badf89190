"""What the begin of a training says, whoever wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast


def inside(fields: Mapping[str, object], name: str) -> Mapping[str, object]:
    """Return what stands under a name; nothing where that is no mapping."""
    held = fields.get(name)
    return cast("Mapping[str, object]", held) if isinstance(held, Mapping) else {}
