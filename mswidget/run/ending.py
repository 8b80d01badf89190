"""How a run ended."""

from __future__ import annotations

from mswidget.widget.protocol import Phase


def ending(error: BaseException | None, *, stopped: bool) -> tuple[Phase, str]:
    """Return how a run ended, and why in words."""
    if isinstance(error, KeyboardInterrupt):
        return "stopped", "interrupted"
    if error is not None and not (isinstance(error, SystemExit) and not error.code):
        return "failed", f"{type(error).__name__}: {error}"
    return ("stopped", "on request") if stopped else ("finished", "")
