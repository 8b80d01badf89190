"""What a page asks of a training, checked before anything is done about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from mswidget.widget.protocol import Up

_LARGEST = 2**53
"""A page counts exactly up to here."""


class RefusedError(ValueError):
    """Says in one sentence what is wrong with a request."""


@dataclass(frozen=True)
class _Field:
    expected: str
    fits: Callable[[object], bool]


def _is_number(value: object) -> bool:
    return type(value) is int and abs(value) <= _LARGEST


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


_NUMBER = _Field("a whole number", _is_number)
_NAMES = _Field("a list of names", _are_names)
_FIELDS: Mapping[str, Mapping[str, _Field]] = {
    "ask_rows": {"start": _NUMBER, "stop": _NUMBER},
    "ask_stop": {},
    "ask_tracks": {"shown": _NAMES},
}


def id_of(content: object) -> str:
    """Return the id under which a request wants its answer; empty without one."""
    return str(content.get("id", "")) if isinstance(content, dict) else ""


def request_of(content: object) -> Up:
    """Return what is asked.

    Raises
    ------
    RefusedError
        When it is nothing that a page may ask.
    """
    if not isinstance(content, dict):
        raise RefusedError(f"expected a request; found {type(content).__name__}")
    kind = content.get("kind")
    fields = _FIELDS.get(kind) if isinstance(kind, str) else None
    if fields is None:
        known = ", ".join(_FIELDS)
        raise RefusedError(f"unknown request {_short(kind)}; known are {known}")
    for name, field in fields.items():
        if not field.fits(content.get(name)):
            found = _short(content.get(name))
            raise RefusedError(
                f"{kind}: {name} must be {field.expected}; found {found}"
            )
    return cast("Up", {**content, "id": id_of(content)})


def _short(value: Any) -> str:  # noqa: ANN401 - whatever a page sent
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004
