"""What a reader's eye needs: text that stands out, plots that follow the theme."""

from __future__ import annotations

import io
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image
from playwright.sync_api import TimeoutError as NeverReadable

if TYPE_CHECKING:
    from playwright.sync_api import Locator

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").rstrip(";\n")
LEAST_CONTRAST = 4.5  # WCAG's level AA
LIMIT_MS = 10_000


def hard_to_read(root: Locator) -> list[list[object]]:
    """Return text, contrast and colours of each text that stays below level AA."""
    place = [root.element_handle(), LEAST_CONTRAST]
    try:
        root.page.wait_for_function(
            f"([root, least]) => ({SCRIPT})(root, least).length === 0",
            arg=place,
            timeout=LIMIT_MS,
        )
    except NeverReadable:
        return list(root.evaluate(SCRIPT, LEAST_CONTRAST))
    return []


def becomes_dark(element: Locator) -> bool:
    """Say whether an element is dark, or turns dark soon."""
    deadline = time.monotonic() + LIMIT_MS / 1000
    while brightness(element) > 0.5:
        if time.monotonic() > deadline:
            return False
        element.page.wait_for_timeout(100)
    return True


def brightness(element: Locator) -> float:
    """Return the median brightness of what an element shows, from 0 to 1."""
    image = Image.open(io.BytesIO(element.screenshot())).convert("L")
    return float(np.median(np.asarray(image))) / 255
