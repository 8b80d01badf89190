"""Where messages go: a web hook, or a function of the user's own."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Protocol

from mswidget.alerts.notify.message import KINDS, Kind, Message, kind_of_host, post_of
from mswidget.alerts.notify.not_taken import NotTakenError
from mswidget.alerts.notify.secret import Secret
from mswidget.records.alert import Alert


class Channel(Protocol):
    """Something that takes messages."""

    def send(self, message: Message) -> None:
        """Take one, or raise a `NotTakenError`."""


class Webhook:
    """An address that is posted to.

    Parameters
    ----------
    url
        ``env:NAME`` or ``file:PATH``, where the address stands; or the address itself,
        which then stands in your notebook.
    key
        What DingTalk and Feishu sign with, in such a place too.
    kind
        ``wecom``, ``dingtalk``, ``feishu``, ``slack``, or ``json`` for all that an
        alert is, by name. Default: by the host.

    Raises
    ------
    ValueError
        When there is no address in that place, or no such kind.
    """

    def __init__(
        self, url: str, *, key: str | None = None, kind: Kind | None = None
    ) -> None:
        self._url = Secret(url, "the address of a web hook")
        self._key = None if key is None else Secret(key, "the key of a web hook")
        address = self._url.read()
        if not address.startswith(("http://", "https://")):
            raise ValueError(
                "the address of a web hook begins with https:// or http://; what was "
                "given does not (it is not shown: it may be a secret)"
            )
        if kind is not None and kind not in KINDS:
            raise ValueError(f"kind={kind!r}: expected one of {', '.join(KINDS)}")
        self.kind: Kind = kind or kind_of_host(address)

    def __repr__(self) -> str:
        """Name its kind; the address is a secret."""
        return f"<Webhook {self.kind}>"

    def send(self, message: Message) -> None:
        """Post a message.

        Raises
        ------
        NotTakenError
            When it was not taken.
        """
        # HTTP takes a while to import, and most trainings never need it.
        from mswidget.alerts.notify.post import post  # noqa: PLC0415

        key = "" if self._key is None else self._key.read()
        address, body = post_of(message, self.kind, self._url.read(), key, time.time())
        post(address, json.dumps(body).encode())


class Caller:
    """A function of the user's own."""

    def __init__(self, function: Callable[[Alert], object]) -> None:
        self._function = function

    def __repr__(self) -> str:
        """Name the function."""
        return f"<{getattr(self._function, '__name__', 'function')}>"

    def send(self, message: Message) -> None:
        """Call it with the alert.

        Raises
        ------
        NotTakenError
            When it raises.
        """
        try:
            self._function(message.alert)
        except Exception as error:
            text = f"it raised {type(error).__name__}: {error}"
            raise NotTakenError(text, again=False) from error
