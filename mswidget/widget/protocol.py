"""What crosses between kernel and page of a training: the one source of its shape.

Only types stand here; those of a profile are in ``profile_protocol.py``. From both
``python -m mswidget.widget.typescript`` prints ``js/src/protocol.d.ts``;
``tests/contract/*.json`` are examples that pytest and vitest both read.

The kernel holds every value; the page says what it looks at (`AskView`) and gets
exactly that (`View`), then what is new of it, about ten times a second.

Numbers travel as one binary buffer a message, never as JSON, so NaN and the
infinities arrive as they are. A buffer is little-endian float64, extract after
extract, and of each extract column after column, each over all of its pieces::

    exact (``level`` is None): keys[n] steps[n]* values[n] smooth[n]*
    reduced: buckets[n] steps[n]* counts[n] lows[n] highs[n] means[n] lasts[n]
             nans[n]* above[n]* below[n]* smooth[n]*

``steps`` are there unless they are the keys; ``nans``, ``above`` (+Inf) and ``below``
(-Inf) only where ``nonfinite`` says so; ``smooth`` only where ``weight`` is not 0. The
bucket b holds the values whose key is in ``b * 2**level`` to ``(b + 1) * 2**level``,
the end excluded: ``counts`` finite ones, with ``lows``, ``highs`` and ``means`` (NaN
where there are none) and the newest value, finite or not, in ``lasts``; ``steps`` and
``smooth`` are those of the newest. A bucket without values is left out. Buckets of one
level merge, two by two, to those of the next.

No message is larger than 100 kB. What is larger comes in parts: lists of the head item
by item (`ListPart`), an extract as one that begins anew and others that go on.
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
    """How one metric is shown (see ``mswidget.metrics``).

    ``panel`` is one of ``mswidget.metrics.PANELS``, or a user's own: its metrics share
    one chart, which has its name for a title, as do those of the panel ``loss``.
    """

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
    wall_time_s: float
    kind: str
    text: str
    metric: NotRequired[str]
    track: str


class Reference(TypedDict):
    """A horizontal line at a value, in the panel of its metric; ``label`` may be ""."""

    metric: str
    value: float
    label: str


class AlertInfo(TypedDict):
    """What a rule found wrong (see ``mswidget.records.alert``), and on which track."""

    rule: str
    step: int
    wall_time_s: float
    rank: int
    severity: Literal["info", "warning", "error"]
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


CommandKind = Literal["ask_save", "ask_log_interval"]


class Command(TypedDict):
    """What somebody does between two steps when a page asks, and what became of it.

    ``kind`` is that of the message that asks. It is ``waiting`` from when the kernel
    has taken it until a step has ended; then ``done`` or ``failed`` at ``step``, and
    ``text`` says what was done, or why not. ``value`` is what is set now, None where
    it sets nothing.
    """

    kind: CommandKind
    state: Literal["", "waiting", "done", "failed"]
    step: int | None
    text: str
    value: int | None


class Status(TypedDict):
    """What the header says; times are Unix seconds of the kernel's clock.

    ``started_s`` is when the run started, ``begun_s`` when its last call of train did.
    ``stoppable`` says whether there is anybody who could end the training, and
    ``commands`` what else can be asked of it.
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
    commands: list[Command]
    controls: bool
    detail: str


Stat = Literal["", "min", "mean", "median", "max"]


class Track(TypedDict):
    """One of the runs or ranks in a picture, or what a run's ranks have in common.

    ``id`` is empty in a live run. ``stat`` is empty for a single ``rank``, which is -1
    for what is common to all. ``label`` is what a legend says; ``colour`` counts the
    runs, from 0. ``shown`` says whether its values can be asked: the page chooses by
    `AskTracks`. ``odd`` says what of a rank is unlike the others and needs a look;
    ``note`` why there is nothing to see, such as that this rank has no loss. Times are
    Unix seconds; relative time counts from ``started_s``. Factors that are not known
    are None.
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
    odd: str
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
    references: list[Reference]
    alerts: list[AlertInfo]
    alert_count: int
    notices: list[str]
    tracks: list[Track]
    silence: Silence


Key = Literal["step", "time", "epoch"]
"""What orders values on an axis: the steps, Unix seconds, or epochs as logged.

