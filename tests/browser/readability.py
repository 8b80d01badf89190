"""Finds text that is hard to read: WCAG's contrast of colour and background."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
LEAST_CONTRAST = 4.5


def hard_to_read(root: Locator) -> list[list[object]]:
    """Return text, contrast and colours of each text below WCAG's level AA."""
    return list(root.evaluate(SCRIPT, LEAST_CONTRAST))
