"""Sends alerts, in threads of its own."""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

from mswidget.alerts.notify.channel import Channel
from mswidget.alerts.notify.ledger import Ledger
from mswidget.alerts.notify.message import Message
from mswidget.alerts.notify.not_taken import NotTakenError
from mswidget.records.alert import Alert

FIRST_PAUSE_S = 1.0
"""After a failure; each further pause is twice as long."""
LONGEST_PAUSE_S = 60.0
_MOST = 100
_GATHER_S = 2.0
_LAST_S = 5.0
_QUIET = "info"


class Notifier:
    """Brings alerts to channels: each once, and again until it is taken.

    A channel has a thread of its own while there is something to send: one that does
    not answer holds up nobody else. At the end of the process five seconds are given
    to what waits.

    Parameters
    ----------
    run
        The run's name.
    channels
        Where to.
    ledger
        Says whether another process sends it.
    notice
        Tells the user, once a channel, that it does not take messages.
    first_pause_s, gather_s
        How long to wait after a failure, and for other ranks.
    """

    def __init__(
        self,
        run: str,
        channels: Sequence[Channel],
        ledger: Ledger,
        notice: Callable[[str], None],
        *,
        first_pause_s: float = FIRST_PAUSE_S,
        gather_s: float = _GATHER_S,
    ) -> None:
        self._run = run
        self._ledger = ledger
        self._gather_s = gather_s
        self._lines = [
            _Delivery(channel, f"notify[{number}] {channel!r}", notice, first_pause_s)
            for number, channel in enumerate(channels)
        ]
        self._gathering = _Errands()
        if channels:
            _AT_WORK.add(self)

    def take(self, alert: Alert) -> None:
        """Send an alert, if it is more than an information; returns at once."""
        if self._lines and alert.severity != _QUIET:
            self._gathering.put(partial(self._gather, alert))

    def flush(self, timeout_s: float) -> bool:
        """Wait until all is sent; returns whether it is, after so long at most."""
        end_s = time.monotonic() + timeout_s
        queues = [self._gathering, *(line.errands for line in self._lines)]
        return all(q.wait(end_s - time.monotonic()) for q in queues)

    def _gather(self, alert: Alert) -> None:
        if not self._ledger.claim(alert):
            return
        # What one rank has found, others find within moments.
        time.sleep(self._gather_s)
        message = Message(self._run, alert, self._ledger.ranks(alert))
        for line in self._lines:
            line.put(message)


_AT_WORK: weakref.WeakSet[Notifier] = weakref.WeakSet()


def _flush_all() -> None:
    end_s = time.monotonic() + _LAST_S
    for notifier in [*_AT_WORK]:
        notifier.flush(end_s - time.monotonic())


atexit.register(_flush_all)


class _Delivery:
    """Messages on their way to one channel."""

    def __init__(
        self,
        channel: Channel,
        name: str,
        notice: Callable[[str], None],
        first_pause_s: float,
    ) -> None:
        self._channel = channel
        self._name = name
        self._notice = notice
        self._first_pause_s = first_pause_s
        self._told = False
        self.errands = _Errands()

    def put(self, message: Message) -> None:
        self.errands.put(partial(self._deliver, message))

    def _deliver(self, message: Message) -> None:
        pause_s = self._first_pause_s
        while (refused := self._try(message)) and refused.again:
            time.sleep(max(pause_s, refused.after_s))
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _try(self, message: Message) -> NotTakenError | None:
        try:
            self._channel.send(message)
        except NotTakenError as refused:
            error = refused
        except Exception as other:  # noqa: BLE001 - a thread of ours must not end in it
            error = NotTakenError(type(other).__name__, again=False)
        else:
            return None
        if not self._told:
            self._told = True
            then = "it is tried again" if error.again else "what it refuses is lost"
            self._notice(f"{self._name} took no alert: {error}; {then}")
        return error


class _Errands:
    """Calls what it is given, one after the other, in a thread while there is any."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque(maxlen=_MOST)
        self._lock = threading.Lock()
        self._idle = threading.Event()
        self._idle.set()

    def put(self, errand: Callable[[], None]) -> None:
        with self._lock:
            self._waiting.append(errand)
            if self._idle.is_set():
                self._idle.clear()
                name = "mswidget notify"
                threading.Thread(target=self._work, name=name, daemon=True).start()

    def wait(self, timeout_s: float) -> bool:
        return self._idle.wait(max(timeout_s, 0))

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._idle.set()
                    return
                errand = self._waiting.popleft()
            errand()
