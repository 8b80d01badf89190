"""How exactly numbers are known that were printed with some digits."""

from __future__ import annotations

from mswidget.importers.formats.found import Number

_FULL_DIGITS = 15
_LARGEST = 300


class Printed:
    """Finds in the numbers of each metric to how many digits they were printed.

    A metric that never changes says nothing: ``0.5`` may be all of it.
    """

    def __init__(self) -> None:
        self._first: dict[str, Number] = {}
        self._changing: set[str] = set()
        self._fixed: dict[str, int] = {}
        self._scientific: dict[str, tuple[set[int], int]] = {}

    def see(self, name: str, text: Number) -> None:
        """Take one number of a metric into account; integers are exact."""
        if text != self._first.setdefault(name, text):
            self._changing.add(name)
        digits, _, exponent = text.replace("E", "e").partition("e")
        decimals = len(digits.partition(".")[2])
        if exponent:
            seen, largest = self._scientific.get(name, (set(), -_LARGEST))
            found = (seen | {decimals}, max(int(exponent), largest))
            self._scientific[name] = found
        elif decimals:
            self._fixed[name] = max(decimals, self._fixed.get(name, 0))

    def rounding(self) -> dict[str, float]:
        """Return by metric how far a printed number may be from the full one."""
        # Zeros at the end are often left out, so the longest number tells.
        known = {name: (decimals, 0) for name, decimals in self._fixed.items()}
        for name, (seen, exponent) in self._scientific.items():
            # Of several lengths, each is as short as the full number is.
            formatted = len(seen) == 1 and 0 not in seen
            known[name] = (max(seen) if formatted else _FULL_DIGITS, exponent)
        return {
            name: 0.5 * 10.0 ** min(exponent - decimals, _LARGEST)
            for name, (decimals, exponent) in known.items()
            if decimals < _FULL_DIGITS and name in self._changing
        }
