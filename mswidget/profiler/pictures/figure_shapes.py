"""What a figure of bars and lines is made of, in the units of its axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from plotly import graph_objects as go

from mswidget.drawing.palette import INK
from mswidget.drawing.svg import Floats

_GAP = 0.2  # between bars, as Plotly has it
_DASHES = {"dot": "2 3", "dash": "6 4"}


@dataclass(frozen=True)
class Boxes:
    """Bars of one colour, where they begin and end on each axis."""

    x: tuple[Floats, Floats]
    y: tuple[Floats, Floats]
    colour: str
    opacity: Floats


@dataclass(frozen=True)
class Line:
    """A line, or the single point that a marker stands at."""

    x: tuple[Floats]
    y: tuple[Floats]
    colour: str
    dash: str


def shapes_of(figure: go.Figure) -> list[Boxes | Line]:
    """Return what each trace draws, in their order."""
    colours = [str(colour) for colour in figure.layout.colorway or (INK,)]
    return [*_boxes(figure, colours), *_curves(figure, colours)]


def names_of(figure: go.Figure) -> tuple[dict[float, str], dict[float, str]]:
    """Return the names of places on the x axis and on the y axis, if they have some."""
    axis = figure.layout.yaxis
    y_names = dict(zip(axis.tickvals or (), axis.ticktext or (), strict=True))
    upright = next(figure.select_traces({"type": "bar", "orientation": None}), None)
    if upright is None:
        return {}, y_names
    x = upright.x
    names = [" ".join(pair) for pair in zip(*x, strict=True)] if _is_nested(x) else x
    return dict(enumerate(names)), y_names


def _is_nested(x: Any) -> bool:  # noqa: ANN401 - of a trace
    return len(x) > 0 and not isinstance(x[0], str)


def _boxes(figure: go.Figure, colours: Sequence[str]) -> Iterator[Boxes]:
    stacked: Floats | float = 0.0
    gap = figure.layout.bargap
    half = (1 - (_GAP if gap is None else gap)) / 2
    for place, bar in enumerate(figure.select_traces({"type": "bar"})):
        colour = str(bar.marker.color or colours[place % len(colours)])
        flat = bar.orientation == "h"
        long = np.nan_to_num(_numbers(bar.x if flat else bar.y))
        opacity = 1.0 if bar.marker.opacity is None else bar.marker.opacity
        paleness = np.broadcast_to(np.asarray(opacity, float), long.shape)
        if flat:
            base = 0.0 if bar.base is None else _numbers(bar.base)
            lane = _numbers(bar.y)
            yield Boxes(
                (base + 0 * long, base + long),
                (lane - half, lane + half),
                colour,
                paleness,
            )
        else:
            at = np.arange(len(long), dtype=float)
            below = stacked + 0 * long
            stacked = below + long
            yield Boxes((at - half, at + half), (below, stacked), colour, paleness)


def _curves(figure: go.Figure, colours: Sequence[str]) -> Iterator[Line]:
    for place, line in enumerate(figure.select_traces({"type": "scatter"})):
        own = line.line.color or line.marker.color
        colour = str(own or colours[place % len(colours)])
        x, y = _numbers(line.x), _numbers(line.y)
        if line.line.shape == "hv":
            x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
        yield Line((x,), (y,), colour, _DASHES.get(str(line.line.dash), ""))


def _numbers(values: Any) -> Floats:  # noqa: ANN401 - of a trace
    return np.asarray(() if values is None else values, dtype=float)
