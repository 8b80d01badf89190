"""Names for the values of a structure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mswidget.metrics import describe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Path = tuple[str | int, ...]
"""Dict keys (text) and positions (int) that lead to one value."""

LOSS_SCALE = ("loss", "overflow", "loss_scale")
LAYOUTS: Mapping[str, Sequence[str]] = {
    "loss_scale": LOSS_SCALE,
    # Then the local norms and sizes of the gradients' groups: no curves.
    "mindformers": (*LOSS_SCALE, "lr", "grad_norm"),
}
"""What known train steps return, first element first; see `layout`."""
_MINDFORMERS_COUNTS = {0, 3, 4, 5, 7}


@dataclass(frozen=True)
class Naming:
    """Names for the leaves of one structure.

    Parameters
    ----------
    names
        One name for each leaf, in order; empty for one that is left out.
    terms
        Which leaves add up to a ``loss`` that the network did not return itself;
        empty when there is nothing to add.
    problem
        What the user should know about the names he gave; empty when they fit.
    """

    names: tuple[str, ...]
    terms: tuple[int, ...] = ()
    problem: str = ""


def name_paths(paths: Sequence[Path], parts: Sequence[str] | None) -> Naming:
    """Decide the metric name of each path.

    Dict keys give the names. Of a tuple of n, ``parts`` names either all but the
    first, which is the loss, or all of them; without ``parts`` they are numbered.
    A loss that is not among the names is the sum of its parts: that is what
    MindSpore's ``TrainOneStepCell`` optimises when a network returns several.
    """
    count = tuple_length(paths)
    problem = ""
    if count == 1 and not parts:
        parts = ()
    elif parts is not None and len(parts) not in {count, count - 1}:
        problem = _mismatch("parts", count, parts)
        problem += ", or all but the first, which is the loss"
        parts = None
    if count and parts is not None:
        heads = ("loss", *parts) if len(parts) == count - 1 else tuple(parts)
        paths = [(heads[_position(path) or 0], *path[1:]) for path in paths]
    names = _distinct([_name(path) for path in paths])
    terms = () if "loss" in names else _terms(names)
    return Naming(names, terms, problem)


def name_all(paths: Sequence[Path], outputs: Sequence[str] | str) -> Naming:
    """Take one name for each element, kept as it is; an empty one leaves it out.

    Parameters
    ----------
    outputs
        The names, or which of `LAYOUTS` it is.
    """
    count = tuple_length(paths)
    heads = layout(outputs, count) if isinstance(outputs, str) else outputs
    if len(heads) != max(count, 1):
        numbered = name_paths(paths, None)
        problem = _mismatch("outputs", count, heads)
        return Naming(numbered.names, numbered.terms, problem)
    full = [(heads[_position(path) or 0], *path[1:]) for path in paths]
    return Naming(_distinct(["/".join(map(str, p)) if p[0] else "" for p in full]))


def layout(kind: str, count: int) -> Sequence[str]:
    """Return the names of a known train step's tuple; empty for what is no curve."""
    names = LAYOUTS[kind]
    if kind == "mindformers" and count not in _MINDFORMERS_COUNTS:
        names = names[:1]
    return [*names, *[""] * count][: max(count, 1)]


def tells_rate(kind: str, outputs: object) -> bool:
    """Say whether a known train step returns the rate that it used."""
    count = len(outputs) if isinstance(outputs, tuple | list) else 0
    return has_flag(outputs) and "lr" in layout(kind, count)


def has_flag(outputs: object) -> bool:
    """Say whether the second value is a flag, as in each of `LAYOUTS`."""
    if not isinstance(outputs, tuple | list) or len(outputs) < len(LOSS_SCALE):
        return False
    return is_flag(outputs[1])


def is_flag(value: object) -> bool:
    """Say whether a value is true or false, unread: it is no loss."""
    kind = getattr(value, "dtype", type(value).__name__)
    return str(kind).lower().startswith("bool")


def tuple_length(paths: Sequence[Path]) -> int:
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
        while free and free in seen:
            free += "'"
        seen.append(free)
    return tuple(seen)


def _terms(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(i for i, name in enumerate(names) if name.startswith("loss/"))


def _mismatch(option: str, count: int, names: Sequence[str]) -> str:
    returned = f"{count} values" if count else "no tuple"
    return (
        f"{option} names {len(names)} values ({', '.join(names)}) but the train step "
        f"returned {returned}: it must name all of them"
    )
