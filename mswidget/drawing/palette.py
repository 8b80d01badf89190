"""All colours, of the pictures of Python as of the page.

Each stands once, in `palette.json`. Those of ``curves`` tell them apart, for
colour-blind readers too. ``page`` has those of each kind of theme, of high contrast
what differs.
A static picture of curves stands on a white page of its own; a ``picture`` of a profile
has colours that are seen on white and on black.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import NamedTuple

_FILE = resources.files("mswidget.drawing") / "palette.json"
_PALETTE = json.loads(_FILE.read_text(encoding="utf-8"))

LIGHT: tuple[str, ...] = tuple(_PALETTE["curves"]["light"])
"""The colours of curves on a white page."""
_LIGHT_PAGE = _PALETTE["page"]["light"]
NONFINITE: str = _LIGHT_PAGE["error"]
"""What marks values that are not finite, on a white page."""
BACK: str = _LIGHT_PAGE["back"]
TEXT: str = _LIGHT_PAGE["text"]
MUTED: str = _LIGHT_PAGE["muted"]
"""Axes, what is written at them, and what stands behind the curves."""
GRID: str = _LIGHT_PAGE["grid"]
INK: str = _PALETTE["picture"]["ink"]
"""Text and axes of a profile's picture."""
FREE: str = _PALETTE["picture"]["free"]
"""The time in which a device does nothing: paler than what is used."""
_DASHES: tuple[str, ...] = tuple(_PALETTE["dashes"])


class Look(NamedTuple):
    """How a curve is drawn: a colour, and a dash as Plotly names it."""

    colour: str
    dash: str


def look_of(run: int, rank: int, *, several: bool) -> Look:
    """Return how a rank's curves are drawn on a white page.

    A run has the colour of its number. Several are told apart by it, and their ranks
    by dashes; the ranks of one alone by their colours, from that of the run on. It is
    the rule of ``js/src/data/tracks.js``; ``tests/contract/looks/`` holds both to it.

    Parameters
    ----------
    run
        Counts the runs of a picture, from 0.
    rank
        The rank's number.
    several
        Whether more than one run is shown.
    """
    number, turn = (run, rank) if several else (run + rank, 0)
    # Each lap begins with another colour: ranks 0, 8 and 16 are not all alike.
    lap = number // len(LIGHT)
    colour = LIGHT[(number + lap) % len(LIGHT)]
    return Look(colour, _DASHES[(turn + lap) % len(_DASHES)])
