"""What a saved notebook shows when no kernel runs: words, and curves as static SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape

import numpy as np
from numpy.typing import NDArray

from mswidget.drawing.names import shown, visible
from mswidget.drawing.palette import MUTED, Look, look_of
from mswidget.drawing.plot import LevelLine, Polyline, plot_svg, swatch_svg
from mswidget.drawing.svg import image
from mswidget.metrics import FOLDED, PANELS
from mswidget.records.history import History, Rows
from mswidget.records.reduce import envelope, forward
from mswidget.widget.protocol import Head, MetricInfo, Stat, Track
from mswidget.widget.track import label_of
from mswidget.widget.words import words_of

SMALL = 8
"""So many metrics are drawn small, beside the loss and what is drawn as wide."""
TRACKS = 48
"""So many tracks are drawn."""
_WIDE, _THIN = (1000, 240), (400, 120)
"""Into how many buckets all curves of a plot are reduced, and one at most."""
_LEAST = 20
_NAME = 40
_DASHES = ("solid", "dash", "dot", "dashdot")
_EDGES: tuple[Stat, Stat] = ("min", "max")
_STATS: dict[Stat, str] = {
    "min": "dot",
    "mean": "dash",
    "median": "solid",
    "max": "dot",
}

Group = list[MetricInfo]
Floats = NDArray[np.float64]


def picture(
    histories: Mapping[str, History], head: Head, companion: str
) -> dict[str, str]:
    """Return the picture as safe HTML, and as text where nothing else is shown.

    Parameters
    ----------
    histories
        The numbers, by the track's id.
    head
        All that is not numbers.
    companion
        The CSS class by which a live page hides it.
    """
    opened = [info for info in head["metrics"] if info["panel"] not in FOLDED]
    head = {**head, "metrics": opened or head["metrics"]}
    words = words_of(histories, head)
    lines = "<br>".join(map(escape, words))
    drawn = " ".join(_Picture(histories, head).html())
    html = f'<div class="{companion}"><p>{lines}</p>{drawn}</div>'
    return {"text/html": html, "text/plain": "\n".join(words)}


def plots_of(metrics: Iterable[MetricInfo]) -> list[Group]:
    """Return which metrics share a plot: the losses, and those of a user's panel."""
    groups: dict[tuple[str, str], Group] = {}
    for info in metrics:
        alone = info["panel"] in PANELS and info["panel"] != "loss"
        key = (info["panel"], info["name"] if alone else "")
        groups.setdefault(key, []).append(info)
    return list(groups.values())


