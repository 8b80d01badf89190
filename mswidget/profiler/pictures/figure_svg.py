"""A figure as a static SVG: what one sees where nothing draws Plotly.

It draws bars and lines, which are all that a profile's pictures are made of.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from typing import TYPE_CHECKING

import numpy as np

from mswidget.drawing.palette import INK
from mswidget.drawing.svg import Floats, Scale, curve, image, svg
from mswidget.drawing.svg import text as svg_text
from mswidget.profiler.pictures.figure_shapes import Boxes, Line, names_of, shapes_of

if TYPE_CHECKING:
    from plotly import graph_objects as go

WIDTH = 900.0
_LINE, _LETTER, _GAP = 18.0, 6.4, 12.0
_AXIS = 40.0  # room for the labels below
_MOST_NAMES = 12
_TICKS = 6


def picture_html(figure: go.Figure) -> str:
    """Return the picture as an image."""
    return image(picture_svg(figure), _plain(figure.layout.title.text))


def picture_svg(figure: go.Figure) -> str:
    """Return title, legend, axes, bars and lines of a figure."""
    shapes = shapes_of(figure)
    height = float(figure.layout.height or 360)
    top, legend = _legend(figure, shapes)
    if shapes:
        body = "".join(_drawing(figure, shapes, top, height))
    else:
        notes = [note.text for note in figure.layout.annotations]
        body = "".join(_text(0, top + _LINE, note) for note in notes)
    title = _text(0, 14, figure.layout.title.text, 'font-weight="bold"')
    return svg(WIDTH, height, f"{title}{legend}{body}")


def _drawing(
    figure: go.Figure, shapes: Sequence[Boxes | Line], top: float, height: float
) -> Iterator[str]:
    x_names, y_names = names_of(figure)
    x_low, x_high = _range(shape.x for shape in shapes)
    if x_names:
        x_low, x_high = -0.5, len(x_names) - 0.5
    y_low, y_high = _range(shape.y for shape in shapes)
    if figure.layout.yaxis.autorange == "reversed":
        y_low, y_high = y_high, y_low
    y_title = figure.layout.yaxis.title.text
    y = Scale(y_low, y_high, height - _AXIS, top + (_LINE if y_title else 0))
    ticks = y_names or _ticks(y_low, y_high)
    left = _GAP + _LETTER * max(map(len, ticks.values()), default=0)
    x = Scale(x_low, x_high, left, WIDTH - _GAP)
    apart = math.ceil(len(x_names) / _MOST_NAMES) or 1
    named = dict(list(x_names.items())[::apart]) or _ticks(x_low, x_high)
    yield from _x_axis(x, named, y.start, y.end)
    for at, name in ticks.items():
        yield _text(left - 4, float(y(at)) + 4, name, 'text-anchor="end"')
    yield _text(left, height - 4, figure.layout.xaxis.title.text)
    yield _text(0, top + 4, y_title)
    for shape in shapes:
        if isinstance(shape, Boxes):
            yield from _rectangles(shape, x, y)
        else:
            yield _line(shape, x, y)


def _x_axis(
    x: Scale, ticks: dict[float, str], low: float, high: float
) -> Iterator[str]:
    yield f'<path d="M{x.start:.1f} {low:.1f}H{x.end:.1f}" stroke="{INK}"/>'
    for at, name in ticks.items():
        yield (
            f'<path d="M{x(at):.1f} {low:.1f}V{high:.1f}" stroke="{INK}" '
            'stroke-opacity=".25"/>'
        )
        yield _text(float(x(at)), low + 14, name, 'text-anchor="middle"')


def _rectangles(boxes: Boxes, x: Scale, y: Scale) -> Iterator[str]:
    """Draw bars to half a pixel: those that would cover each other once."""
    edges = [*map(x, boxes.x), *map(y, boxes.y)]
    left, right, *ends = (np.round(2 * edge) / 2 for edge in edges)
    upper, lower = np.minimum(*ends), np.maximum(*ends)
    sizes = (np.maximum(right - left, 0.5), lower - upper)
    places = zip(left, upper, *sizes, boxes.opacity, strict=True)
    for place in dict.fromkeys(place for place in places if place[3]):
        a, b, width, height, opacity = place
        pale = f' opacity="{opacity:g}"' if opacity < 1 else ""
        yield (
            f'<rect x="{a:g}" y="{b:g}" width="{width:g}" height="{height:g}" '
            f'fill="{boxes.colour}"{pale}/>'
        )


def _line(line: Line, x: Scale, y: Scale) -> str:
    (xs,), (ys,) = line.x, line.y
    return curve(x(xs), y(ys), line.colour, dash=line.dash, dot=3)


def _legend(figure: go.Figure, shapes: Sequence[Boxes | Line]) -> tuple[float, str]:
    """Return where the plot begins, and the names beside their colours above it."""
    parts, x, y = [], 0.0, 14 + _LINE
    for trace, shape in zip(figure.data, shapes, strict=False):
        if trace.showlegend is False or not trace.name:
            continue
        wide = 20 + _LETTER * len(_plain(trace.name)) + _GAP
        if x and x + wide > WIDTH:
            x, y = 0.0, y + _LINE
        swatch = f'<rect x="{x:g}" y="{y - 9:g}" width="10" height="10" '
        parts.append(f'{swatch}fill="{shape.colour}"/>{_text(x + 14, y, trace.name)}')
        x += wide
    return y + _LINE, "".join(parts)


def _range(edges: Iterable[tuple[Floats, ...]]) -> tuple[float, float]:
    joined = np.concatenate([end for ends in edges for end in ends])
    finite = joined[np.isfinite(joined)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)


def _ticks(low: float, high: float) -> dict[float, str]:
    """Return some round numbers from low to high."""
    if high <= low:
        return {low: f"{low:g}"}
    power = 10.0 ** math.floor(math.log10((high - low) / 4))
    step = next(m * power for m in (1, 2, 5, 10) if (high - low) <= _TICKS * m * power)
    first, last = math.ceil(low / step), math.floor(high / step)
    return {n * step: f"{n * step:,.6g}" for n in range(first, last + 1)}


def _text(x: float, y: float, words: str | None, more: str = "") -> str:
    return svg_text(x, y, _plain(words), more)


def _plain(text: str | None) -> str:
    """Return what Plotly would show of a text that may hold markup."""
    return unescape((text or "").replace("<br>", " "))
