"""What goes to the pages of one widget, when: news and views, within the budget."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from mswidget.widget import budget
from mswidget.widget.extract import Extracted
from mswidget.widget.head_news import CUT, HeadNews, shortened
from mswidget.widget.overviews import Histories, Overviews
from mswidget.widget.page_view import PageView
from mswidget.widget.protocol import (
    AskView,
    Bundle,
    Extent,
    Head,
    News,
    Summaries,
    View,
)
from mswidget.widget.snapshot import snapshot
from mswidget.widget.summaries import Summed

HEARTBEAT_S = 1.0
NEWS_S = 0.5
"""How often a page hears of progress that its curves do not show."""
SUMMARIES_S = 1.0
SNAPSHOT_S = 10.0
# The first picture of a page that opens late must not wait the whole interval.
FIRST_SNAPSHOT_S = 1.0
# A snapshot may read whole columns: leave 99.9 % of the time to others.
SNAPSHOT_SHARE = 1000.0
SILENCE_S = 60.0
"""A page that could be heard for so long and said nothing has gone."""
PAGES = 8
"""So many pages of a widget, those that asked last, are answered."""
_PROGRESS = {"step": None, "last_value_s": None, "odd": "", "note": ""}
_NUMBER = re.compile(r"\d[\d,.]*")
_HEARING_S = 5.0
_ENVELOPE_BYTES = 200

Message = tuple[News | View | Summaries, bytes | None]


class Page(Protocol):
    """The far end: a widget, or a recorder in a test."""

    def send(self, content: Any, buffers: Any = None) -> None:  # noqa: ANN401
        """Send one message; lost when no page listens."""

    def keep(
        self,
        head: Head,
        extents: Sequence[Extent],
        seq: int,
        extracts: Sequence[Extracted],
    ) -> None:
        """Hold what a page made later starts from."""


class _Listener:
    """One page, as it was heard last."""

    def __init__(self, overviews: Overviews) -> None:
        self.view = PageView(overviews.of)
        self.heard_s = 0.0
        self.summed_s = -SUMMARIES_S
        self.summaries = b""


class Transport:
    """Feeds the pages of one widget.

    The worker thread ticks; where the kernel is free the main thread answers at once.

    Parameters
    ----------
    histories
        Returns the numbers that are shown, by track.
    page
        Where they go.
    head
        Returns all that is not numbers; called at each tick.
    """

    def __init__(
        self, histories: Histories, page: Page, head: Callable[[], Head]
    ) -> None:
        self._page = page
        self._head = head
        self._overviews = Overviews(histories)
        self._budget = budget.Budget(budget.PER_MONITOR_S, budget.ALL)
        self._news = HeadNews()
        self._summed = Summed()
        self._listeners: dict[str, _Listener] = {}
        self._asked: dict[str, AskView] = {}
        self._forget = False
        self._outline: tuple[object, ...] = ()
        self._news_s = -HEARTBEAT_S
        self._told_rows: dict[str, int] = {}
        self._kept_rows: dict[str, int] | None = None
        self._next_snapshot_s = time.monotonic() + FIRST_SNAPSHOT_S
        self._heard_s = self._last_heard_s = 0.0
        self._lock = threading.RLock()

    def ask(self, command: AskView) -> None:
        """Take what a page looks at; the next tick or `answer` sends it."""
        self._asked[command["page"]] = command

    def tell_again(self) -> None:
        """Tell the whole head: a page has lost some of it."""
        self._forget = True

    def hear(self) -> None:
        """Note that the pages are heard now: the kernel takes their messages."""
        now = time.monotonic()
        self._heard_s += min(now - self._last_heard_s, _HEARING_S)
        self._last_heard_s = now

    def tick(self) -> None:
        """Send what is new, if anything is and the budget allows it."""
        with self._lock:
            now = time.monotonic()
            if self._budget.has_room(now):
                self._send(now)
                if self._waits():
                    self.answer()
            if now >= self._next_snapshot_s and self._overviews.rows != self._kept_rows:
                self._keep()

    def answer(self) -> bool:
        """Send what was asked, as far as the budget allows; says whether more waits."""
        with self._lock:
            while self._budget.has_room(now := time.monotonic()):
                self._send(now)
                if not self._waits():
                    return False
            return True

    def finish(self) -> bool:
        """Send and keep everything: nothing follows. Says whether something waits."""
        with self._lock:
            self._news_s = -HEARTBEAT_S
            self._send(time.monotonic(), every=True)
            waits = self._waits() and self.answer()
            self._keep()
            return waits

    def _send(self, now: float, *, every: bool = False) -> None:
        """Send one message, if there is anything to say."""
        messages = list(self._messages(now, every=every))
        if messages:
            self._budget.take(now)
            bundle: Bundle = {"kind": "bundle", "messages": [m for m, _ in messages]}
            buffers = [buffer for _, buffer in messages if buffer is not None]
            self._page.send(bundle, buffers)

    def _messages(self, now: float, *, every: bool) -> Iterator[Message]:
        self._listen()
        self._overviews.refresh()
        left = budget.MESSAGE_BYTES - _ENVELOPE_BYTES
        for message, buffer in self._due(now):
            left -= _size(message, buffer)
            yield message, buffer
        # Who comes first this time comes last the next.
        for page in list(self._listeners):
            listener = self._listeners.pop(page)
            self._listeners[page] = listener
            view = listener.view
            if told := view.message(left, now, every=every):
                left -= view.sent_bytes
                yield told

    def _due(self, now: float) -> Iterator[Message]:
        """Yield news and summaries, if it is their time."""
        head, left = self._head(), budget.MESSAGE_BYTES // 2
        if self._is_news(head, now):
            self._outline, self._news_s = _outline(head), now
            self._told_rows = self._overviews.rows
            if self._forget:
                self._forget = False
                self._news.forget()
            news = self._news.message(head, self._overviews.extents(), left)
            yield news, None
        for listener in self._listeners.values():
            summaries = self._summaries(listener, now)
            if summaries:
                yield summaries
                return

    def _is_news(self, head: Head, now: float) -> bool:
        if self._forget or self._news.waits or _outline(head) != self._outline:
            return True
        moved = self._overviews.rows != self._told_rows
        return now - self._news_s >= (NEWS_S if moved else HEARTBEAT_S)

    def _summaries(self, listener: _Listener, now: float) -> Message | None:
        ask = listener.view.ask
        if not ask or not ask["summaries"] or now - listener.summed_s < SUMMARIES_S:
            return None
        listener.summed_s = now
        overview = self._overviews.of(ask["track"])
        columns = self._summed.columns(ask["track"], overview, ask["summaries"])
        buffer = columns.astype("<f8").tobytes()
        if buffer == listener.summaries:
            return None
        listener.summaries = buffer
        told: Summaries = {
            "kind": "summaries",
            "id": ask["id"],
            "page": ask["page"],
            "track": ask["track"],
        }
        return told, buffer

    def _listen(self) -> None:
        """Take in what was asked, and let pages go that have gone."""
        while self._asked:
            page, ask = self._asked.popitem()
            listener = self._listeners.pop(page, None) or _Listener(self._overviews)
            self._listeners[page] = listener
            before = listener.view.ask
            if not before or before["id"] != ask["id"]:
                listener.summed_s, listener.summaries = -SUMMARIES_S, b""
            listener.view.look(ask)
            listener.heard_s = self._heard_s
        gone = [
            page
            for page, listener in self._listeners.items()
            if self._heard_s - listener.heard_s > SILENCE_S
        ]
        for page in [*gone, *list(self._listeners)[:-PAGES]]:
            self._listeners.pop(page, None)

    def _waits(self) -> bool:
        """Say whether a page has not got all that it asked, or all that there is."""
        asked = any(listener.view.waits for listener in self._listeners.values())
        return bool(self._asked) or asked or self._forget or self._news.waits

    def _keep(self) -> None:
        """Renew what a page made later starts from."""
        began = time.monotonic()
        self._overviews.refresh()
        head = self._head()
        names = [metric["name"] for metric in head["metrics"]]
        taken = snapshot(self._overviews, names, budget.SNAPSHOT_BYTES)
        limit = budget.KEPT_BYTES
        short, extents, whole = shortened(head, self._overviews.extents(), limit)
        seq = self._news.seq if whole else CUT
        self._page.keep(short, extents, seq, taken)
        self._kept_rows = self._overviews.rows
        now = time.monotonic()
        self._next_snapshot_s = now + max(SNAPSHOT_S, SNAPSHOT_SHARE * (now - began))


def _size(message: News | View | Summaries, buffer: bytes | None) -> int:
    return len(json.dumps(message)) + len(buffer or b"")


def _outline(head: Head) -> tuple[object, ...]:
    """Return what the page must know of at once."""
    status = head["status"]
    return (
        status["phase"],
        status["stop"],
        status["commands"],
        len(head["metrics"]),
        head["alert_count"],
        head["marks"],
        # A number in a notice may grow at each step.
        [_NUMBER.sub("", notice) for notice in head["notices"]],
        [{**track, **_PROGRESS} for track in head["tracks"]],
    )
