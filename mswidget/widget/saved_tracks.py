"""Histories as a page holds them that has no kernel (see `protocol.SavedTrack`)."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from mswidget.records.history import History, Rows
from mswidget.records.overview import HistoryOverview
from mswidget.records.pieces import Key
from mswidget.widget.extract import FLOAT_BYTES, Extracted, extract
from mswidget.widget.protocol import SavedTrack, Want

_KEYS: tuple[Key, ...] = ("step", "time")
_ROW_COLUMNS = 4
_BUCKET_BYTES = 72


@dataclass(frozen=True)
class SavedTracks:
    """Tracks, their numbers, and whether some stand for more than they are."""

    tracks: list[SavedTrack]
    buffer: bytes
    reduced: bool


NO_TRACKS = SavedTracks([], b"", reduced=False)


def saved_tracks(
    histories: Mapping[str, History],
    limit_bytes: int,
    metrics: Collection[str] | None = None,
) -> SavedTracks:
    """Return histories for a page.

    Parameters
    ----------
    histories
        By the track's id.
    limit_bytes
        They go in as they are where all need at most so much, else as extracts.
    metrics
        Which; all by default.
    """
    rows = {
        ident: history.rows(history.first, names=metrics)
        for ident, history in histories.items()
    }
    if sum(map(_exact_bytes, rows.values())) <= limit_bytes:
        parts = [_exact(ident, of_track) for ident, of_track in rows.items()]
    else:
        count = sum(len(of_track.metrics) for of_track in rows.values())
        most = max(limit_bytes // (_BUCKET_BYTES * len(_KEYS) * count), 1)
        parts = [
            _reduced(ident, histories[ident], list(of_track.metrics), most)
            for ident, of_track in rows.items()
        ]
    reduced = any(track["extracts"] for track, _ in parts)
    buffer = b"".join(numbers for _, numbers in parts)
    return SavedTracks([track for track, _ in parts], buffer, reduced)


def _exact_bytes(rows: Rows) -> int:
    count = rows.stop - rows.start
    numbers = _ROW_COLUMNS * count
    for at, _ in rows.metrics.values():
        numbers += len(at) if len(at) == count else 2 * len(at)
    return FLOAT_BYTES * numbers


def _exact(ident: str, rows: Rows) -> tuple[SavedTrack, bytes]:
    count = rows.stop - rows.start
    numbers = [rows.steps, rows.wall_times_s, rows.epochs, rows.attempts]
    for at, values in rows.metrics.values():
        numbers += [values] if len(at) == count else [at - rows.start, values]
    track: SavedTrack = {
        "id": ident,
        "rows": count,
        "attempts": list(rows.attempt_names),
        "columns": [
            {"metric": name, "count": len(at)} for name, (at, _) in rows.metrics.items()
        ],
        "extracts": [],
    }
    return track, np.concatenate([np.empty(0), *numbers]).astype("<f8").tobytes()


def _reduced(
    ident: str, history: History, metrics: list[str], most: int
) -> tuple[SavedTrack, bytes]:
    overview = HistoryOverview(history)
    found: list[Extracted] = [
        extract(overview, _want(ident, overview, key, most), metric)
        for metric in metrics
        for key in _KEYS
    ]
    track: SavedTrack = {
        "id": ident,
        "rows": 0,
        "attempts": [],
        "columns": [],
        "extracts": [extracted.header for extracted in found],
    }
    return track, b"".join(extracted.buffer for extracted in found)


def _want(ident: str, overview: HistoryOverview, key: Key, most: int) -> Want:
    low, high = overview.pieces(key).extent or (0.0, 0.0)
    level = math.ceil(math.log2((high - low) / most)) if high > low else 0
    return {
        "track": ident,
        "metrics": [],
        "key": key,
        "begin": None,
        "end": None,
        "level": max(level, 0) if key == "step" else level,
        "points": most,
        "weight": 0.0,
    }
