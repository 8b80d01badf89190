"""Addresses and keys that nobody may see."""

from __future__ import annotations

import os
from pathlib import Path

_SOURCES = "env:NAME for an environment variable, or file:PATH"


class Secret:
    """A text that is shown nowhere; read where it is kept when it is needed.

    Parameters
    ----------
    source
        ``env:NAME``, ``file:PATH``, or the text itself.
    what
        What it is, for an error.

    Raises
    ------
    ValueError
        When there is nothing in that place.
    """

    def __init__(self, source: str, what: str) -> None:
        self._source = source
        self._what = what
        self.read()

    def read(self) -> str:
        """Return the text."""
        kind, _, place = self._source.partition(":")
        if kind == "env":
            return self._given(os.environ.get(place, ""), f"the variable {place}")
        if kind == "file":
            return self._given(_text_of(place), f"the file {place}")
        return self._given(self._source, "the text")

    def __repr__(self) -> str:
        """Say nothing of the text."""
        return "Secret(***)"

    def _given(self, text: str, place: str) -> str:
        if not text.strip():
            raise ValueError(
                f"{self._what}: {place} is empty or not there; it may be {_SOURCES}"
            )
        return text.strip()

    def __reduce__(self) -> str | tuple[object, ...]:
        """Refuse to be pickled: the text would stand in a file."""
        raise TypeError(f"{self._what} is a secret and cannot be pickled")


def _text_of(path: str) -> str:
    try:
        return Path(path).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
