"""What has changed of the head and the extents since a page was told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mswidget.widget.protocol import Extent, Head, Listed, ListPart, News, RunInfo

CUT = -1
"""The number of the last news, of a head that is not whole."""
_ENVELOPE_BYTES = 600


class HeadNews:
    """Makes the messages that bring all pages up to date, part by part."""

    def __init__(self) -> None:
        self._told: dict[str, list[Any]] = {}
        self._run: RunInfo | None = None
        self.seq = 0
        """That of the last message."""
        self.waits = False
        """Whether the last message could not hold all."""

    def forget(self) -> None:
        """Tell everything again."""
        self._told, self._run, self.waits = {}, None, True

    def message(self, head: Head, extents: Sequence[Extent], limit_bytes: int) -> News:
        """Return the next message, of about so many bytes at most."""
        self.seq += 1
        self.waits = False
        news: News = {
            "kind": "news",
            "seq": self.seq,
            "status": head["status"],
            "alert_count": head["alert_count"],
            "parts": [],
        }
        if head["run"] != self._run:
            news["run"] = self._run = head["run"]
        left = limit_bytes - len(json.dumps(news)) - _ENVELOPE_BYTES
        for name, items in _lists(head, extents).items():
            left -= self._tell(news["parts"], name, items, left)
        return news

    def _tell(
        self, parts: list[ListPart], name: Listed, items: Sequence[Any], room: int
    ) -> int:
        """Tell what fits of a list that has changed; returns its size."""
        told = self._told.get(name)
        if told == items:
            return 0
        before = told or []
        changed = [i for i, item in enumerate(items) if before[i : i + 1] != [item]]
        start, stop = (changed[0], changed[-1] + 1) if changed else (len(items),) * 2
        sizes = _sizes(items[start:stop])
        fitting = int(np.searchsorted(sizes, room, "right"))
        self.waits |= fitting < stop - start
        if fitting or not changed:
            new = list(items[start : start + fitting])
            now = [*before[:start], *new, *before[start + fitting :]][: len(items)]
            self._told[name] = now
            parts.append(
                {"name": name, "start": start, "length": len(now), "items": new}
            )
        return int(sizes[fitting - 1]) if fitting else 0


def shortened(
    head: Head, extents: Sequence[Extent], limit_bytes: int
) -> tuple[Head, list[Extent], bool]:
    """Return a head and extents of about so many bytes at most.

    Of their lists the first items stay, those of the metrics before all others. Also
    says whether they are whole.
    """
    lists = _lists(head, extents)
    left = limit_bytes - len(json.dumps({**head, **dict.fromkeys(lists)}))
    kept: dict[str, Any] = {}
    for name, items in lists.items():
        sizes = _sizes(items)
        fitting = int(np.searchsorted(sizes, left, "right"))
        kept[name] = list(items[:fitting])
        left -= int(sizes[fitting - 1]) if fitting else 0
    whole = all(len(kept[name]) == len(items) for name, items in lists.items())
    shown: list[Extent] = kept.pop("extents")
    short: Head = {**head, **kept}  # type: ignore[typeddict-item]
    return short, shown, whole


def _lists(head: Head, extents: Sequence[Extent]) -> dict[Listed, Sequence[Any]]:
    """Return what is told item by item, what matters most first."""
    return {
        "metrics": head["metrics"],
        "tracks": head["tracks"],
        "extents": list(extents),
        "notices": head["notices"],
        "marks": head["marks"],
        "references": head["references"],
        "alerts": head["alerts"],
    }


def _sizes(items: Sequence[Any]) -> NDArray[np.int64]:
    """Return how many bytes the items take up to each of them."""
    return np.cumsum([len(json.dumps(item)) + 2 for item in items], dtype=np.int64)
