"""How many steps an epoch has, found out from the places of a log's lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

_FITS = 0.8
_COMMONEST = 12

Move = tuple[int, int]
"""From a line to the next: by so many epochs, and so many steps within them."""


@dataclass(frozen=True)
class EpochLength:
    """A number of steps, and why it is taken, in words."""

    steps: int
    why: str


class SeenLength:
    """Learns how long epochs are from lines that come at an interval of steps.

    The interval goes on from one epoch into the next: lines at steps 10 of epoch 1 and
    6 and 16 of epoch 2 tell of epochs of 14 steps.
    """

    def __init__(self) -> None:
        self.largest = 0
        """The largest step that was printed."""
        self._moves: Counter[Move] = Counter()

    def see(self, step: int, move: Move | None) -> None:
        """Take a line into account.

        Parameters
        ----------
        step
            Within its epoch, as printed.
        move
            From the farthest line so far; None if that was farther.
        """
        self.largest = max(self.largest, step)
        if move is not None:
            self._moves[move] += 1

    def length(self, first: int) -> EpochLength:
        """Return what is most likely by now, if the first step is called so."""
        least = self.largest + 1 - first
        interval_and_steps = self._best(least)
        if interval_and_steps is None:
            why = "the largest step that was seen in one: it may have more"
            return EpochLength(least, why)
        interval, steps = interval_and_steps
        most = least + interval - 1
        if interval > 1 and len({m for m in self._moves if m[0]}) == 1 and least < most:
            why = (
                f"if the interval of {interval} goes on from one to the next: "
                f"{least} to {most} are possible"
            )
            return EpochLength(steps, why)
        return EpochLength(steps, f"as lines at an interval of {interval} show")

    def _best(self, least: int) -> tuple[int, int] | None:
        """Return the interval and the length that most moves agree with."""
        moves = self._moves.most_common(_COMMONEST)
        if len(moves) < 2 or not any(epochs for (epochs, _), _ in moves):  # noqa: PLR2004 - two unknowns
            return None
        agree = {
            candidate: sum(
                count
                for (epochs, steps), count in self._moves.items()
                if epochs * candidate[1] + steps == candidate[0]
            )
            for candidate in _solutions(move for move, _ in moves)
            if candidate[1] >= least
        }
        best = max(agree, key=lambda candidate: agree[candidate], default=None)
        fits = best and agree[best] >= _FITS * self._moves.total()
        return best if fits else None


def _solutions(moves: Iterable[Move]) -> Iterator[tuple[int, int]]:
    for (epochs, steps), (other_epochs, other_steps) in combinations(moves, 2):
        if epochs == other_epochs:
            continue
        length, rest = divmod(steps - other_steps, other_epochs - epochs)
        interval = epochs * length + steps
        if not rest and length > 0 and interval > 0:
            yield interval, length
