"""What a page may ask of a training, done between two of its steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mswidget.widget.page_request import RefusedError
from mswidget.widget.protocol import Command, CommandKind

Obey = Callable[[int, int | None], str]
"""Does it after a step, with the value that was asked; returns what was done."""

_FAILED = {
    "ask_save": "saving a checkpoint",
    "ask_log_interval": "changing the log interval",
}


class Commands:
    """Keeps what was asked until the training has ended a step, and tells of it.

    Asking only notes it down, in whatever thread a page is heard. The thread that
    trains obeys.

    Parameters
    ----------
    on_change
        Is given what can be asked, and what became of it.
    notice
        Tells the user of a failure.
    """

    def __init__(
        self,
        on_change: Callable[[list[Command]], None],
        notice: Callable[[str], None],
    ) -> None:
        self._on_change = on_change
        self._notice = notice
        self._offers: dict[CommandKind, Obey] = {}
        self._asked: dict[CommandKind, int | None] = {}
        self._commands: dict[CommandKind, Command] = {}

    def begin(self) -> None:
        """Forget what was offered to the training before, and what became of it."""
        for mine in (self._offers, self._asked, self._commands):
            mine.clear()
        self._on_change([])

    def offer(self, kind: CommandKind, obey: Obey, value: int | None = None) -> None:
        """Let pages ask for it.

        Parameters
        ----------
        value
            What is set now, where it sets something.
        """
        self._offers[kind] = obey
        self._tell(kind, value=value)

    def ask(self, kind: CommandKind, value: int | None = None) -> str:
        """Ask for it; of several until the end of the step the last one counts.

        Raises
        ------
        RefusedError
            When nobody would obey.
        """
        if kind not in self._offers:
            raise RefusedError("no training goes on here that could do that")
        self._tell(kind, state="waiting")
        self._asked[kind] = value
        return "it is done when the running step has ended"

    def obey(self, step: int) -> None:
        """Do what was asked, now that the training has made this step."""
        while self._asked:
            kind, value = self._asked.popitem()
            self._do(kind, step, value)

    def end(self, step: int) -> None:
        """Tell of what waits that no step followed; hold nothing of the training."""
        self._offers.clear()
        while self._asked:
            kind, _ = self._asked.popitem()
            self._fail(kind, step, "the training ended before")

    def _do(self, kind: CommandKind, step: int, value: int | None) -> None:
        try:
            text = self._offers[kind](step, value)
        except Exception as error:  # noqa: BLE001 - it must not end the training
            self._fail(kind, step, f"{type(error).__name__}: {error}")
        else:
            changes = {} if value is None else {"value": value}
            self._tell(kind, state="done", step=step, text=text, **changes)

    def _fail(self, kind: CommandKind, step: int, text: str) -> None:
        self._tell(kind, state="failed", step=step, text=text)
        self._notice(f"{_FAILED[kind]} failed at step {step} ({text})")

    def _tell(self, kind: CommandKind, **changes: Any) -> None:  # noqa: ANN401
        fresh: Command = {
            "kind": kind,
            "state": "",
            "step": None,
            "text": "",
            "value": None,
        }
        # In place of the old one: the worker may be sending that.
        self._commands[kind] = {**self._commands.get(kind, fresh), **changes}  # type: ignore[typeddict-item]
        self._on_change([*self._commands.values()])
