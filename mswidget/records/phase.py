"""What a rank of a run does, or how it ended, as far as its file says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from mswidget.records.history import History
from mswidget.records.record import Event

SavedPhase = Literal["waiting", "training", "finished", "stopped", "failed", "lost"]
ENDS: dict[str, SavedPhase] = {
    "train_end": "finished",
    "stopped": "stopped",
    "failed": "failed",
}
"""The events that end a training, and the phase that they leave it in."""
ENDED = frozenset([*ENDS.values(), "lost"])
"""The phases after which nothing comes; of one that is lost, its process is gone."""


def phase_of(history: History, events: Sequence[Event]) -> tuple[SavedPhase, str]:
    """Return the phase, and its detail in words.

    An end counts when no later attempt has begun. A process that was killed says
    nothing: it is ``training`` here, and ``lost`` where it can be asked for.
    """
    last = next((e for e in reversed(events) if _begins_or_ends(e)), None)
    if last is not None and last.name in ENDS:
        return ENDS[last.name], str(last.fields.get("detail", ""))
    if not len(history) and last is None:
        return "waiting", ""
    return "training", ""


def _begins_or_ends(event: Event) -> bool:
    return event.name == "train_begin" or event.name in ENDS