Samples, tokens, and epochs of a known length are steps by a factor.
"""


class Extent(TypedDict):
    """What a track's rows span; None where it has none.

    By time, what was logged with a clock that was set back stands where the row before
    does; a row without an epoch is in that of the row before.
    """

    track: str
    rows: int
    step: tuple[float, float] | None
    time: tuple[float, float] | None
    epoch: tuple[float, float] | None


class Piece(TypedDict):
    """Values whose keys never fall, of one attempt.

    ``row`` is the first row of the piece in the history, by which it is known;
    ``count`` how many points (or buckets) of it there are. ``kept`` is False for what
    was trained again later.
    """

    row: int
    kept: bool
    attempt: str
    count: int


class Extract(TypedDict):
    """What a page sees of one metric of one track, from ``begin`` to ``end``.

    Both are keys, and inside nothing is missing; what goes on ends at the newest key.
    Beyond a range that was asked, one point (or bucket) on each side is there too, so
    that lines run to the edge; a piece none of whose lines crosses the range is left
    out. ``level`` is None where the
    values are there one by one. An extract that ``goes_on`` holds what is new: its
    pieces continue those of the same ``row``, where a bucket that is there already is
    replaced, and ``end`` moves on; else it replaces what the page has of this metric.
    The average begins anew at each attempt, and where steps begin anew. ``left_out``
    counts values of very many pieces that are not there.
    """

    track: str
    metric: str
    key: Key
    weight: float
    level: int | None
    begin: float
    end: float
    goes_on: bool
    nonfinite: bool
    pieces: list[Piece]
    left_out: int


class Want(TypedDict):
    """Some metrics of a track that a page looks at.

    ``begin`` and ``end`` are keys; None means from the first on, or with all that is
    to come. Where more than ``points`` values (1 to 2,500) are between them, they come
    as buckets of ``level`` (-64 to 64), or of a higher one where those were more than
    4,096. ``weight`` smooths, 0 does not.
    """

    track: str
    metrics: list[str]
    key: Key
    begin: float | None
    end: float | None
    level: int
    points: int
    weight: float


class AskView(TypedDict):
    """Page to kernel: send this, and then what is new of it, instead of the last view.

    What comes first in ``wants`` (at most 1,000, of 2,000 metrics) is sent first; the
    metrics of the first go on with each message that has a new value or bucket of them,
    others, and buckets that only grow, about twice a second. What the
    view ``after`` has told of the same want only goes on, also in buckets of a higher
    level where that is wanted of all that there is: the page makes those that it has
    into such first. ``after`` is empty where the page has lost a message, or never
    asked. A page that is silent for a minute gets nothing more, so
    it asks again from time to time; the same ``id`` as before only says that it is
    still there. ``summaries`` names metrics of ``track``, at most 1,000, of which a
    `Summaries` is wanted about once a second.
    """

    kind: Literal["ask_view"]
    id: str
    after: str
    page: str
    wants: list[Want]
    track: str
    summaries: list[str]


class ViewEnd(TypedDict):
    """Up to which key all that a view asked of a track is told."""

    track: str
    key: Key
    end: float


class View(TypedDict):
    """Kernel to page: some extracts of the view ``id``, with one buffer.

    ``seq`` counts the views sent to this page: after a gap the page asks anew, by
    another ``id`` after none. ``whole`` says that with this message everything that was
    asked is there. What has no newer value than ``ends`` say has none up to there: they
    come about twice a second while there are new rows, if nothing that was asked waits.
    """

    kind: Literal["view"]
    id: str
    page: str
    seq: int
    whole: bool
    extracts: list[Extract]
    ends: list[ViewEnd]


class Summaries(TypedDict):
    """Kernel to page: of each metric that ``id`` asked, in that order, ten numbers.

    The buffer has columns: newest value of this attempt, its step; best of those
    that are kept by steps, its step (NaN where no direction is better); first; median
    of those of the newest 1,000 that are finite; the change, as a share, from the tenth
    of these before the newest tenth to that (NaN for few); how many NaN, +Inf, -Inf. A
    metric without values has NaN, and none.
    """

    kind: Literal["summaries"]
    id: str
    page: str
    track: str


Listed = Literal[
    "metrics", "marks", "references", "alerts", "notices", "tracks", "extents"
]


class ListPart(TypedDict):
    """Items of a list of the head, or of the extents, that have changed.

    They replace those from ``start`` on; then the list has ``length`` items.
    """

    name: Listed
    start: int
    length: int
    items: list[MetricInfo | Mark | Reference | AlertInfo | str | Track | Extent]


class News(TypedDict):
    """Kernel to all pages: everything but numbers, as far as it has changed.

    After a gap in ``seq`` a page asks for the head (`AskHead`). The extents are those
    of the tracks that are shown, and of the one that the cards are of.
    """

    kind: Literal["news"]
    seq: int
    status: Status
    alert_count: int
    run: NotRequired[RunInfo]
    parts: list[ListPart]


class Bundle(TypedDict):
    """Kernel to all pages: what is new by now, as one message of Jupyter.

    Each `View` and each `Summaries` has one buffer, in their order. A page passes over
    what is for another.
    """

    kind: Literal["bundle"]
    messages: list[News | View | Summaries]


class Ack(TypedDict):
    """Kernel to page: the command of that id was taken, or why not."""

    kind: Literal["ack"]
    id: str
    ok: bool
    text: str


class SavedColumn(TypedDict):
    """A metric of a `SavedTrack`, and how many of its rows hold a value."""

    metric: str
    count: int


class SavedTrack(TypedDict):
    """What a page that needs no kernel holds of a track.

    All rows as they are, or extracts of every metric by step and by time where there
    was no room. The numbers of a page are one buffer, track after track::

        steps[rows] times[rows] epochs[rows] attempts[rows]
        of each column: positions[count]* values[count]
        of each extract: as in a view

    ``attempts`` are indices of the names in ``attempts``; ``positions``, rows from 0,
    are there unless every row holds a value.
    """

    id: str
    rows: int
    attempts: list[str]
    columns: list[SavedColumn]
    extracts: list[Extract]


class SavedPage(TypedDict):
    """A page that needs no kernel; it answers what it asks itself.

    ``edition`` names the process that writes it again every ``every_s``; 0 is never.
    """

    edition: str
    every_s: float
    head: Head
    extents: list[Extent]
    tracks: list[SavedTrack]


class AskStop(TypedDict):
    """Page to kernel: end the training after the running step."""

    kind: Literal["ask_stop"]
    id: str


class AskSave(TypedDict):
    """Page to kernel: save a checkpoint after the running step."""

    kind: Literal["ask_save"]
    id: str


class AskLogInterval(TypedDict):
    """Page to kernel: after the running step, log one step in so many."""

    kind: Literal["ask_log_interval"]
    id: str
    steps: int


class AskHead(TypedDict):
    """Page to kernel: tell the whole head again, as news."""

    kind: Literal["ask_head"]
    id: str


class AskTracks(TypedDict):
    """Page to kernel: read these tracks from now on."""

    kind: Literal["ask_tracks"]
    id: str
    shown: list[str]


class Kept(TypedDict):
    """Extracts by steps, and their buffer."""

    extracts: list[Extract]
    buffer: bytes


class State(TypedDict):
    """The synced traits: all that a page made late needs at once.

    ``asset`` is the model id of the widget that carries Plotly; ``companion`` the
    CSS class of the static picture that a live view hides. What is kept is what the
    panels that are open at first show, the loss first, in parts, since they come as
    messages too; what no longer fits waits for an answer. ``seq`` is that of the last
    `News` inside; -1 where the head is too large, and its lists are cut: the page asks
    for it (`AskHead`).
    """

    asset: str
    companion: str
    head: Head
    extents: list[Extent]
    seq: int
    kept_1: Kept
    kept_2: Kept
    kept_3: Kept


Down = Bundle | Ack
Up = AskView | AskHead | AskStop | AskSave | AskLogInterval | AskTracks
