"""What a table of the profiler looks like: headers, kinds of cell, units."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Literal

Kind = Literal["time", "number", "integer", "text", "device", "rank"]
Form = Literal[
    "csv", "communication", "bandwidth", "packets", "matrix", "samples", "pipeline"
]
Layout = Literal["mindspore", "mindinsight", "pytorch", "ascend", "msprof", "cpu"]

PLACES: tuple[Kind, ...] = ("device", "rank")

# A unit as the files write it: the suffix of our column, its dimension, its size.
UNITS: dict[str, tuple[str, str, float]] = {
    "ns": ("ns", "time", 1e-3),
    "us": ("us", "time", 1.0),
    "ms": ("ms", "time", 1e3),
    "s": ("s", "time", 1e6),
    "byte": ("bytes", "size", 1.0),
    "kb": ("kb", "size", 1024.0),
    "mb": ("mb", "size", 1024.0**2),
    "kb/s": ("kb_per_s", "rate", 1.0),
    "mb/s": ("mb_per_s", "rate", 1024.0),
    "gb/s": ("gb_per_s", "rate", 1024.0**2),
    "mhz": ("mhz", "frequency", 1.0),
    "%": ("pct", "percent", 1.0),
}

# A column that is not known holds moments, not durations, if it is called so.
_MOMENT = re.compile(r"(?:^|_)(?:start|stop|end|timestamp)(?:_|$)")
_UNIT_AT_THE_END = re.compile(r"^(?P<base>.*?)\s*\(\s*(?P<unit>[^()]+?)\s*\)$")


def split_unit(header: str) -> tuple[str, str]:
    """Part a header as written from its unit.

    >>> split_unit(" Start Time(us)")
    ('Start Time', 'us')
    >>> split_unit("Communication(Not Overlapped)")
    ('Communication(Not Overlapped)', '')
    """
    match = _UNIT_AT_THE_END.match(header.strip())
    if match and (unit := match["unit"].lower()) in UNITS:
        return match["base"], unit
    return header.strip(), ""


@lru_cache(maxsize=4096)
def snake_case(words: str) -> str:
    """Return a header in snake_case; letters of every language stay.

    >>> snake_case("Communication(Not Overlapped)")
    'communication_not_overlapped'
    """
    return re.sub(r"\W+", "_", words).strip("_").lower() or "unnamed"


def column_name(header: str, unit: str) -> str:
    """Return our name of a column: snake_case, unit last."""
    suffix = UNITS[unit][0] if unit else ""
    return "_".join(filter(None, (snake_case(header), suffix)))


@dataclass(frozen=True)
class Column:
    """One column, however the versions of the profiler spell it.

    Parameters
    ----------
    header
        As the newest version writes it, without unit; a shell pattern names many.
    kind
        ``time`` is a moment and becomes int64 ns, exact. ``device`` is a number,
        ``NPU:<number>``, or text such as ``host`` for none; so is ``rank``.
    unit
        After loading: a key of `UNITS`, or empty for a plain number.
    aliases
        Other spellings; case and blanks do not count.
    written_in
        The unit of a header that names none.
    none
        Cells that stand for "no value", beside ``N/A`` and empty ones.
    """

    header: str
    kind: Kind = "number"
    unit: str = ""
    aliases: tuple[str, ...] = ()
    written_in: str = ""
    none: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The column's name in the DataFrame."""
        if self.kind in PLACES:
            return self.kind
        return column_name(self.header, self.unit)

    def fits(self, header: str) -> bool:
        """Whether a header, its unit taken off, means this column."""
        key = snake_case(header)
        if any(snake_case(own) == key for own in (self.header, *self.aliases)):
            return True
        return "*" in self.header and fnmatchcase(key, self.header)


@dataclass(frozen=True)
class Need:
    """A switch of the profiler, and the values that make a table.

    ``values`` are compared as text; the first one is what the report advises.
    """

    switch: str
    values: tuple[str, ...] = ("True",)


@dataclass(frozen=True)
class Table:
    """One output of the profiler, and the way to a DataFrame.

    Parameters
    ----------
    stem
        The file's name without rank, slice, time stamp and ending; the table's name.
    columns
        Known columns. Others are kept under their own name in snake_case.
    layouts
        Where the table may be expected: it is named as missing only there.
    needs
        Switches without which the profiler does not write it.
    msprof
        The option with which msprof itself collects it.
    note
        What else it takes, in words.
    aliases
        Other stems of the same table.
    form
        How the file holds its rows.
    repeats
        Column and value of rows that repeat others: averages and sums.
    """

    stem: str
    columns: tuple[Column, ...]
    layouts: tuple[Layout, ...] = ("mindspore", "pytorch", "ascend")
    needs: tuple[Need, ...] = ()
    msprof: str = ""
    note: str = ""
    aliases: tuple[str, ...] = ()
    form: Form = "csv"
    repeats: tuple[tuple[str, str], ...] = ()

    @property
    def own(self) -> frozenset[str]:
        """The names of the columns that tell this table from others."""
        columns = (c for c in self.columns if c.kind not in PLACES)
        return frozenset(c.name for c in columns if "*" not in c.header)

    def find(self, header: str) -> Column:
        """Return the column that a header as written means, known or not."""
        base, unit = split_unit(header)
        known = next((c for c in self.columns if c.fits(base)), None)
        if known and "*" not in known.header:
            return known
        is_time = unit and UNITS[unit][1] == "time"
        if is_time and _MOMENT.search(snake_case(base)):
            return Column(base, "time", "ns", written_in=unit)
        kind: Kind = "number" if unit or known else "text"
        return Column(base, kind, "us" if is_time else unit)
