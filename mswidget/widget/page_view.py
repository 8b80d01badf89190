"""What one page looks at, and what it has been told of that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from mswidget.records.overview import Overview
from mswidget.widget.extract import Extracted, Mark, cut, extract, more
from mswidget.widget.protocol import AskView, View, Want

TURNS = 5
"""What is not in the first want is looked at for every so manieth message."""
_ENVELOPE_BYTES = 300


@dataclass
class _Seen:
    """One metric of a want."""

    want: Want
    metric: str
    overview: Overview | None = None
    mark: Mark | None = None
    key: tuple[object, ...] = field(init=False)

    def __post_init__(self) -> None:
        want = self.want
        span = (want["key"], want["begin"], want["end"])
        drawn = (want["level"], want["points"], want["weight"])
        self.key = (want["track"], self.metric, span, drawn)

    def next(self, overview: Overview) -> Extracted | None:
        """Return what the page has not been told."""
        if self.mark is None or overview is not self.overview:
            found: Extracted | Mark = extract(overview, self.want, self.metric)
        else:
            found = more(overview, self.want, self.metric, self.mark)
        self.overview = overview
        self.mark = found.mark if isinstance(found, Extracted) else found
        return found if isinstance(found, Extracted) else None


class PageView:
    """Makes the messages of one page.

    Parameters
    ----------
    overviews
        Returns that of a track.
    """

    def __init__(self, overviews: Callable[[str], Overview]) -> None:
        self._overviews = overviews
        self._seen: list[_Seen] = []
        self._first = 0
        self._turn = 0
        self._round: list[_Seen] = []
        self._ready: Extracted | None = None
        self._told_whole = True
        self._seq = 0
        self.ask: AskView | None = None
        """What the page asked last."""

    def look(self, ask: AskView) -> None:
        """Look at what a page asks from now on."""
        before = self.ask
        self.ask = ask
        if before and before["id"] == ask["id"]:
            return
        seen = [
            _Seen(want, metric) for want in ask["wants"] for metric in want["metrics"]
        ]
        told = {}
        if before and before["id"] == ask["after"] and not self._ready:
            told = {old.key: old for old in self._seen if old.mark}
        self._seen = [told.get(new.key, new) for new in seen]
        self._first = len(ask["wants"][0]["metrics"]) if ask["wants"] else 0
        self._ready = None
        self._turn, self._round, self._told_whole = 0, [], False

    @property
    def waits(self) -> bool:
        """Whether something that was asked has not been told at all."""
        return not self._told_whole

    def message(
        self, limit_bytes: int, *, every: bool = False
    ) -> tuple[View, bytes] | None:
        """Return the next message; None when nothing is new, or nothing fits.

        Parameters
        ----------
        limit_bytes
            Its size at most.
        every
            Look at all of it.
        """
        extracts = list(self._fitting(limit_bytes - _ENVELOPE_BYTES, every=every))
        whole = not self._ready and all(seen.mark for seen in self._seen)
        if self.ask is None or not (extracts or (whole and self.waits)):
            return None
        self._seq += 1
        self._told_whole |= whole
        view: View = {
            "kind": "view",
            "id": self.ask["id"],
            "page": self.ask["page"],
            "seq": self._seq,
            "whole": whole,
            "extracts": [found.header for found in extracts],
        }
        return view, b"".join(found.buffer for found in extracts)

    def _fitting(self, left: int, *, every: bool) -> Iterator[Extracted]:
        """Yield what fits into one message."""
        due = iter(self._due(every=every))
        while found := self._ready or self._next(due):
            told, self._ready = cut(found, left)
            if told is None:
                return
            left -= told.nbytes
            yield told

    def _next(self, due: Iterator[_Seen]) -> Extracted | None:
        """Take out the next that has something new."""
        each = (seen.next(self._overviews(seen.want["track"])) for seen in due)
        return next(filter(None, each), None)

    def _due(self, *, every: bool) -> Iterator[_Seen]:
        """Yield what is not told at all, else the first want and some of the others."""
        fresh = [seen for seen in self._seen if seen.mark is None]
        if fresh and not every:
            yield from fresh
            return
        yield from self._seen[: self._first]
        # One after the other they cost a fraction of what each costs by itself.
        if every or (self._turn == 0 and not self._round):
            self._round = self._seen[self._first :][::-1]
        self._turn = (self._turn + 1) % TURNS
        while self._round:
            yield self._round.pop()
