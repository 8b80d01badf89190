"""What a page asks of a training, checked before anything is done about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from mswidget.widget.protocol import Up

_LARGEST = 2.0**60
_MOST = 1000
_METRICS = 2000
_POINTS = 2500
_LEVELS = 64
_STEPS = 10**9


class RefusedError(ValueError):
    """Says in one sentence what is wrong with a request."""


@dataclass(frozen=True)
class _Field:
    expected: str
    fits: Callable[[object], bool]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _are_few_names(value: object) -> bool:
    return _are_names(value) and len(cast("list[str]", value)) <= _MOST


def _is_number(value: object) -> bool:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and -_LARGEST <= cast("float", value) <= _LARGEST


def _is_end(value: object) -> bool:
    return value is None or _is_number(value)


def _is_whole(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _is_weight(value: object) -> bool:
    return _is_number(value) and 0 <= cast("float", value) < 1


def _are_wants(value: object) -> bool:
    if (
        not isinstance(value, list)
        or len(value) > _MOST
        or not all(map(_is_want, value))
    ):
        return False
    return sum(len(want["metrics"]) for want in value) <= _METRICS


def _is_want(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    if not all(field.fits(value.get(name)) for name, field in _WANT.items()):
        return False
    begin, end = value.get("begin"), value.get("end")
    return begin is None or end is None or begin <= end


_TEXT = _Field("text", _is_text)
_NAMES = _Field("a list of names", _are_names)
_WANT: Mapping[str, _Field] = {
    "track": _TEXT,
    "metrics": _NAMES,
    "key": _Field("a key", ("step", "time", "epoch").__contains__),
    "begin": _Field("a key or None", _is_end),
    "end": _Field("a key or None", _is_end),
    "level": _Field("a level", lambda value: _is_whole(value, -_LEVELS, _LEVELS)),
    "points": _Field("a count", lambda value: _is_whole(value, 1, _POINTS)),
    "weight": _Field("a weight", _is_weight),
}
_FIELDS: Mapping[str, Mapping[str, _Field]] = {
    "ask_view": {
        "page": _TEXT,
        "after": _TEXT,
        "wants": _Field("a list of what is wanted (see `protocol.Want`)", _are_wants),
        "track": _TEXT,
        "summaries": _Field(f"a list of at most {_MOST:,} names", _are_few_names),
    },
    "ask_head": {},
    "ask_stop": {},
    "ask_save": {},
    "ask_log_interval": {
        "steps": _Field(
            f"a whole number from 1 to {_STEPS:,}",
            lambda value: _is_whole(value, 1, _STEPS),
        )
    },
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
