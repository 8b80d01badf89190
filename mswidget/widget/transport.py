"""What goes to the page, when: deltas, snapshots and answers, within the budget."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from mswidget.records.history import History
from mswidget.records.history import Rows as HistoryRows
from mswidget.widget import budget
from mswidget.widget.frames import encode, exact_stop
from mswidget.widget.protocol import AskRows, Block, Delta, Head, Rows

HEARTBEAT_S = 1.0
# How far each of several tracks is, and the numbers in notices.
PROGRESS_S = 2.0
_PROGRESS = {"step": None, "last_value_s": None, "note": ""}
_NUMBER = re.compile(r"\d[\d,.]*")
SNAPSHOT_S = 10.0
# The first picture of a page that opens late must not wait the whole interval.
FIRST_SNAPSHOT_S = 1.0
# A snapshot reads the whole history: leave 99.75 % of the time to others.
SNAPSHOT_SHARE = 400.0


class Page(Protocol):
    """The far end: a widget, or a recorder in a test."""

    def send(self, content: Any, buffers: Any = None) -> None:  # noqa: ANN401
        """Send one message; lost when no page listens."""

    def keep(self, head: Head, seq: int, block: Block, buffer: bytes) -> None:
        """Hold what a page made later starts from."""


class Transport:
    """Feeds one page from one history. Used by the worker thread, and at the end.

    Parameters
    ----------
    history
        Where the numbers are.
    page
        Where they go.
    head
        Returns all that is not numbers; called at each tick.
    """

    def __init__(self, history: History, page: Page, head: Callable[[], Head]) -> None:
        self._history = history
        self._page = page
        self._head = head
        self._budget = budget.Budget(budget.PER_MONITOR_S, budget.ALL)
        self._seq = 0
        self._sent_rows = 0
        self._sent_first = 0
        self._sent_head: Head | None = None
        self._head_s = 0.0
        self._sent_s = 0.0
        self._next_snapshot_s = time.monotonic() + FIRST_SNAPSHOT_S
        self._kept: tuple[int, int] | None = None
        self._asked: deque[AskRows] = deque()
        self._answered_last = False

    def tick(self) -> None:
        """Send what is new, if anything is and the budget allows it."""
        head = self._head()
        now = time.monotonic()
        changed = self._changed(head, now)
        due = changed or self._has_news()
        if self._asked and not self._answered_last and self._budget.take(now):
            self._answer()
        elif (due or now - self._sent_s >= HEARTBEAT_S) and self._budget.take(now):
            self._send(head, with_head=changed)
        if now >= self._next_snapshot_s and self._extent() != self._kept:
            self.snapshot()

    def snapshot(self) -> None:
        """Renew what a page made later starts from."""
        began = time.monotonic()
        rows = self._history.rows(self._history.first)
        block, buffer = encode(rows, budget.SNAPSHOT_BYTES)
        self._page.keep(self._head(), self._seq, block, buffer)
        self._kept = (rows.start, rows.stop)
        now = time.monotonic()
        pause = max(SNAPSHOT_S, SNAPSHOT_SHARE * (now - began))
        self._next_snapshot_s = now + pause

    def finish(self) -> None:
        """Send and keep everything: nothing follows."""
        while self._asked:
            self._answer()
        self._send(self._head(), with_head=True)
        while self._has_news():
            self._send(self._head(), with_head=False)
        self.snapshot()

    def ask(self, command: AskRows, *, later: bool) -> None:
        """Send rows exactly, as many as one message may hold.

        Parameters
        ----------
        command
            What the page asked.
        later
            Leave it to the next ticks, every other of which may be an answer.
        """
        self._asked.append(command)
        if not later:
            self._answer()

    def _answer(self) -> None:
        self._answered_last = True
        command = self._asked.popleft()
        rows = self._history.rows(command["start"], command["stop"])
        stop = exact_stop(rows, budget.DELTA_BYTES)
        block, buffer = encode(
            self._history.rows(rows.start, stop), 2 * budget.DELTA_BYTES
        )
        message: Rows = {"kind": "rows", "id": command["id"], "block": block}
        self._page.send(message, [buffer])

    def _send(self, head: Head, *, with_head: bool) -> None:
        rows, limit_bytes = self._unsent()
        block, buffer = encode(rows, limit_bytes)
        self._answered_last = False
        self._seq += 1
        message: Delta = {
            "kind": "delta",
            "seq": self._seq,
            "block": block,
            "status": head["status"],
        }
        self._sent_first = min(self._sent_first, rows.start)
        self._sent_rows = max(self._sent_rows, rows.stop)
        self._sent_s = time.monotonic()
        if with_head:
            message["head"] = head
            self._sent_head, self._head_s = head, self._sent_s
        self._page.send(message, [buffer])

    def _has_news(self) -> bool:
        first, stop = self._extent()
        return first < self._sent_first or stop > self._sent_rows

    def _extent(self) -> tuple[int, int]:
        return self._history.first, len(self._history)

    def _unsent(self) -> tuple[HistoryRows, int]:
        """Return what to send next, in how many bytes: earlier attempts come once."""
        first, history = self._history.first, self._history
        if first < self._sent_first:
            return history.rows(first, self._sent_first), budget.SNAPSHOT_BYTES
        return history.rows(self._sent_rows), budget.DELTA_BYTES

    def _changed(self, head: Head, now: float) -> bool:
        """Say whether more than the passing of time has changed."""
        sent = self._sent_head
        if sent is None or _outline(sent) != _outline(head):
            return True
        # How far the only track is, the status says.
        moved = len(head["tracks"]) > 1 and sent["tracks"] != head["tracks"]
        moved |= sent["notices"] != head["notices"]
        return moved and now - self._head_s >= PROGRESS_S


def _outline(head: Head) -> tuple[object, ...]:
    """Return what the page must know of at once."""
    status = head["status"]
    tracks = [{**track, **_PROGRESS} for track in head["tracks"]]
    # A number in a notice may grow at each step.
    texts = (head["marks"], [_NUMBER.sub("", notice) for notice in head["notices"]])
    return (
        status["phase"],
        status["stop"],
        len(head["metrics"]),
        *texts,
        tracks,
    )
