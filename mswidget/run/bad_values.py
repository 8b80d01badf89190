"""Logged values that were no numbers: counted, told, and marked at their steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from mswidget.drawing.names import visible

_KINDS_TOLD = 20
_MARKED = 100


class BadValues:
    """Counts them by metric and by what they were instead.

    Parameters
    ----------
    mark
        Called with step, metric and what was found: of the first of each kind that is
        told, and of others while there are few.
    """

    def __init__(self, mark: Callable[[int, str, str], None]) -> None:
        self._mark = mark
        self._count: Counter[tuple[str, str]] = Counter()
        self._first: dict[tuple[str, str], str] = {}
        self._fresh: list[str] = []
        self._marked = 0

    def sift(self, step: int, values: Mapping[str, object]) -> dict[str, float]:
        """Return the numbers among a step's values, and take the rest."""
        numbers: dict[str, float] = {}
        for name, value in values.items():
            if isinstance(value, float):
                numbers[str(name)] = value
            else:
                self._add(step, str(name), value)
        return numbers

    def _add(self, step: int, metric: str, value: object) -> None:
        key = (metric, getattr(value, "kind", ""))
        self._count[key] += 1
        is_told = key not in self._first and len(self._first) < _KINDS_TOLD
        if is_told:
            first = self._first[key] = f"step {step}: {value}"
            text = (
                f"{visible(metric)}: no number, so neither drawn nor written; {first}"
            )
            self._fresh.append(text)
        if is_told or self._marked < _MARKED:
            self._marked += 1
            self._mark(step, metric, str(value))

    def sentences(self) -> list[str]:
        """Return one for each of the first kinds, and how many there are more."""
        told, count = self._first.copy(), self._count.copy()
        texts = [
            f"{visible(key[0])}: no number {_times(count[key])}, so neither drawn nor "
            f"written; first at {first}"
            for key, first in told.items()
        ]
        others = sum(count[key] for key in count.keys() - told.keys())
        more = f"{others:,} values of other metrics or kinds were no numbers either"
        return [*texts, more] if others else texts

    def fresh(self) -> list[str]:
        """Take a sentence for each kind that was met since the last call."""
        fresh, self._fresh = self._fresh, []
        return fresh


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