class _Picture:
    """The plots of what is shown, the most important one first."""

    def __init__(self, histories: Mapping[str, History], head: Head) -> None:
        tracks = [t for t in head["tracks"] if t["shown"] and t["id"] in histories]
        self._tracks, self._left_out = tracks[:TRACKS], tracks[TRACKS:]
        self._several = len({track["run"] for track in tracks}) > 1
        self._groups = plots_of(head["metrics"])
        self._references = head["references"]
        self._rows = {
            track["id"]: (history := histories[track["id"]]).rows(history.first)
            for track in self._tracks
        }

    def html(self) -> Iterator[str]:
        """Yield the plots, and above a wide one what tells its curves apart."""
        wide = [group for group in self._groups if _is_wide(group)] or self._groups[:1]
        small = [group for group in self._groups if group not in wide]
        for place, group in enumerate(wide):
            yield self._legend(group, tracks=place == 0)
            yield self._plot(group, "100%", 150 if place else 300)
        yield from (self._plot(group, "300", 150) for group in small[:SMALL])

    def _plot(self, group: Group, width: str, height: int) -> str:
        bad = sum(self._not_finite(info["name"]) for info in group)
        drawn = plot_svg(
            _title(group),
            [*self._areas(group), *self._curves(group)],
            width=width,
            height=height,
            alarm=f"{bad:,} not finite" if bad else "",
            levels=list(self._levels(group)),
        )
        size = f'width="{width}" height="{height}"'
        return image(drawn, _title(group), size)

    def _levels(self, group: Group) -> Iterator[LevelLine]:
        names = {info["name"] for info in group}
        for reference in self._references:
            value, label = reference["value"], reference["label"]
            if reference["metric"] in names:
                yield LevelLine(value, f"{label} {value:.6g}".strip())

    def _curves(self, group: Group) -> Iterator[Polyline]:
        buckets = _buckets(group, len(group) * len(self._tracks))
        for turn, info in enumerate(group):
            for track in self._tracks:
                steps, values = _curve(self._rows[track["id"]], info["name"])
                if len(steps) and track["stat"] not in _EDGES:
                    kept = envelope(values, buckets)
                    yield Polyline(steps[kept], values[kept], self._look(track, turn))

    def _areas(self, group: Group) -> Iterator[Polyline]:
        """Yield what lies between the least and the greatest value of a run's ranks."""
        edges = [[t for t in self._tracks if t["stat"] == stat] for stat in _EDGES]
        for low, high in zip(*edges, strict=False):
            for info in group:
                steps, floor = _curve(self._rows[low["id"]], info["name"])
                _, values = _curve(self._rows[high["id"]], info["name"])
                if len(steps) and len(floor) == len(values):
                    buckets = _buckets(group, 1)
                    both = [envelope(edge, buckets) for edge in (floor, values)]
                    kept = np.unique(np.concatenate(both))
                    look = self._look(high, 0)
                    yield Polyline(steps[kept], values[kept], look, floor[kept])

    def _look(self, track: Track, turn: int) -> Look:
        """Return how a track of the metric of that place in its group is drawn."""
        alone, several = len(self._tracks) == 1, self._several
        number, rank = track["colour"], track["rank"]
        if track["stat"]:
            colour = look_of(number, 0, several=True).colour if several else MUTED
            return Look(colour, _STATS[track["stat"]])
        look = look_of(number, rank + (turn if alone else 0), several=several)
        return look if alone or not turn else Look(look.colour, _dash(turn))

    def _not_finite(self, name: str) -> int:
        curves = (
            _curve(self._rows[track["id"]], name)
            for track in self._tracks
            if not track["stat"]
        )
        return sum(int(np.count_nonzero(~np.isfinite(values))) for _, values in curves)

    def _legend(self, group: Group, *, tracks: bool) -> str:
        """Return what each curve is; empty where there is one."""
        known = [t for t in self._tracks if t["stat"] != "max"] if tracks else []
        entries = [
            (self._look(track, 0), _band(label_of(track, self._tracks)))
            for track in known
            if len(known) > 1
        ]
        if len(group) > 1 and self._tracks:
            first = self._tracks[-1]
            names = [(self._look(first, i), m["name"]) for i, m in enumerate(group)]
            entries += [(look, visible(name)) for look, name in names]
        more = f" and {len(self._left_out)} more, not drawn" if self._left_out else ""
        told = " ".join(f"{_swatch(look)} {escape(label)}" for look, label in entries)
        return f"<p>{told}{more}</p>" if told else ""


def _is_wide(group: Group) -> bool:
    """Say whether a group has the whole width: as the page's first ones have."""
    return len(group) > 1 or group[0]["panel"] in ("loss", "lr")


def _curve(rows: Rows, name: str) -> tuple[Floats, Floats]:
    """Return steps and values of a metric, of steps logged again the latest."""
    at, values = rows.metrics.get(name, (np.empty(0, np.int64), np.empty(0)))
    steps = rows.steps[at - rows.start]
    latest = forward(steps)
    return steps[latest], values[latest]


def _buckets(group: Group, curves: int) -> int:
    all_of_them, most = _WIDE if _is_wide(group) else _THIN
    return max(_LEAST, min(most, all_of_them // max(curves, 1)))


def _dash(turn: int) -> str:
    return _DASHES[turn % len(_DASHES)]


def _title(group: Group) -> str:
    labels = shown((info["label"] for info in group), _NAME)
    return ", ".join(labels[info["label"]] + _unit(info) for info in group)


def _unit(info: MetricInfo) -> str:
    return f" [{info['unit']}]" if info["unit"] else ""


def _band(label: str) -> str:
    return label.replace("min of", "min\N{EN DASH}max of")


def _swatch(look: Look) -> str:
    return image(swatch_svg(look), "", 'width="28" height="12"')
