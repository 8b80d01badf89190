"""What went wrong beside a training, in words for the user."""

from __future__ import annotations

from collections.abc import Sequence

from mswidget.guard import tell


class Notices:
    """Tells each sentence once.

    Parameters
    ----------
    name
        The run's.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._troubles: Sequence[str] = ()
        self._told: set[str] = set()
        self.said: list[str] = []
        """What is true, in order."""

    def add(self, text: str) -> None:
        """Tell it, and keep it."""
        if text not in self.said:
            self.said.append(text)
        if text not in self._told:
            self._told.add(text)
            tell(f"{self._name}: {text}")

    def withdraw(self, text: str) -> None:
        """Keep no longer what was true for a while."""
        self.said = [other for other in self.said if other != text]

    def follow(self, troubles: Sequence[str]) -> bool:
        """Tell what is new of troubles that come and go; say whether they changed."""
        for trouble in troubles[len(self._troubles) :]:
            tell(f"{self._name}: {trouble}")
        changed = troubles != self._troubles
        self._troubles = troubles
        return changed
