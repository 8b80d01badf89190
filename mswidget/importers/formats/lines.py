"""Text logs, line by line, without what terminals and launchers add to lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from functools import lru_cache, partial
from pathlib import Path

from mswidget.importers.formats.found import (
    Format,
    Found,
    Happening,
    Note,
    Number,
    Point,
    ReadLine,
    Unread,
)

NUMBER = r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?|[nN]a[nN]|[iI]nf(?:inity)?)"
LOCAL_TIMES = Note("its times have no zone: they are read as this machine's local time")
LONGEST_LINE = 2**22
"""A line of more bytes is none of a log: it is passed over."""
_TOO_LONG = Note(f"lines of more than {LONGEST_LINE // 2**20} MiB are passed over")
_SPLIT = re.compile(rb"[\r\n]+")
_ANSI = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])"
)
# torchrun --tee, mpirun --tag-output, launchers' own, and files as tail or grep names
# them. srun's "3: " looks like a line number of grep.
_RANK = re.compile(
    r"\s*(?:\[(?:default|rank)(\d+)\]:|\[\d+,(\d+)\]<std(?:out|err)>:"
    r"|\[Rank (\d+) \| Local Rank \d+\]:?"
    r"|(?:[\w./-]*/)?(?:train_parallel|device_?|rank_)(\d+)/[\w.-]+:)"
)
_TIME = re.compile(
    r"(\d{4}[-/]\d\d[-/]\d\d[ T-]\d\d:\d\d:\d\d)(?:[.,](\d{1,6}))?"
    r"(?:\.\d+)? ?(Z\b|UTC\b|[-+]\d\d:?\d\d\b)?"
)
_LOSS = re.compile(r"(?<![a-z])[Ll]oss[\w']{0,20}\W{0,6}(?:is\b|value\b)?\W{1,6}\d")
_DIGITS = re.compile(r"\d+")
_VALUE = re.compile(NUMBER)


class LogLines:
    """Reads blocks of a text log.

    A line ends with a line feed or, as a progress bar's, with a carriage return;
    half a line waits for its rest.

    Parameters
    ----------
    read_line
        What one clean line says; the time and the rank of the line are added.
    """

    def __init__(self, read_line: ReadLine) -> None:
        self._read_line = read_line
        self._wide: str | None = None
        self._in_long_line = False

    def __call__(self, block: bytes) -> tuple[int, Iterator[Found | None]]:
        """Read the whole lines of a block; returns their size, and what they say."""
        if self._wide is None:
            self._wide = wide_encoding(block)
        used = _whole_lines(block, self._wide)
        if not used and len(block) >= LONGEST_LINE:
            self._in_long_line = True
            return len(block) // 2 * 2, iter((_TOO_LONG,))
        lines = block[:used]
        if self._wide:
            lines = lines.decode(self._wide, errors="replace").encode()
        return used, self._items(lines)

    def _items(self, text: bytes) -> Iterator[Found | None]:
        lines = iter(_SPLIT.split(text))
        if self._in_long_line and text:
            self._in_long_line = False
            next(lines)
        for raw in lines:
            line, rank = _clean(_text(raw))
            items = self._read_line(line)
            if items is None and line and not line.isspace():
                yield Unread(line) if has_loss(line) else None
            for item in items or ():
                yield from _stamped(item, line, rank)


def wide_encoding(begin: bytes) -> str:
    """Return the encoding of a text of two bytes a character, as `>` of PowerShell.

    Empty for any other text.
    """
    if len(begin) < 4:  # noqa: PLR2004 - two characters
        return ""
    if begin[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16-le" if begin[0] == 0xFF else "utf-16-be"  # noqa: PLR2004
    zeros = "".join("0" if byte == 0 else "x" for byte in begin[:4])
    return {"x0x0": "utf-16-le", "0x0x": "utf-16-be"}.get(zeros, "")


def _whole_lines(block: bytes, wide: str) -> int:
    """Return how many bytes of a block are whole lines."""
    if not wide:
        return max(block.rfind(b"\n"), block.rfind(b"\r")) + 1
    text = block[: len(block) // 2 * 2].decode(wide, errors="replace")
    rest = text[max(text.rfind("\n"), text.rfind("\r")) + 1 :]
    used = len(block) // 2 * 2 - len(rest.encode(wide, errors="replace"))
    return used if len(rest) < len(text) else 0


def _text(raw: bytes) -> str:
    """Return a line as text: UTF-8, else what Chinese Windows writes."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("gb18030", errors="replace")


