"""Shapes of a static SVG, as text."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from mswidget.drawing.palette import INK

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Scale:
    """Brings numbers from ``low`` to ``high`` to places on the picture.

    Parameters
    ----------
    low, high
        Finite; their difference may be more than float64 holds.
    start, end
        The places of the two.
    """

    low: float
    high: float
    start: float
    end: float

    def __call__(self, values: Floats | float) -> Floats:
        """Return the places."""
        size = max(abs(self.low), abs(self.high)) or 1.0
        low = self.low / size
        share = (np.asarray(values) / size - low) / ((self.high / size - low) or 1.0)
        places: Floats = self.start + share * (self.end - self.start)
        return places


def svg(width: float, height: float, body: str) -> str:
    """Return a picture of that size."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif" '
        f'font-size="11" fill="{INK}">{body}</svg>'
    )


def image(picture: str, words: str, size: str = "") -> str:
    """Return a picture as an image: an untrusted notebook keeps nothing else of it.

    Parameters
    ----------
    picture
        An SVG.
    words
        What it shows, for who cannot see it.
    size
        Attributes; by default it has its own size.
    """
    data = base64.b64encode(picture.encode()).decode()
    return f'<img alt="{escape(words)}" {size} src="data:image/svg+xml;base64,{data}">'


def text(x: float, y: float, words: str, more: str = "") -> str:
    """Return words at a place; ``more`` are attributes."""
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(words)}</text>'


def curve(
    x: Floats, y: Floats, colour: str, *, dash: str = "", dot: float = 1.6
) -> str:
    """Return a line through points, left out where one is not finite.

    Parameters
    ----------
    x, y
        Places on the picture.
    dash
        Lengths of dashes and gaps; empty for a solid line.
    dot
        The radius of a point that stands alone.
    """
    at = np.flatnonzero(np.isfinite(y))
    pieces = np.split(at, np.flatnonzero(np.diff(at) > 1) + 1)
    return "".join(
        _line(x[piece], y[piece], colour, dash)
        if len(piece) > 1
        else _dot(x[piece[0]], y[piece[0]], colour, dot)
        for piece in pieces
        if len(piece)
    )


def _line(x: Floats, y: Floats, colour: str, dash: str) -> str:
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<polyline points="{points}" fill="none" stroke="{colour}" '
        f'stroke-width="1.3"{dashes}/>'
    )


def _dot(x: float, y: float, colour: str, radius: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour}"/>'
