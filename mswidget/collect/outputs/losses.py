"""What a train step returned, whatever its shape, as named values.

A tensor is anything that has ``asnumpy``; nothing here reads one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mswidget.collect.outputs.derived import (
    MAX_VALUES,
    Element,
    Mean,
    Sum,
    count_values,
)
from mswidget.collect.outputs.naming import (
    Naming,
    Path,
    is_flag,
    name_all,
    name_paths,
    tuple_length,
)
from mswidget.drawing.names import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


_NESTED = (tuple, list, dict)
_SINGLE: tuple[Path, ...] = ((),)
_ONE, _SEVERAL, _TOO_MANY = range(3)
_Form = tuple[tuple[Path, ...], tuple[int, ...]]
"""The path of every value, and of how many numbers each is."""


def _nothing(outputs: object, explained: Sequence[str]) -> None:
    """Tell nobody."""


class OutputNamer:
    """Names outputs step after step; a form seen before costs a look-up.

    Parameters
    ----------
    parts
        Names for the elements of a tuple, list or vector, see `name_paths`.
    outputs
        Names for all elements instead, or which known layout it is, see `name_all`.
    on_form
        Is given the first outputs of each form, and what `explain` says of them.
    summed
        Whether the train step is known to optimise the sum of what it returns.
    """

    def __init__(
        self,
        parts: Sequence[str] | None = None,
        outputs: Sequence[str] | str | None = None,
        on_form: Callable[[object, Sequence[str]], None] = _nothing,
        *,
        summed: bool = False,
    ) -> None:
        self._parts = parts
        self._outputs = outputs
        names = parts if outputs is None else outputs
        self._element_names = None if isinstance(names, str) else names
        self._on_form = on_form
        self._summed = summed
        # Of a lone scalar while such come, as of most steps: it has a short way.
        self._single = ""
        self._known: dict[_Form, Naming] = {}

    def naming(self, outputs: object) -> Naming:
        """Return the names of this structure."""
        paths, values = _flat(self._unstacked(outputs))
        return self._name(paths, values)

    def explain(self, outputs: object) -> list[str]:
        """Return what the user should know about where the values come from."""
        naming = self.naming(outputs)
        paths, values = _flat(self._unstacked(outputs))
        counts = [count_values(value) or 1 for value in values]
        known = self._summed or not self._is_unnamed(paths, naming)
        texts = [naming.problem, _sum(naming) if known else _doubt(naming)]
        texts += map(_many, naming.names, counts)
        return [text for text in texts if text]

    def __call__(self, outputs: object) -> dict[str, object]:
        """Return the values of ``outputs`` by name, unread."""
        single = not isinstance(outputs, _NESTED) and count_values(outputs) is None
        if single and self._single:
            return {self._single: outputs}
        return self._named(outputs)

    def _named(self, outputs: object) -> dict[str, object]:
        paths, returned = _flat(self._unstacked(outputs))
        counts = [count_values(value) for value in returned]
        form = (paths, tuple(map(_how_many, counts)))
        naming = self._known.get(form) or self._meet(form, outputs, returned)
        values = {}
        for name, leaf, count in zip(naming.names, returned, counts, strict=True):
            if name and (count is None or count <= MAX_VALUES):
                values[name] = leaf if count is None else Mean(leaf)
        may_be_none = isinstance(self._outputs, str)
        if may_be_none:  # MindFormers may compute no norm
            values = {name: v for name, v in values.items() if v is not None}
        if naming.terms:
            terms = [naming.names[index] for index in naming.terms]
            values["loss"] = Sum([values[name] for name in terms if name in values])
        lone = paths == _SINGLE and counts == [None]
        self._single = naming.names[0] if lone and not may_be_none else ""
        return values

    def _meet(self, form: _Form, outputs: object, returned: Sequence[object]) -> Naming:
        naming = self._known[form] = self._name(form[0], returned)
        self._on_form(outputs, self.explain(outputs))
        return naming

    def _name(self, paths: tuple[Path, ...], values: Sequence[object]) -> Naming:
        if self._outputs is None:
            naming = name_paths(paths, self._parts)
        else:
            naming = name_all(paths, self._outputs)
        if self._is_unnamed(paths, naming) and any(map(is_flag, values)):
            return replace(naming, terms=())  # they are not all losses
        return naming

    def _is_unnamed(self, paths: tuple[Path, ...], naming: Naming) -> bool:
        """Say whether values of a tuple are only numbered."""
        named = self._element_names is not None or isinstance(self._outputs, str)
        return tuple_length(paths) > 1 and (bool(naming.problem) or not named)

    def _unstacked(self, outputs: object) -> object:
        """Take a vector for a tuple when its elements have names."""
        names = self._element_names
        if not names or isinstance(outputs, _NESTED):
            return outputs
        shape: tuple[int, ...] = getattr(outputs, "shape", ())
        lengths = {len(names), len(names) + (self._outputs is None)}
        if len(shape) == 1 and shape[0] > 1 and shape[0] in lengths:
            return [Element(outputs, index) for index in range(shape[0])]
        return outputs


def _how_many(count: int | None) -> int:
    if count is None or count == 1:
        return _ONE
    return _SEVERAL if count <= MAX_VALUES else _TOO_MANY


def _flat(outputs: object) -> tuple[tuple[Path, ...], Sequence[object]]:
    """Return the path of every value, and the values."""
    if not isinstance(outputs, _NESTED):
        return _SINGLE, (outputs,)
    pairs = list(leaves(outputs))
    return tuple(path for path, _ in pairs), [leaf for _, leaf in pairs]


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


def structure(outputs: object) -> str:
    """Return the form of ``outputs`` in words, for the record.

    Examples
    --------
    >>> structure({"loss": Tensor(0.5), "parts": (Tensor(0.25), 1)})
    "{'loss': Float32[], 'parts': (Float32[], int)}"
    """
    if isinstance(outputs, dict):
        inner = (f"{str(key)!r}: {structure(value)}" for key, value in outputs.items())
        return "{" + ", ".join(inner) + "}"
    if isinstance(outputs, tuple | list):
        open_, close = "()" if isinstance(outputs, tuple) else "[]"
        return open_ + ", ".join(map(structure, outputs)) + close
    shape = getattr(outputs, "shape", None)
    if shape is None:
        return type(outputs).__name__
    return f"{getattr(outputs, 'dtype', '')}{list(shape)}"


def _sum(naming: Naming) -> str:
    if not naming.terms or len(naming.names) == 1:
        return ""
    terms = " + ".join(visible(naming.names[index]) for index in naming.terms)
    return f"loss is derived: {terms}; the train step returned no loss"


def _doubt(naming: Naming) -> str:
    many = f"the train step returned {len(naming.names)} values without names"
    advice = "parts= or outputs= of TrainMonitor names them"
    if not naming.terms:
        return f"no loss is shown: {many}, and one is a flag; {advice}"
    terms = " + ".join(naming.names[index] for index in naming.terms)
    return f"loss is doubtful: {many}, and it is their sum, {terms}; {advice}"


def _many(name: str, count: int) -> str:
    if not name or count == 1:
        return ""
    shown = visible(name)
    if count > MAX_VALUES:
        return f"{shown} has {count:,} values: too many for a curve, so it is left out"
    return f"{shown} is derived: the mean of the {count:,} values that were returned"
