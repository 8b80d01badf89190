"""Parameters by layer: a name such as ``encoder.0.dense.weight`` says which.

The layer is the name without its last component, here ``encoder.0.dense``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from mswidget.records.parameters import layer_of

Groups = dict[str, tuple[int, ...]]
"""Name of a group to the indices of its parameters."""

MOST_GROUPS = 32


def group(names: Sequence[str], layers: int | Sequence[str] | None) -> Groups:
    """Put parameters into groups.

    Parameters
    ----------
    names
        Of the parameters, in order.
    layers
        How many leading components of a layer's name make a group, 0 for no groups;
        or shell patterns on parameter names, each a group of all that match it;
        or None for the finest depth that makes 2 to `MOST_GROUPS` groups, if any.

    Raises
    ------
    ValueError
        When a pattern matches no name, or ``layers`` is none of these.
    """
    if layers is None:
        return _finest(names)
    if isinstance(layers, int) and not isinstance(layers, bool) and layers >= 0:
        return _by_depth(names, layers)
    if isinstance(layers, str):
        layers = [layers]
    if isinstance(layers, Sequence):
        return {pattern: _matching(names, pattern) for pattern in layers}
    raise ValueError(
        f"layers={layers!r}: expected a depth such as 2, patterns of parameter names "
        "such as ['*.attention.*', '*.mlp.*'], 0 for none, or None"
    )


def _finest(names: Sequence[str]) -> Groups:
    depth = max((layer_of(name).count(".") + 1 for name in names), default=0)
    every = (_by_depth(names, at) for at in range(depth, 0, -1))
    groups = next((groups for groups in every if len(groups) <= MOST_GROUPS), {})
    # The norm of a single group is that of all.
    return groups if len(groups) > 1 else {}


def _by_depth(names: Sequence[str], depth: int) -> Groups:
    groups: dict[str, list[int]] = {}
    for index, name in enumerate(names if depth else ()):
        layer = ".".join(layer_of(name).split(".")[:depth])
        groups.setdefault(layer, []).append(index)
    return {layer: tuple(indices) for layer, indices in groups.items()}


def _matching(names: Sequence[str], pattern: str) -> tuple[int, ...]:
    indices = tuple(i for i, name in enumerate(names) if fnmatchcase(name, pattern))
    if not indices:
        raise ValueError(
            f"layers: {pattern!r} matches none of the parameters, which are "
            f"{', '.join(names[:20])}{', ...' if len(names) > 20 else ''}"  # noqa: PLR2004
        )
    return indices
