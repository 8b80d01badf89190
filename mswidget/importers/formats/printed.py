"""How exactly numbers are known that were printed with some digits."""

from __future__ import annotations

from dataclasses import dataclass, field

from mswidget.importers.formats.found import Number
from mswidget.records.rounding import Rounding

_FULL_DIGITS = 15


@dataclass
class _Seen:
    """What the numbers of a metric look like so far."""

    first: Number
    changes: bool = False
    digits: int = 0
    place: int = 0
    lengths: set[int] = field(default_factory=set)
    plain: bool = False

    def see(self, text: Number) -> None:
        self.changes = self.changes or text != self.first
        digits, _, exponent = text.replace("E", "e").partition("e")
        whole, _, decimals = digits.partition(".")
        significant = len(f"{whole}{decimals}".lstrip("+-0."))
        if exponent:
            # A zero may be printed apart from the others, as 0.0 is.
            self.lengths |= {len(decimals)} if significant else set()
        elif decimals:
            self.plain |= significant > 0
            self.place = max(self.place, len(decimals))
        if exponent or decimals:
            self.digits = max(self.digits, significant)

    def rounding(self) -> Rounding | None:
        """Return how they were rounded; None for full numbers."""
        if not self.changes or not self.digits:
            return None
        if not self.lengths:
            # Zeros at the end are often left out, so the longest number tells.
            rounded = 0 < self.place < _FULL_DIGITS
            return Rounding(self.digits, self.place) if rounded else None
        # Of several lengths or forms, each is as short as the full number is.
        formatted = len(self.lengths) == 1 and 0 not in self.lengths and not self.plain
        rounded = formatted and max(self.lengths) < _FULL_DIGITS
        return Rounding(self.digits) if rounded else None


class Printed:
    """Finds in the numbers of each metric to how many digits they were printed.

    A metric that never changes says nothing: ``0.5`` may be all of it.
    """

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}

    def see(self, name: str, text: Number) -> None:
        """Take one number of a metric into account; integers are exact."""
        if name not in self._seen:
            self._seen[name] = _Seen(text)
        self._seen[name].see(text)

    def rounding(self) -> dict[str, Rounding]:
        """Return by metric how its numbers were rounded."""
        roundings = {name: seen.rounding() for name, seen in self._seen.items()}
        return {name: rounding for name, rounding in roundings.items() if rounding}
