"""The runs of this process: those that go on, and what is left of the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar
from weakref import WeakSet

from mswidget.widget.cell import Cell

_REMEMBERED = 20


class Holdable(Protocol):
    """A run, as far as it matters here."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def path(self) -> Path:
        """Its folder."""

    def close(self) -> None:
        """End it, and take its widget away."""


class Past(NamedTuple):
    """A run that has ended; its values are on disk."""

    name: str
    path: Path


R = TypeVar("R", bound=Holdable)


class Registry(Generic[R]):
    """Holds runs that go on, so that the end of the process loses nothing of them.

    Of those that have ended only the last one is held: a notebook that makes run after
    run would keep the values of them all. They are iterated oldest first.
    """

    def __init__(self) -> None:
        self._held: list[R] = []
        self._going: set[int] = set()
        self._shown: dict[str, tuple[int, WeakSet[R]]] = {}
        self.past: list[Past] = []
        """The last ones that have ended, oldest first."""

    def __iter__(self) -> Iterator[R]:
        return iter([*self._held])

    def begin(self, run: R) -> None:
        """Hold a run that goes on from here on."""
        self.forget(run)
        self._held.append(run)
        self._going.add(id(run))

    def end(self, run: R) -> None:
        """Remember the name and place of a run, and let go of those that ended before.

        A run that is no longer held has been closed.
        """
        self._going.discard(id(run))
        self._held = [r for r in self._held if r is run or id(r) in self._going]
        past = Past(run.name, run.path)
        self.past = [*(p for p in self.past if p != past), past][-_REMEMBERED:]

    def forget(self, run: R) -> None:
        """Let go of a run."""
        self._going.discard(id(run))
        self._held = [other for other in self._held if other is not run]

    def show(self, run: R, cell: Cell) -> None:
        """Note where a run is shown; close what that cell showed when it ran before."""
        execution, shown = self._shown.get(cell.ident, (cell.execution, WeakSet()))
        before: list[R] = []
        if execution != cell.execution:
            before, shown = [*shown], WeakSet()
        shown.add(run)
        self._shown[cell.ident] = (cell.execution, shown)
        for other in before:
            if other is not run:
                other.close()
