"""What one page looks at, and what it has been told of that."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mswidget.records.overview import HistoryOverview
from mswidget.widget.extract import Extracted, Reach, cut, extract
from mswidget.widget.growth import grown
from mswidget.widget.protocol import AskView, Key, View, ViewEnd, Want

ROUND_S = 0.4
"""So often all is looked at; between, what the first want has gained but pixels."""
_ENVELOPE_BYTES = 300
_END_BYTES = 120
_MOST_ENDS = 200

Group = list["_Wanted"]


@dataclass
class _Wanted:
    """One metric of a want."""

    want: Want
    metric: str
    overview: HistoryOverview | None = None
    mark: Reach | None = None
    bucket: float | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """Say what else goes on together with it."""
        want = self.want
        span = (want["key"], want["begin"], want["end"])
        return (want["track"], *span, want["level"], want["points"], want["weight"])


class PageView:
    """Makes the messages of one page.

    Parameters
    ----------
    overviews
        Returns that of a track.
    """

    def __init__(self, overviews: Callable[[str], HistoryOverview]) -> None:
        self._overviews = overviews
        self._fresh: deque[_Wanted] = deque()
        self._first: list[Group] = []
        self._others: list[Group] = []
        self._round: list[Group] = []
        self._round_s = -math.inf
        self._asked: dict[tuple[str, Key], None] = {}
        self._ends: list[ViewEnd] = []
        self._told_ends: list[ViewEnd] = []
        self._ready: deque[Extracted] = deque()
        self._told_whole = True
        self._seq = 0
        self.ask: AskView | None = None
        """What the page asked last."""
        self.sent_bytes = 0
        """At most so large was the last message."""

    def look(self, ask: AskView) -> None:
        """Look at what a page asks from now on."""
        before, self.ask = self.ask, ask
        if before and before["id"] == ask["id"]:
            return
        holds = before and before["id"] == ask["after"] and not self._ready
        known = [seen for group in self._first + self._others for seen in group]
        told = {_name(seen): seen for seen in known if seen.mark and holds}
        wants = [
            [_again(_Wanted(want, metric), told) for metric in want["metrics"]]
            for want in ask["wants"]
        ]
        self._first = _groups(wants[:1])
        self._others = _groups(wants[1:])
        self._asked = dict.fromkeys((w["track"], w["key"]) for w in ask["wants"])
        self._fresh = deque(s for seen in wants for s in seen if s.mark is None)
        self._ready.clear()
        self._round, self._ends, self._told_ends = [], [], []
        self._round_s, self._told_whole = -math.inf, False

    @property
    def waits(self) -> bool:
        """Whether something that was asked is not told, or not yet as it is now."""
        return bool(self._ready) or not self._told_whole

    def message(
        self, limit_bytes: int, now_s: float, *, every: bool = False
    ) -> tuple[View, bytes] | None:
        """Return the next message; None when nothing is new, or nothing fits.

        Parameters
        ----------
        limit_bytes
            Its size at most.
        now_s
            The clock.
        every
            Look at all of it.
        """
        if self.ask is None:
            return None
        due = self._due(now_s, every=every)
        extracts = list(self._fitting(limit_bytes - _ENVELOPE_BYTES, due))
        whole = not (self._ready or self._fresh)
        ends = self._ends[:_MOST_ENDS] if whole and not self._round else []
        if not (extracts or (whole and not self._told_whole) or ends):
            return None
        del self._ends[: len(ends)]
        self._seq += 1
        self._told_whole |= whole
        view: View = {
            "kind": "view",
            "id": self.ask["id"],
            "page": self.ask["page"],
            "seq": self._seq,
            "whole": whole,
            "extracts": [found.header for found in extracts],
            "ends": ends,
        }
        return view, b"".join(found.buffer for found in extracts)

    def _fitting(self, left: int, due: Iterator[Group]) -> Iterator[Extracted]:
        """Yield what fits into one message."""
        ends_bytes = _END_BYTES * min(len(self._asked), _MOST_ENDS)
        left -= ends_bytes
        self.sent_bytes = _ENVELOPE_BYTES + ends_bytes
        while self._ready or self._look(due):
            told, rest = cut(self._ready.popleft(), left)
            if rest is not None:
                self._ready.appendleft(rest)
            if told is None:
                return
            left -= told.nbytes
            self.sent_bytes += told.nbytes
            yield told

    def _look(self, due: Iterator[Group]) -> bool:
        """Take out what is new of the next group that has something new."""
        for group in due:
            self._ready.extend(self._news(group))
            if self._ready:
                return True
        return False

    def _due(self, now_s: float, *, every: bool) -> Iterator[Group]:
        """Yield what is not told at all, then the first want, and at times others."""
        while self._fresh:
            yield [self._fresh.popleft()]
        is_round = every or (not self._round and now_s - self._round_s >= ROUND_S)
        if is_round:
            # One after the other they cost a fraction of what each costs by itself.
            self._round, self._round_s = self._others[::-1], now_s
            newest = self._newest()
            self._ends = [end for end in newest if end not in self._told_ends]
            self._told_ends = newest
        for group in self._first:
            if is_round or self._is_wider(group[0]):
                yield group
        while self._round:
            yield self._round.pop()

    def _is_wider(self, seen: _Wanted) -> bool:
        """Say whether more is new than what the last bucket, a pixel, holds."""
        bucket = self._bucket(seen)
        return bucket is None or bucket != seen.bucket

    def _bucket(self, seen: _Wanted) -> float | None:
        """Return which bucket a new value would be in; None where there are none."""
        if seen.mark is None or seen.mark.level is None:
            return None
        newest = self._overviews(seen.want["track"]).newest(seen.want["key"])
        return newest // 2.0**seen.mark.level

    def _news(self, group: Group) -> Iterator[Extracted]:
        """Yield what the page has not been told of metrics that go on together."""
        want = group[0].want
        overview = self._overviews(want["track"])
        known = {s.metric: s.mark for s in group if s.mark and s.overview is overview}
        news = grown(overview, want, known)
        for seen in group:
            if seen.metric not in news:
                news[seen.metric] = extract(overview, want, seen.metric)
            seen.overview, told = overview, news[seen.metric]
            if isinstance(told, Extracted):
                seen.mark = told.mark
                yield told
            else:
                seen.mark = told
        group[0].bucket = self._bucket(group[0])

    def _newest(self) -> list[ViewEnd]:
        """Return the newest keys of all that is looked at."""
        of = self._overviews
        extents = ((t, k, of(t).pieces(k).extent) for t, k in self._asked)
        return [
            {"track": track, "key": key, "end": extent[1]}
            for track, key, extent in extents
            if extent
        ]


def _name(seen: _Wanted) -> tuple[object, ...]:
    """Return what stays the same where it goes on, also in larger buckets."""
    want = seen.want
    drawn = (want["begin"], want["end"], want["points"], want["weight"])
    return (want["track"], seen.metric, want["key"], *drawn)


def _again(seen: _Wanted, told: dict[tuple[object, ...], _Wanted]) -> _Wanted:
    """Go on with what was told of the same metric, if the page can."""
    before = told.get(_name(seen))
    if before is not None and _goes_on(seen.want, before):
        seen.overview, seen.mark = before.overview, before.mark
    return seen


def _goes_on(want: Want, before: _Wanted) -> bool:
    level = before.want["level"]
    is_coarser = want["level"] > level and want["begin"] is None and want["end"] is None
    return want["level"] == level or is_coarser


def _groups(wants: Sequence[Sequence[_Wanted]]) -> list[Group]:
    """Return the metrics of some wants, those together that are wanted alike."""
    groups: dict[tuple[object, ...], Group] = {}
    for seen in (seen for want in wants for seen in want):
        groups.setdefault(seen.key, []).append(seen)
    return list(groups.values())
