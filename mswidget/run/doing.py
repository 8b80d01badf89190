"""What a training's thread does when no step comes, where MindSpore's names tell."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from mswidget.widget.protocol import Phase

_PHASES: Mapping[str, Phase] = {
    "compile": "compiling",
    "eval": "evaluating",
    "_eval_in_fit": "evaluating",
    "save_checkpoint": "saving",
    "_save_ckpt": "saving",
}
"""By the names of MindSpore's functions, whoever calls them."""


def doing(thread: int) -> Phase | None:
    """Return what a thread is in the middle of; None when it may be in a step.

    Parameters
    ----------
    thread
        As `threading.get_ident` names it.
    """
    frame = sys._current_frames().get(thread)  # noqa: SLF001 - the only way
    while frame is not None:
        phase = _PHASES.get(frame.f_code.co_name)
        if phase and str(frame.f_globals.get("__name__")).startswith("mindspore."):
            return phase
        frame = frame.f_back
    return None
