"""What crosses between kernel and page of a training: the one source of its shape.

Only types stand here; those of a profile are in ``profile_protocol.py``. From both
``python -m mswidget.widget.typescript`` prints ``js/src/protocol.d.ts``;
``tests/contract/*.json`` are examples that pytest and vitest both read.

Numbers travel as one binary buffer a message, never as JSON, so NaN and the
infinities arrive as they are. The buffer of a `Block` is little-endian float64::

    rows[count] steps[count] epochs[count] wall_times_s[count]
    then, for each column:  positions[n] (only if n != count)  values[n]

``rows`` are absolute row numbers of the history, below 0 what earlier attempts of a
run that was resumed had logged, ``positions`` index into
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
    "lost",
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

    ``kind`` is the event's name: ``epoch_end``, ``eval``, ``checkpoint``, ``skipped``
    (an update that the loss scale's overflow skipped), ``no_number`` (of a value that
    is neither drawn nor written), ``alert``, ``stopped``, ``failed``, ``train_begin``,
    ``train_end``; a begin is that of an attempt.
    ``metric`` is the one it concerns, ``track`` the track.
    """

    step: int
    kind: str
    text: str
    metric: NotRequired[str]
    track: str


class AlertInfo(TypedDict):
    """What a rule found wrong (see ``mswidget.records.alert``), and on which track."""

    rule: str
    step: int
    wall_time_s: float
    rank: int
    severity: Literal["warning", "error"]
    metric: str
    message: str
    advice: str
    track: str


class RunInfo(TypedDict):
    """What does not change while a run goes on."""

    name: str
    path: str
    rank: int
    attempt: str


class Status(TypedDict):
    """What the header says; times are Unix seconds of the kernel's clock.

    ``started_s`` is when the run started, ``begun_s`` when its last call of train did.
    ``stoppable`` says whether there is anybody who could end the training.
    ``last_step_s`` is when the last step ended, or what kept the next one waiting, such
    as a checkpoint; ``usual_step_s`` how long one takes, None where nobody knows.
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
    last_step_s: float | None
    usual_step_s: float | None
    stop: Literal["", "requested", "obeyed"]
    stoppable: bool
    controls: bool
    detail: str


Stat = Literal["", "min", "mean", "median", "max"]


class Track(TypedDict):
    """One of the runs or ranks in a picture, or what a run's ranks have in common.

    ``id``, empty in a live run, is part of the names of its columns (see
    ``track.column``). ``stat`` is empty for a single ``rank``, which is -1 for what is
    common to all. ``label`` is what a legend says; ``colour`` counts the runs, from 0.
    ``shown`` says whether its rows are sent: the page asks by `AskTracks`. ``note``
    says why there is nothing to see, such as that this rank has no loss. Times are Unix
    seconds; relative time counts from ``started_s``. Factors that are not known are
    None.
    """

    id: str
    run: str
    rank: int
    stat: Stat
    label: str
    colour: int
    shown: bool
    phase: Phase
    step: int | None
    started_s: float
    last_value_s: float | None
    steps_per_epoch: float | None
    samples_per_step: float | None
    tokens_per_step: float | None
    note: str


class Silence(TypedDict):
    """After how many seconds without news a rank, or the kernel, is told of as silent.

    A step is told of as missing after ``step_times`` its usual time, and ``step_s``.
    See ``mswidget.records.silence``.
    """

    rank_s: float
    step_times: float
    step_s: float
    kernel_s: float


class Head(TypedDict):
    """Everything but numbers: small, the last one wins.

    ``alerts`` are the newest of ``alert_count``, oldest first. ``tracks`` is empty
    only until there is a run; ``run`` and ``status`` are those of the one that is
    looked at.
    """

    run: RunInfo
    status: Status
    metrics: list[MetricInfo]
    marks: list[Mark]
    alerts: list[AlertInfo]
    alert_count: int
    notices: list[str]
    tracks: list[Track]
    silence: Silence


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


class AskTracks(TypedDict):
    """Page to kernel: send the rows of these tracks from now on, and of no others."""

    kind: Literal["ask_tracks"]
    id: str
    shown: list[str]


Up = AskRows | AskStop | AskTracks
