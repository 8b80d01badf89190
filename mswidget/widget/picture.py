"""The curves as a static SVG: what a saved notebook shows when no kernel runs."""

from __future__ import annotations

import base64
import math
import sys
from html import escape

import numpy as np
from numpy.typing import NDArray

from mswidget.metrics import PANELS, describe
from mswidget.records.history import History
from mswidget.records.reduce import envelope, forward
from mswidget.widget.protocol import Head

CURVES = 9
_COLUMNS = 3
_WIDTH, _HEIGHT, _GAP = 300.0, 150.0, 14.0
_TOP, _LEFT, _BOTTOM = 24.0, 52.0, 18.0
_BUCKETS = 120
_NAME = 36
# Readable on white and on black alike: the picture cannot follow a theme.
_INK, _CURVE, _BAD = "#808890", "#3b82c4", "#d0453b"


def picture_html(history: History, head: Head, companion: str) -> str:
    """Return the picture and a summary in words, as one safe piece of HTML.

    An untrusted notebook keeps only plain tags, classes and data-URI images, so the
    SVG is one of those.
    """
    svg = picture_svg(history)
    image = base64.b64encode(svg.encode()).decode()
    words = escape(summary(history, head))
    return (
        f'<div class="{companion}">'
        f'<img alt="{words}" src="data:image/svg+xml;base64,{image}">'
        f"<p>{words}</p></div>"
    )


def summary(history: History, head: Head) -> str:
    """Return the state of a run in one sentence."""
    status = head["status"]
    step = "no step yet" if status["step"] is None else f"step {status['step']}"
    if status["total_steps"]:
        step += f" of {status['total_steps']}"
    last = {name: history.last(name) for name in history.names[:8]}
    values = [f"{name} {_short(v)}" for name, v in last.items() if v is not None]
    parts = [f"{head['run']['name']}: {status['phase']}", step, *values]
    if status["detail"]:
        parts.append(status["detail"])
    if head["alerts"]:
        newest = head["alerts"][-1]
        alerts = (
            "1 alert" if head["alert_count"] == 1 else f"{head['alert_count']} alerts"
        )
        parts.append(
            f"{alerts}, the newest at step {newest['step']}: {newest['message']}"
        )
    return ", ".join(parts) + f". Files in {head['run']['path']}."


def picture_svg(history: History) -> str:
    """Return up to `CURVES` small curves over steps, spikes and NaN included."""
    rows = history.rows()
    names = sorted(rows.metrics, key=_order)[:CURVES]
    panels = [
        _panel(i, name, rows.steps[rows.metrics[name][0]], rows.metrics[name][1])
        for i, name in enumerate(names)
    ]
    lines = max(1, math.ceil(len(names) / _COLUMNS))
    width, height = _COLUMNS * (_WIDTH + _GAP), lines * (_HEIGHT + _GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif" '
        f'font-size="11" fill="{_INK}">{"".join(panels)}</svg>'
    )


def _order(name: str) -> int:
    panel = describe(name).panel
    return PANELS.index(panel) if panel in PANELS else len(PANELS)


def _panel(
    place: int, name: str, steps: NDArray[np.float64], values: NDArray[np.float64]
) -> str:
    latest = forward(steps)
    steps, values = steps[latest], values[latest]
    x = (place % _COLUMNS) * (_WIDTH + _GAP)
    y = (place // _COLUMNS) * (_HEIGHT + _GAP)
    kept = envelope(values, _BUCKETS)
    body = _curve(steps[kept], values[kept]) if len(kept) else ""
    bad = int(np.count_nonzero(~np.isfinite(values)))
    title = _text(4, 14, _visible(name), 'font-weight="bold"')
    if bad:
        more = f'text-anchor="end" fill="{_BAD}"'
        title += _text(_WIDTH - 4, 14, f"{bad} not finite", more)
    frame = (
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="4" fill="none" '
        f'stroke="{_INK}" stroke-opacity=".4"/>'
    )
    return f'<g transform="translate({x + 1:g} {y + 1:g})">{frame}{title}{body}</g>'


def _curve(steps: NDArray[np.float64], values: NDArray[np.float64]) -> str:
    finite = np.isfinite(values)
    low, high = _range(values[finite])
    x = _LEFT + _shares(steps, *_range(steps)) * (_WIDTH - _LEFT - 8)
    shares = _shares(np.where(finite, values, low), low, high)
    y = _HEIGHT - _BOTTOM - shares * (_HEIGHT - _BOTTOM - _TOP)
    parts = [_polyline(x[run], y[run]) for run in _runs(finite)]
    parts += [_cross(at) for at in x[~finite]]
    parts += [
        _text(_LEFT - 4, _HEIGHT - _BOTTOM, _short(low), 'text-anchor="end"'),
        _text(_LEFT - 4, _TOP + 8, _short(high), 'text-anchor="end"'),
        _text(_LEFT, _HEIGHT - 5, f"{steps.min():.0f}"),
        _text(_WIDTH - 8, _HEIGHT - 5, f"step {steps.max():.0f}", 'text-anchor="end"'),
    ]
    return "".join(parts)


def _runs(finite: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """Return the stretches of finite values: a curve is not drawn over a gap."""
    at = np.flatnonzero(finite)
    runs = np.split(at, np.flatnonzero(np.diff(at) > 1) + 1)
    return [run for run in runs if len(run)]


def _range(values: NDArray[np.float64]) -> tuple[float, float]:
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if high > low:
        return low, high
    room = abs(low) / 10 or 0.5
    return max(low - room, -sys.float_info.max), min(high + room, sys.float_info.max)


def _shares(
    values: NDArray[np.float64], low: float, high: float
) -> NDArray[np.float64]:
    """Return where values lie from low (0) to high (1)."""
    # high - low may be more than float64 holds.
    scale = max(abs(low), abs(high))
    shares: NDArray[np.float64] = values / scale - low / scale
    return shares / (high / scale - low / scale)


def _polyline(x: NDArray[np.float64], y: NDArray[np.float64]) -> str:
    if len(x) == 1:
        return f'<circle cx="{x[0]:.1f}" cy="{y[0]:.1f}" r="1.6" fill="{_CURVE}"/>'
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    return (
        f'<polyline points="{points}" fill="none" stroke="{_CURVE}" '
        'stroke-width="1.3"/>'
    )


def _cross(x: float) -> str:
    more = f'text-anchor="middle" fill="{_BAD}"'
    return _text(x, _TOP + 10, "\N{MULTIPLICATION X}", more)


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" {more}>{escape(text)}</text>'


def _visible(name: str) -> str:
    name = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)
    if len(name) <= _NAME:
        return name
    return f"{name[:20]}\N{HORIZONTAL ELLIPSIS}{name[-14:]}"


def _short(value: float) -> str:
    return f"{value:.4g}"
