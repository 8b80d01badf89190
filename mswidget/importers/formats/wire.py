"""The fields of a protobuf message, without its schema."""

from __future__ import annotations

import struct
from collections.abc import Iterator

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5

Value = int | bytes
"""A number, or bytes: text, a message, packed numbers, or a number of fixed size."""


def fields(message: bytes) -> Iterator[tuple[int, Value]]:
    """Yield the number and the value of each field.

    Raises
    ------
    ValueError
        When the bytes are no message.
    """
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        value, at = _value(message, at, key & 7)
        yield key >> 3, value


def _value(message: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == _VARINT:
        return _varint(message, at)
    if kind == _BYTES:
        size, at = _varint(message, at)
    elif kind in (_FIXED64, _FIXED32):
        size = 8 if kind == _FIXED64 else 4
    else:
        raise ValueError(f"no protobuf: a field of kind {kind}")
    if at + size > len(message):
        raise ValueError("no protobuf: a field is longer than its message")
    return message[at : at + size], at + size


def _varint(message: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while at < len(message) and shift < 64:  # noqa: PLR2004 - bits
        byte = message[at]
        number |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:  # noqa: PLR2004 - the last byte of a number
            return number, at
        shift += 7
    raise ValueError("no protobuf: a number without end")


def double(value: Value) -> float:
    """Return a ``double`` or ``float``.

    Raises
    ------
    ValueError
        When it is neither.
    """
    if isinstance(value, bytes) and len(value) in (4, 8):
        number: float = struct.unpack("<d" if len(value) == 8 else "<f", value)[0]  # noqa: PLR2004 - bytes
        return number
    raise ValueError("no protobuf: a real number of another size")


def integer(value: Value) -> int:
    """Return an ``int64``.

    Raises
    ------
    ValueError
        When it is none.
    """
    if isinstance(value, bytes):
        raise ValueError("no protobuf: bytes for an integer")  # noqa: TRY004 - as above
    return value - 2**64 if value >= 2**63 else value


def text(value: Value) -> str:
    """Return a ``string``.

    Raises
    ------
    ValueError
        When it is none.
    """
    return message(value).decode(errors="replace")


def message(value: Value) -> bytes:
    """Return the bytes of a message within another.

    Raises
    ------
    ValueError
        When it is none.
    """
    if isinstance(value, bytes):
        return value
    raise ValueError("no protobuf: a number in place of a message")
