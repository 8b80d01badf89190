"""Colours that tell curves apart, for colour-blind readers too.

Runs and ranks have the colour of their number, in the page and in plotly.py alike.
"""

from __future__ import annotations

import json
from importlib import resources

_FILE = resources.files("mswidget.drawing") / "palette.json"
LIGHT: tuple[str, ...] = tuple(json.loads(_FILE.read_text(encoding="utf-8"))["light"])
"""On a white page."""
NONFINITE = "#b3261e"
"""What marks values that are not finite, on a white page."""

# A static picture cannot follow a theme: these read well on white and on black.
INK, CURVE, ALARM = "#808890", "#3b82c4", "#d0453b"


def colour(number: int) -> str:
    """Return the colour of a curve by its number, on a white page."""
    return LIGHT[number % len(LIGHT)]
