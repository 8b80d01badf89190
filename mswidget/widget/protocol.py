"""What crosses between kernel and page: the one source of its shape.

Only types stand here. ``js/src/protocol.d.ts`` is printed from them by
``python -m mswidget.widget.typescript``; ``tests/contract/*.json`` are examples
that pytest and vitest both read.

Numbers travel as one binary buffer a message, never as JSON, so NaN and the
infinities arrive as they are. The buffer of a `Block` is little-endian float64::

    rows[count] steps[count] epochs[count] wall_times_s[count]
    then, for each column:  positions[n] (only if n != count)  values[n]

``rows`` are absolute row numbers of the history, ``positions`` index into
``rows``; a metric has no value in rows it does not name (NaN is a value). An
epoch that is unknown is NaN.
"""

from __future__ import annotations

from typing import Literal

from typing_extensions import NotRequired, TypedDict

Phase = Literal[
    "waiting",
    "compiling",
    "training",
    "evaluating",
    "saving",
    "stopped",
    "failed",
    "finished",
]


class MetricInfo(TypedDict):
    """How one metric is shown (see ``mswidget.metrics``)."""

    name: str
    label: str
    unit: str
    better: Literal["lower", "higher", ""]
    panel: str


class Mark(TypedDict):
    """Something that happened at a step and is drawn across the panels.

    ``kind`` is the event's name: ``epoch_end``, ``eval``, ``stopped``, ``failed``,
    ``train_begin``, ``train_end``.
    """

    step: int
    kind: str
    text: str


class RunInfo(TypedDict):
    """What does not change while a run goes on."""

    name: str
    path: str
    rank: int
    attempt: str


class Status(TypedDict):
    """What the header says; times are Unix seconds of the kernel's clock.

    ``started_s`` is when the run started, ``begun_s`` when its last call of train did.
    """

    phase: Phase
    phase_since_s: float
    started_s: float
    begun_s: float
    sent_s: float
    step: int | None
    total_steps: int | None
    epoch: int | None
    total_epochs: int | None
    steps_per_epoch: int | None
    steps_per_s: float | None
    last_value_s: float | None
    stop: Literal["", "requested", "obeyed"]
    controls: bool
    detail: str


class Head(TypedDict):
    """Everything but numbers: small, the last one wins."""

    run: RunInfo
    status: Status
    metrics: list[MetricInfo]
    marks: list[Mark]
    notices: list[str]


class Column(TypedDict):
    """One metric's share of a block's buffer: ``count`` values."""

    metric: str
    count: int


class Block(TypedDict):
    """Rows ``start`` to ``stop`` of the history; ``count`` of them are inside.

    ``reduced`` says that rows were left out: each column then keeps first, last,
    minimum, maximum and non-finite values of each bucket.
    """

    start: int
    stop: int
    count: int
    reduced: bool
    columns: list[Column]


class State(TypedDict):
    """The synced traits: all that a page made late needs at once.

    ``asset`` is the model id of the widget that carries Plotly; ``companion`` the
    CSS class of the static picture that a live view hides. ``snapshot`` is the
    buffer of ``snapshot_block``, an envelope of the whole history; ``seq`` that of
    the last `Delta` inside it.
    """

    asset: str
    companion: str
    head: Head
    seq: int
    snapshot_block: Block
    snapshot: bytes


class Delta(TypedDict):
    """Kernel to page: new rows (may be none), with one buffer.

    ``head`` is there when more than its status changed.
    """

    kind: Literal["delta"]
    seq: int
    block: Block
    status: Status
    head: NotRequired[Head]


class Rows(TypedDict):
    """Kernel to page: the answer to `AskRows`, with one buffer."""

    kind: Literal["rows"]
    id: str
    block: Block


class Ack(TypedDict):
    """Kernel to page: the command of that id was taken, or why not."""

    kind: Literal["ack"]
    id: str
    ok: bool
    text: str


class AskRows(TypedDict):
    """Page to kernel: send rows ``start`` to ``stop`` exactly, as one `Rows`.

    The kernel answers with as many as one message may hold, from ``start`` on;
    its ``block.stop`` says how far it came.
    """

    kind: Literal["ask_rows"]
    id: str
    start: int
    stop: int


class AskStop(TypedDict):
    """Page to kernel: end the training after the running step."""

    kind: Literal["ask_stop"]
    id: str


Down = Delta | Rows | Ack
Up = AskRows | AskStop
