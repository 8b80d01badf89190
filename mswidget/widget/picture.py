"""The curves as a static SVG: what a saved notebook shows when no kernel runs."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from mswidget.drawing.names import shown
from mswidget.drawing.palette import ALARM, INK, LIGHT, look_of
from mswidget.drawing.span import outside, span
from mswidget.drawing.svg import Floats, Scale, curve, image, svg, text
from mswidget.metrics import PANELS, describe
from mswidget.records.history import History
from mswidget.records.reduce import envelope, forward
from mswidget.widget.protocol import Head

CURVES = 9
_COLUMNS = 3
_WIDTH, _HEIGHT, _GAP = 300.0, 150.0, 14.0
_TOP, _LEFT, _BOTTOM = 24.0, 52.0, 18.0
_CHARACTER = 6.6  # the width of a digit, at most
_BUCKETS = 120
_NAME = 35
_UP, _DOWN = "\N{BLACK UP-POINTING TRIANGLE}", "\N{BLACK DOWN-POINTING TRIANGLE}"


def picture_html(history: History, head: Head, companion: str) -> str:
    """Return the picture and a summary in words, as one safe piece of HTML."""
    words = summary(history, head)
    drawn = image(picture_svg(history, _colour(head)), words)
    return f'<div class="{companion}">{drawn}<p>{escape(words)}</p></div>'


def summary(history: History, head: Head) -> str:
    """Return the state of a run in one sentence."""
    status = head["status"]
    step = "no step yet" if status["step"] is None else f"step {status['step']}"
    if status["total_steps"]:
        step += f" of {status['total_steps']}"
    last = {name: history.last(name) for name in history.names[:8]}
    texts = shown(last, _NAME)
    values = [f"{texts[name]} {_short(v)}" for name, v in last.items() if v is not None]
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


def picture_svg(history: History, colour: str = LIGHT[0]) -> str:
    """Return up to `CURVES` small curves over steps, spikes and NaN included."""
    rows = history.rows(history.first)
    names = sorted(rows.metrics, key=_order)[:CURVES]
    held = [rows.metrics[name] for name in names]
    panels = [
        _panel(i, title, rows.steps[at - rows.start], values)
        for i, (title, (at, values)) in enumerate(
            zip(shown(names, _NAME).values(), held, strict=True)
        )
    ]
    lines = max(1, math.ceil(len(names) / _COLUMNS))
    width, height = _COLUMNS * (_WIDTH + _GAP), lines * (_HEIGHT + _GAP)
    body = "".join(panels)
    return svg(width, height, f'<g color="{colour}">{body}</g>')


def _colour(head: Head) -> str:
    """Return the colour that the page gives to the track that is looked at."""
    run, tracks = head["run"], head["tracks"]
    several = len({track["run"] for track in tracks if track["shown"]}) > 1
    numbers = {track["run"]: track["colour"] for track in tracks}
    number = numbers.get(run["name"], 0)
    return look_of(number, run["rank"], several=several).colour


def _order(name: str) -> int:
    panel = describe(name).panel
    return PANELS.index(panel) if panel in PANELS else len(PANELS)


def _panel(place: int, title: str, steps: Floats, values: Floats) -> str:
    latest = forward(steps)
    steps, values = steps[latest], values[latest]
    x = (place % _COLUMNS) * (_WIDTH + _GAP)
    y = (place // _COLUMNS) * (_HEIGHT + _GAP)
    kept = envelope(values, _BUCKETS)
    body = _curve(steps[kept], values[kept]) if len(kept) else ""
    bad = int(np.count_nonzero(~np.isfinite(values)))
    words = text(4, 14, title, 'font-weight="bold"')
    if bad:
        more = f'text-anchor="end" fill="{ALARM}"'
        words += text(_WIDTH - 4, 14, f"{bad} not finite", more)
    frame = (
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="4" fill="none" '
        f'stroke="{INK}" stroke-opacity=".4"/>'
    )
    return f'<g transform="translate({x + 1:g} {y + 1:g})">{frame}{words}{body}</g>'


def _curve(steps: Floats, values: Floats) -> str:
    finite, out = np.isfinite(values), outside(values)
    seen = finite & ~out
    bottom = _HEIGHT - _BOTTOM
    up = Scale(*span(values[seen]), bottom, _TOP)
    low, high = _short(up.low), _short(up.high)
    left = max(_LEFT, _CHARACTER * max(len(low), len(high)) + 8)
    along = Scale(*span(steps), left, _WIDTH - 8)
    x, y = along(steps), up(np.where(seen, values, np.nan))
    right = 'text-anchor="end"'
    parts = [
        curve(x, y, "currentColor"),
        *map(_cross, x[~finite]),
        *(_sign(at, value, up) for at, value in zip(x[out], values[out], strict=True)),
        text(left - 4, bottom, low, right),
        text(left - 4, _TOP + 8, high, right),
        text(left, _HEIGHT - 5, f"{steps.min():.0f}"),
        text(_WIDTH - 8, _HEIGHT - 5, f"step {steps.max():.0f}", right),
    ]
    return "".join(parts)


def _cross(x: float) -> str:
    more = f'text-anchor="middle" fill="{ALARM}"'
    return text(x, _TOP + 10, "\N{MULTIPLICATION X}", more)


def _sign(x: float, value: float, up: Scale) -> str:
    """Say at the edge which value lies beyond it."""
    above = value > up.high
    arrow, y = (_UP, up.end + 8) if above else (_DOWN, up.start - 3)
    return text(x + 3, y, f"{arrow} {_short(value)}", f'fill="{ALARM}"')


def _short(value: float) -> str:
    return f"{value:.4g}"
