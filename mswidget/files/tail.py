"""The end of a rank's file: where its last attempt stopped, and who writes it."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from mswidget.files.process import EVENT, Process
from mswidget.files.writer import catch_up
from mswidget.records.record import Event, Record, from_line

_BLOCK = 65536
_LOOKED_AT = 2**20


def last_attempt(path: Path) -> tuple[int, int]:
    """Return the number of a file's last attempt, and the last step that was logged.

    Both are 0 when nothing was. It reads no more of the file than it needs.
    """
    attempt = 0
    for item in newest_first(path):
        attempt = attempt or attempt_number(item.attempt)
        if isinstance(item, Record):
            return attempt, max(0, item.step)
    return attempt, 0


def newest_first(path: Path) -> Iterator[Record | Event]:
    """Yield what a file holds, from its end on; nothing when there is no file."""
    catch_up(path)
    with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
        lines = _backwards(file)
        next(lines)  # after the last line end: nothing, or half a line
        for line in lines:
            with contextlib.suppress(ValueError):
                yield from_line(line.decode(errors="replace"))


def writing_process(path: Path) -> Process | None:
    """Return the process that writes a file's last attempt; None if none is found.

    Only the first and the last megabyte are looked at, as it is named once an attempt.
    """
    last = next(newest_first(path), None)
    for event in _processes(path):
        if last and event.attempt == last.attempt:
            return Process.told(event.fields)
    return None


def _processes(path: Path) -> Iterator[Event]:
    """Yield the lines that name a process, from the end on."""
    for line in reversed(_first_and_last(path).splitlines()):
        if f'"{EVENT}"'.encode() in line:
            with contextlib.suppress(ValueError):
                item = from_line(line.decode(errors="replace"))
                if isinstance(item, Event) and item.name == EVENT:
                    yield item


def _first_and_last(path: Path) -> bytes:
    with path.open("rb") as file:
        first = file.read(_LOOKED_AT)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(len(first), size - _LOOKED_AT))
        return first + file.read()


def attempt_number(attempt: str) -> int:
    """Return the number of an attempt; 1 for a name that is not ours."""
    number = re.fullmatch(r"a(\d+)", attempt)
    return int(number[1]) if number else 1


def _backwards(file: BinaryIO) -> Iterator[bytes]:
    end, rest = file.seek(0, os.SEEK_END), b""
    while end:
        start = max(0, end - _BLOCK)
        file.seek(start)
        rest, *lines = (file.read(end - start) + rest).split(b"\n")
        yield from reversed(lines)
        end = start
    yield rest
