"""Event files, as TensorBoard and MindSpore frame them: size, checksum, event."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from mswidget.importers.formats import wire
from mswidget.importers.formats.found import Found, Note

_HEAD = 12
_TAIL = 4
_POLYNOMIAL = 0x82F63B78


@dataclass(frozen=True)
class FileEvent:
    """An event: its step, and the messages of its summary's values."""

    step: int
    wall_time_s: float
    values: tuple[bytes, ...]


class EventFile:
    """Reads blocks of an event file; half an event waits for its rest.

    Only the checksum of the sizes is looked at: that of the events would take longer
    in Python than all else, and what is no event is found anyway.

    Parameters
    ----------
    read_event
        What one event says.
    """

    def __init__(self, read_event: Callable[[FileEvent], Iterable[Found]]) -> None:
        self._read_event = read_event

    def __call__(self, block: bytes) -> tuple[int, Iterator[Found | None]]:
        """Read the whole events of a block; returns their size, and what they say."""
        messages, used = _split(block)
        return used, self._items(messages, damaged=used > 0 and not messages)

    def _items(self, messages: list[bytes], *, damaged: bool) -> Iterator[Found | None]:
        if damaged:
            yield Note("the file is damaged: what follows the damage is left out")
        for message in messages:
            yield from self._read(message)

    def _read(self, message: bytes) -> list[Found] | list[None]:
        try:
            return list(self._read_event(_event(message)))
        except ValueError:
            return [None]


def version_of(sample: bytes) -> str:
    """Return the version that the first event of a file says; empty without one."""
    messages, _ = _split(sample)
    try:
        fields = dict(wire.fields(messages[0]))
        return wire.text(fields.get(3, b""))
    except (IndexError, ValueError):
        return ""


def _split(block: bytes) -> tuple[list[bytes], int]:
    """Return whole events and their size; all of a block that begins with none."""
    messages: list[bytes] = []
    at = 0
    while at + _HEAD <= len(block):
        size, check = struct.unpack_from("<QI", block, at)
        if check != _masked_crc(block[at : at + 8]):
            return messages, at or len(block)
        end = at + _HEAD + size
        if end + _TAIL > len(block):
            break
        messages.append(block[at + _HEAD : end])
        at = end + _TAIL
    return messages, at


def _event(message: bytes) -> FileEvent:
    step, time_s = 0, 0.0
    values: list[bytes] = []
    for number, value in wire.fields(message):
        if number == 1:
            time_s = wire.double(value)
        elif number == 2:  # noqa: PLR2004 - the field of the step
            step = wire.integer(value)
        elif number == 5:  # noqa: PLR2004 - the field of the summary
            inside = wire.fields(wire.message(value))
            values += [wire.message(v) for n, v in inside if n == 1]
    return FileEvent(step, time_s, tuple(values))


def _crc_table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ (_POLYNOMIAL if crc & 1 else 0)
        table.append(crc)
    return table


_TABLE = _crc_table()


def _masked_crc(data: bytes) -> int:
    """Return the CRC-32C, turned and shifted as TFRecord files do."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF
