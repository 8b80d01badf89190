"""Prints ``js/src/protocol.d.ts`` from the protocols of a training and a profile."""

from __future__ import annotations

import sys
import types
from typing import Any, Literal, Union, get_args, get_origin

from typing_extensions import (
    NotRequired,
    get_type_hints,
    is_typeddict,
)

from mswidget.widget import profile_protocol, protocol

COMMAND = "python -m mswidget.widget.typescript > js/src/protocol.d.ts"

_PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    bytes: "DataView",
    type(None): "null",
}


def declarations() -> str:
    """Return the whole text of ``protocol.d.ts``."""
    declared = [
        _declare(name, value)
        for part in (protocol, profile_protocol)
        for name, value in vars(part).items()
        if is_typeddict(value) or _is_alias(value)
    ]
    header = f"// Made by `{COMMAND}`; do not edit.\n"
    return "\n".join([header, *declared])


def _is_alias(value: object) -> bool:
    return get_origin(value) in {Literal, Union, types.UnionType}


def _declare(name: str, value: object) -> str:
    if not is_typeddict(value):
        return f"export type {name} = {_typescript(value)};\n"
    hints = get_type_hints(value, include_extras=True)
    fields = "".join(f"\t{_field(key, hint)};\n" for key, hint in hints.items())
    return f"export type {name} = {{\n{fields}}};\n"


def _field(key: str, hint: Any) -> str:  # noqa: ANN401 - a type hint of any form
    if get_origin(hint) is NotRequired:
        return f"{key}?: {_typescript(get_args(hint)[0])}"
    return f"{key}: {_typescript(hint)}"


def _typescript(hint: Any) -> str:  # noqa: ANN401 - a type hint of any form
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if _is_alias(hint):
        return " | ".join(_typescript(part) for part in arguments)
    if origin is list:
        of = _typescript(arguments[0])
        return f"({of})[]" if " | " in of else f"{of}[]"
    if origin is tuple:
        return f"[{', '.join(map(_typescript, arguments))}]"
    if origin is dict:
        return f"Record<{', '.join(map(_typescript, arguments))}>"
    return _PLAIN.get(hint) or str(hint.__name__)


if __name__ == "__main__":
    sys.stdout.write(declarations())