def has_loss(line: str) -> bool:
    """Say whether a line looks as if it tells a loss: the word, and a number by it."""
    return "oss" in line and _LOSS.search(line) is not None


def first_with_loss(sample: bytes) -> str:
    """Return the first line of a text that looks as if it tells a loss, or nothing."""
    wide = wide_encoding(sample)
    text = sample.decode(wide, errors="replace").encode() if wide else sample
    lines = (_clean(_text(raw))[0] for raw in _SPLIT.split(text))
    return next((line.strip() for line in lines if has_loss(line)), "")


def _clean(text: str) -> tuple[str, int | None]:
    line = _ANSI.sub("", text) if "\x1b" in text else text
    marked = _RANK.match(line)
    if marked is None:
        return line, None
    return line[marked.end() :], _whole(marked[marked.lastindex or 0])


def _stamped(item: Found, line: str, rank: int | None) -> Iterator[Found]:
    if not isinstance(item, Point | Happening):
        yield item
        return
    time_s = item.wall_time_s
    if time_s is None:
        time_s, has_zone = time_of(line)
        if time_s is not None and not has_zone:
            yield LOCAL_TIMES
    rank = rank if item.rank is None else item.rank
    yield replace(item, wall_time_s=time_s, rank=rank)


def format_of(name: str, describes: str, parser: Callable[[], ReadLine]) -> Format:
    """Return the format of text logs in which a parser finds values."""
    return Format(
        name,
        describes,
        sniff=partial(_sniff, parser),
        read=lambda: LogLines(parser()),
    )


def _sniff(parser: Callable[[], ReadLine], sample: bytes, _path: Path) -> bool:
    _, items = LogLines(parser())(sample)
    return any(isinstance(item, Point) for item in items)


def number(text: str) -> Number | None:
    """Return the number at the begin of a text: ``454ms``, ``[1e-06]``, ``False``."""
    text = text.strip().lstrip("[(").lstrip()
    if text in ("True", "False"):
        return Number(int(text == "True"))
    match = _VALUE.match(text)
    return Number(match[0]) if match else None


def numbers(texts: dict[str, str]) -> dict[str, float | Number]:
    """Return what of some texts is a number."""
    values = ((name, number(text)) for name, text in texts.items())
    return {name: value for name, value in values if value is not None}


def _whole(text: str) -> int | None:
    return int(text) if len(text) < 10 else None  # noqa: PLR2004 - more is no rank


def time_of(text: str) -> tuple[float | None, bool]:
    """Return the Unix time in a line, and whether the line says its zone."""
    match = _TIME.search(text)
    if match is None:
        return None, False
    date, fraction, zone = match.groups()
    whole_s = _seconds(date, zone)
    if whole_s is None:
        return None, False
    return whole_s + float(f"0.{fraction or 0}"), bool(zone)


@lru_cache(1024)
def _seconds(date: str, zone: str | None) -> float | None:
    """Return the Unix time of a date to the second; many lines are of one second."""
    try:
        parts = (int(text) for text in _DIGITS.findall(date))
        return datetime(*parts, tzinfo=_zone(zone)).timestamp()  # type: ignore[misc,arg-type]
    except (ValueError, OverflowError, OSError):
        return None


def _zone(text: str | None) -> timezone | None:
    if not text:
        return None
    if text[0] not in "+-":
        return timezone.utc
    offset = timedelta(hours=int(text[1:3]), minutes=int(text[-2:]))
    return timezone(-offset if text[0] == "-" else offset)
