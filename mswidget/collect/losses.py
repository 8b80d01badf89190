"""What a train step returned, whatever its shape, as named values.

A tensor is anything that has ``asnumpy``; nothing here reads one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mswidget.metrics import describe
from mswidget.store.values import to_float

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Path = tuple[str | int, ...]
"""Dict keys (text) and positions (int) that lead to one value."""


@dataclass(frozen=True)
class Naming:
    """Names for the leaves of one structure.

    Parameters
    ----------
    names
        One name for each leaf, in order.
    terms
        Which leaves add up to a ``loss`` that the network did not return itself;
        empty when there is nothing to add.
    problem
        What the user should know about ``parts``; empty when they fit.
    """

    names: tuple[str, ...]
    terms: tuple[int, ...] = ()
    problem: str = ""


class Sum:
    """The sum of some tensors, read as late as they are."""

    def __init__(self, terms: Sequence[object]) -> None:
        self._terms = terms

    def asnumpy(self) -> float:
        """Read every term; raises when one of them is no single number."""
        return sum(to_float(term) for term in self._terms)


class OutputNamer:
    """Names outputs step after step; a structure seen before costs a look-up.

    Parameters
    ----------
    parts
        Names for the elements of a tuple or list, see `name_paths`.
    """

    def __init__(self, parts: Sequence[str] | None = None) -> None:
        self._parts = parts
        self._known: dict[tuple[Path, ...], Naming] = {}

    def naming(self, outputs: object) -> Naming:
        """Return the names of this structure."""
        return self._of(tuple(path for path, _ in leaves(outputs)))

    def __call__(self, outputs: object) -> dict[str, object]:
        """Return the values of ``outputs`` by name, unread."""
        found = tuple(leaves(outputs))
        naming = self._of(tuple(path for path, _ in found))
        values = dict(zip(naming.names, (leaf for _, leaf in found), strict=True))
        if naming.terms:
            values["loss"] = Sum([found[index][1] for index in naming.terms])
        return values

    def _of(self, paths: tuple[Path, ...]) -> Naming:
        naming = self._known.get(paths)
        if naming is None:
            naming = self._known[paths] = name_paths(paths, self._parts)
        return naming


def leaves(outputs: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Yield every value with its path of dict keys and positions."""
    if isinstance(outputs, dict):
        for key, inner in outputs.items():
            yield from leaves(inner, (*path, str(key)))
    elif isinstance(outputs, tuple | list):
        for position, inner in enumerate(outputs):
            yield from leaves(inner, (*path, position))
    else:
        yield path, outputs


def name_paths(paths: Sequence[Path], parts: Sequence[str] | None) -> Naming:
    """Decide the metric name of each path.

    Dict keys give the names. Of a tuple of n, ``parts`` names either all but the
    first, which is the loss, or all of them; without ``parts`` they are numbered.
    A loss that is not among the names is the sum of its parts: that is what
    MindSpore's ``TrainOneStepCell`` optimises when a network returns several.
    """
    count = _tuple_length(paths)
    problem = ""
    if count == 1 and not parts:
        parts = ()
    elif parts is not None and len(parts) not in {count, count - 1}:
        problem = _mismatch(count, parts)
        parts = None
    if count and parts is not None:
        heads = ("loss", *parts) if len(parts) == count - 1 else tuple(parts)
        paths = [(heads[_position(path) or 0], *path[1:]) for path in paths]
    names = _distinct([_name(path) for path in paths])
    terms = () if "loss" in names else _terms(names)
    return Naming(names, terms, problem)


def _tuple_length(paths: Sequence[Path]) -> int:
    """Return how many elements a tuple has; 0 for a dict or a single value."""
    positions = [_position(path) for path in paths]
    return max((at + 1 for at in positions if at is not None), default=0)


def _position(path: Path) -> int | None:
    """Return which element of a tuple a path starts with; None when not a tuple."""
    return path[0] if path and isinstance(path[0], int) else None


def _name(path: Path) -> str:
    name = "/".join(map(str, path)) or "loss"
    return f"loss/{name}" if describe(name).pattern == "*" else name


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Keep both values when two paths share a name: ``{"a": x, "loss/a": y}``."""
    seen: list[str] = []
    for name in names:
        free = name
        while free in seen:
            free += "'"
        seen.append(free)
    return tuple(seen)


def _terms(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(i for i, name in enumerate(names) if name.startswith("loss/"))


def _mismatch(count: int, parts: Sequence[str]) -> str:
    found = f"{count} values" if count else "no tuple"
    return (
        f"parts names {len(parts)} values ({', '.join(parts)}) but the train step "
        f"returned {found}: it must name all, or all but the first, which is the loss"
    )
