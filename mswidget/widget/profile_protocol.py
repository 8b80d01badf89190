"""What crosses between kernel and page of a profile; see ``protocol.py``."""

from __future__ import annotations

from typing import Literal

from typing_extensions import NotRequired, TypedDict


class Remark(TypedDict):
    """One finding of a profile, in words."""

    level: Literal["info", "warn"]
    title: str
    advice: str


class Overview(TypedDict):
    """What the page shows of a profile without asking, also while a cell runs.

    ``pictures`` are figures of plotly.py as JSON text, in their order; ``trace_mb`` is
    the size of the largest rank's trace.
    """

    path: str
    report: str
    findings: list[Remark]
    pictures: dict[str, str]
    tables: list[str]
    ranks: list[int]
    steps: list[int]
    trace_mb: float


class ProfileState(TypedDict):
    """The synced traits of a profile's widget; see `State`."""

    asset: str
    companion: str
    overview: Overview


class TablePage(TypedDict):
    """``rows`` of text, from ``page * size`` on.

    ``matching`` of ``total`` rows hold what is searched.
    """

    columns: list[str]
    rows: list[list[str]]
    numeric: list[bool]
    matching: int
    total: int
    page: int
    size: int


class AskTable(TypedDict):
    """Page to kernel: send one page of a table.

    ``sort`` is a column, or empty for the order of the file; ``search`` a part of a
    text, or a number.
    """

    kind: Literal["ask_table"]
    id: str
    name: str
    sort: str
    descending: bool
    search: str
    page: int


class AskTimeline(TypedDict):
    """Page to kernel: draw a rank's timeline: all, a step, or a window.

    Nanoseconds travel as text: the page's numbers cannot hold today's.
    """

    kind: Literal["ask_timeline"]
    id: str
    rank: NotRequired[int]
    step: NotRequired[int]
    start_ns: NotRequired[str]
    end_ns: NotRequired[str]


class TableAnswer(TypedDict):
    """Kernel to page: the answer to `AskTable`."""

    kind: Literal["table"]
    id: str
    page: TablePage


class TimelineAnswer(TypedDict):
    """Kernel to page: the answer to `AskTimeline`.

    ``figure`` is one of plotly.py as JSON text, its ``layout.meta`` a `FigureMeta`.
    """

    kind: Literal["timeline"]
    id: str
    figure: str


class FigureMeta(TypedDict):
    """What the page has to know of a figure beyond its picture.

    ``reason`` is why there is nothing to see. Of a timeline, ``begin_ns`` is where the
    x axis begins, ``merged`` whether some bars stand for several events.
    """

    reason: NotRequired[str]
    begin_ns: NotRequired[str]
    merged: NotRequired[bool]


class Refusal(TypedDict):
    """Kernel to page: why a question of a profile's page has no answer."""

    kind: Literal["refusal"]
    id: str
    text: str


ProfileDown = TableAnswer | TimelineAnswer | Refusal
ProfileUp = AskTable | AskTimeline
