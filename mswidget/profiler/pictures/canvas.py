"""What all pictures share: colours, layout, safe labels."""

from __future__ import annotations

from html import escape
from typing import Any

import pandas as pd
from plotly import graph_objects as go

from mswidget.drawing.palette import FREE, LIGHT
from mswidget.profiler.pictures.figure_svg import picture_html

COLOURS = {
    "compute": LIGHT[0],
    "communication": LIGHT[1],
    "copy": LIGHT[3],
    "sync": LIGHT[4],
    "free": FREE,
    "dvpp": LIGHT[2],
    "host": LIGHT[5],
    "other": LIGHT[7],
}
_NAME = 36  # characters


class Drawing(go.Figure):
    """A figure that is seen, as a static picture, also where nothing draws Plotly."""

    _ipython_display_ = None  # IPython then asks for the bundle

    def _repr_mimebundle_(
        self,
        *args: Any,  # noqa: ANN401 - plotly.py's signature
        **kwargs: Any,  # noqa: ANN401
    ) -> dict[str, Any]:
        title = self.layout.title.text
        static = {"text/plain": title, "text/html": picture_html(self)}
        return static | super()._repr_mimebundle_(*args, **kwargs)


def canvas(title: str, x: str, y: str, **layout: object) -> go.Figure:
    """Return a picture without data; axes are named with their unit."""
    return Drawing(
        layout={
            # At the very top: the legend takes what room it needs below.
            "title": {"text": title, "x": 0, "y": 1, "yanchor": "top", "pad": {"t": 8}},
            "xaxis_title": x,
            "yaxis_title": y,
            "template": "none",
            "colorway": list(LIGHT),
            "height": 360,
            "margin": {"l": 70, "r": 20, "t": 80, "b": 50},
            "legend": {
                "orientation": "h",
                "y": 1,
                "yanchor": "bottom",
                "traceorder": "normal",
            },
            "hoverlabel": {"align": "left"},
            **layout,
        }
    )


def nothing(title: str, reason: str) -> go.Figure:
    """Return a picture that says why there is none."""
    return canvas(title, x="", y="").update_layout(
        annotations=[{"text": escape(reason), "showarrow": False}],
        xaxis_visible=False,
        yaxis_visible=False,
        height=160,
        meta={"reason": reason},
    )


def label(name: str) -> str:
    """Shorten a name in its middle; Plotly would read ``<`` as markup."""
    half = _NAME // 2
    short = name if len(name) <= _NAME else f"{name[:half]}\u2026{name[-half:]}"
    return escape(short, quote=False)


def rank_label(rank: Any) -> str:  # noqa: ANN401 - a key of pandas
    """Return ``rank 3``, or nothing where no file says the rank."""
    return "" if pd.isna(rank) else f"rank {rank:.0f}"


def name_rows(figure: go.Figure, names: list[str]) -> None:
    """Name the places 0, 1, 2... of the y axis, and make room for them."""
    places = list(range(len(names)))
    figure.update_yaxes(tickvals=places, ticktext=names, automargin=True)
    figure.update_layout(height=170 + 22 * len(names), bargap=0.15)
