"""A plot of curves over steps as a static SVG, as wide as there is room for.

An image cannot follow the theme around it, and no ink reads well on white and on dark
grey: so it stands on white wherever it is seen. Heights are pixels, and so is the size
of text; across, places are shares of the width.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mswidget.drawing.palette import BACK, GRID, MUTED, NONFINITE, TEXT, Look
from mswidget.drawing.span import outside, span
from mswidget.drawing.svg import Scale
from mswidget.drawing.ticks import ticks, written

Floats = NDArray[np.float64]

_TOP, _BOTTOM, _RIGHT = 26.0, 32.0, 16.0
_ACROSS = 1000.0
"""Between its axes a plot is so many units wide, however many pixels that are."""
_PLACES = 200
"""Across a plot there is room for so many crosses."""
_CHARACTER = 6.6  # the width of a digit, at most
_TICK = 35.0
_STEPS = 75  # across, a number of a step needs so much at most
_NARROW = 450
_DASHES = {
    "solid": "",
    "dash": "6 4",
    "dot": "1.5 3",
    "dashdot": "6 3 1.5 3",
    "longdash": "10 4",
    "longdashdot": "10 3 1.5 3",
}
_UP, _DOWN = "\N{BLACK UP-POINTING TRIANGLE}", "\N{BLACK DOWN-POINTING TRIANGLE}"


@dataclass(frozen=True)
class Polyline:
    """A curve by rising steps, at least one; what is not finite is crossed.

    With ``floor`` it is the upper edge of an area, and that the lower.
    """

    steps: Floats
    values: Floats
    look: Look
    floor: Floats | None = None

    @property
    def beyond(self) -> NDArray[np.bool_]:
        """Which of its first values are out of all proportion."""
        return outside(self.values)

    @property
    def seen(self) -> Floats:
        """Its values; NaN where they have no place in the picture."""
        return np.where(np.isfinite(self.values) & ~self.beyond, self.values, np.nan)


class LevelLine(NamedTuple):
    """A horizontal line, and what stands on it."""

    value: float
    label: str


def plot_svg(
    title: str,
    lines: Sequence[Polyline],
    *,
    width: str,
    height: float,
    alarm: str = "",
    levels: Sequence[LevelLine] = (),
) -> str:
    """Return a plot with axes and a title.

    Parameters
    ----------
    title
        In words, with the unit.
    lines
        The first is drawn first.
    width, height
        In pixels; ``width`` may be a share, as ``100%``.
    alarm
        Stands in red behind the title.
    levels
        Lines across the plot, which are in the picture.
    """
    more = f'<tspan fill="{NONFINITE}"> · {escape(alarm)}</tspan>' if alarm else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height:g}" '
        f'font-family="sans-serif" font-size="11" fill="{MUTED}">'
        f'<rect width="100%" height="100%" rx="4" fill="{BACK}" stroke="{GRID}"/>'
        f'<text x="8" y="17" font-size="12" fill="{TEXT}">{escape(title)}{more}</text>'
        f"{_axes(lines, levels, width, height - _TOP - _BOTTOM) if lines else ''}"
        "</svg>"
    )


def swatch_svg(look: Look) -> str:
    """Return a sample of a line, for a legend."""
    line = _stroke("M2,6 26,6", look.colour, f'stroke-dasharray="{_DASHES[look.dash]}"')
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="28" height="12">'
        f'<rect width="100%" height="100%" rx="2" fill="{BACK}"/>'
        f'<g stroke-width="2">{line}</g></svg>'
    )


def _axes(
    lines: Sequence[Polyline], levels: Sequence[LevelLine], width: str, height: float
) -> str:
    """Return curves with the axes that they span; the origin is their corner."""
    steps = np.concatenate([line.steps for line in lines])
    along = Scale(*_wide(float(steps.min()), float(steps.max())), 0, _ACROSS)
    seen = np.concatenate([_seen(lines), [level.value for level in levels]])
    up = Scale(*span(seen), height, 0)
    rise = ticks(up.low, up.high, round(height / _TICK) + 1)
    names = written(rise)
    left = _CHARACTER * max(map(len, names)) + 14
    rows = (_row(float(up(at)), name) for at, name in zip(rise, names, strict=True))
    levelled = (_level(float(up(level.value)), level.label) for level in levels)
    curves = "".join(_curve(line, along, up) for line in lines)
    # Chromium takes the attribute only, others may know the property only.
    inner = f"calc(100% - {left + _RIGHT:g}px)"
    return (
        f'<svg x="{left:g}" y="{_TOP:g}" width="{inner}" style="width:{inner}" '
        f'height="{height:g}" overflow="visible">'
        f"{''.join([*rows, *_steps(along, width, height), *levelled])}"
        f'<svg width="100%" height="{height:g}" preserveAspectRatio="none" '
        f'viewBox="0 0 {_ACROSS:g} {height:g}" overflow="visible" fill="none" '
        f'stroke-width="1.5">{curves}</svg>'
        f"{''.join([*_crosses(lines, along), *_signs(lines, along, up)])}</svg>"
    )


def _seen(lines: Sequence[Polyline]) -> Floats:
    floors = [line.floor for line in lines if line.floor is not None]
    values = np.concatenate([*(line.seen for line in lines), *floors])
    seen: Floats = values[np.isfinite(values)]
    return seen


def _wide(low: float, high: float) -> tuple[float, float]:
    """Return the ends of an axis of steps; one step stands in the middle."""
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _level(y: float, label: str) -> str:
    return (
        f'<line x2="100%" y1="{y:.1f}" y2="{y:.1f}" stroke="{MUTED}" '
        f'stroke-dasharray="{_DASHES["dash"]}"/>{_text(_ACROSS, y - 3, label)}'
    )


def _row(y: float, name: str) -> str:
    return (
        f'<line x2="100%" y1="{y:.1f}" y2="{y:.1f}" stroke="{GRID}"/>'
        f'<text x="-6" y="{y + 4:.1f}" text-anchor="end">{name}</text>'
    )


def _steps(along: Scale, width: str, height: float) -> Iterator[str]:
    """Yield the axis of steps: its line, what stands at it, and its title."""
    yield f'<line x2="100%" y1="{height:g}" y2="{height:g}" stroke="{MUTED}"/>'
    pixels = int(width) if width.isdigit() else _NARROW
    most = max(2, pixels // max(_STEPS, _CHARACTER * (len(f"{along.high:,.0f}") + 3)))
    for at in ticks(along.low, along.high, int(most), whole=True):
        if at.is_integer():
            yield _text(float(along(at)), height + 13, f"{at:,.0f}")
    yield f'<text x="50%" y="{height + 27:g}" text-anchor="middle">step</text>'


def _text(x: float, y: float, words: str, colour: str = MUTED) -> str:
    """Return words at a place across; they stay inside of the plot."""
    share = x / _ACROSS
    anchor = "start" if share < 0.1 else "end" if share > 0.9 else "middle"  # noqa: PLR2004
    return (
        f'<text x="{100 * share:.2f}%" y="{y:.1f}" text-anchor="{anchor}" '
        f'fill="{colour}">{escape(words)}</text>'
    )


def _curve(line: Polyline, along: Scale, up: Scale) -> str:
    x, y, (colour, dash) = along(line.steps), up(line.seen), line.look
    if line.floor is not None:
        floor = up(np.where(np.isfinite(line.floor), line.floor, np.nan))
        shape = "".join(_area(x[p], y[p], floor[p]) for p in _pieces(y + floor))
        return f'<path d="{shape}" fill="{colour}" fill-opacity=".2"/>'
    pieces = _pieces(y)
    strokes = "".join(f"M{_points(x[p], y[p])}" for p in pieces if len(p) > 1)
    dots = "".join(f"M{_points(x[p], y[p])}h0" for p in pieces if len(p) == 1)
    return _stroke(strokes, colour, f'stroke-dasharray="{_DASHES[dash]}"') + _stroke(
        dots, colour, 'stroke-width="4" stroke-linecap="round"'
    )


def _stroke(shape: str, colour: str, more: str) -> str:
    kept = 'vector-effect="non-scaling-stroke"'
    return f'<path d="{shape}" stroke="{colour}" {kept} {more}/>' if shape else ""


def _pieces(y: Floats) -> list[NDArray[np.int64]]:
    """Return the stretches without a gap, as positions."""
    at = np.flatnonzero(np.isfinite(y))
    pieces = np.split(at, np.flatnonzero(np.diff(at) > 1) + 1)
    return [piece for piece in pieces if len(piece)]


def _points(x: Floats, y: Floats) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))


def _area(x: Floats, high: Floats, low: Floats) -> str:
    return f"M{_points(x, high)} {_points(x[::-1], low[::-1])}Z"


def _crosses(lines: Sequence[Polyline], along: Scale) -> Iterator[str]:
    """Yield a cross at each place where a value is not finite."""
    x = [along(line.steps[~np.isfinite(line.values)]) for line in lines]
    size = _ACROSS / _PLACES
    for place in np.unique(np.round(np.concatenate(x) / size) * size).tolist():
        yield _text(place, 10, "\N{MULTIPLICATION X}", NONFINITE)


def _signs(lines: Sequence[Polyline], along: Scale, up: Scale) -> Iterator[str]:
    """Yield the value that lies farthest beyond each edge, and where."""
    values = np.concatenate([line.values[line.beyond] for line in lines])
    x = np.concatenate([along(line.steps[line.beyond]) for line in lines])
    above, below = values > up.high, values < up.low
    if above.any():
        at = int(np.argmax(values))
        yield _text(float(x[at]), 10, f"{_UP} {values[at]:.4g}", NONFINITE)
    if below.any():
        at = int(np.argmin(values))
        yield _text(float(x[at]), up.start - 3, f"{_DOWN} {values[at]:.4g}", NONFINITE)
