"""A run: what is logged goes to memory here, and on to its file and the page."""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, TypeVar

from typing_extensions import Self

from mswidget.guard import Guard
from mswidget.interrupt import Interrupts
from mswidget.metrics import describe
from mswidget.store import folder
from mswidget.store.frame import to_pandas
from mswidget.store.history import History
from mswidget.store.pending import Pending, Row
from mswidget.store.record import Event, Record
from mswidget.store.values import BadValueError, to_float
from mswidget.store.writer import Writer
from mswidget.widget.protocol import Head, Mark, MetricInfo, Phase, Status
from mswidget.worker import WORKER

if TYPE_CHECKING:
    import pandas as pd

    from mswidget.widget.live import LiveView

T = TypeVar("T")
Read = Literal["deferred", "now"]
LOG = logging.getLogger("mswidget")
RUNS: list[Run] = []
"""The runs of this process, oldest first."""

_ENDED = ("finished", "stopped", "failed")
_MARKS = 200
_KINDS_OF_BAD = 20
_POLL_S = 0.02
_RATE_S = 10.0
_STRAGGLER_S = 0.3
_LOCK_S = 10.0
_MAX_STEP = 2**53  # float64 counts exactly up to here


class Run:
    """One rank's share of a training run. Made by `start_run` or `TrainMonitor`.

    Logging only appends to memory. A worker thread writes ``rank_<r>.jsonl`` and
    feeds the page; nothing that fails there reaches the caller.

    Parameters
    ----------
    claim
        The folder, and the attempt written into it.
    rank
        This process's rank.
    display
        Show the live widget when this is a Jupyter kernel.
    read
        ``deferred`` reads tensors a step behind, ``now`` in the step that logs.
    """

    def __init__(
        self, claim: folder.Claim, *, rank: int, display: bool, read: Read
    ) -> None:
        self.path = claim.path
        self.name = claim.path.name
        self.rank = rank
        self.attempt = claim.attempt
        self.stop_requested = False
        self.history = History()
        self._display = display
        self._view: LiveView | None = None
        self._writer = Writer(folder.rank_file(claim.path, rank))
        self._guard = Guard(self.notice)
        self._inbox: deque[Row | Event] = deque()
        self._pending = Pending(deferred=read == "deferred", on_difference=self.notice)
        self._lock = threading.RLock()
        self._step = 0
        self._polled_s = 0.0
        self._rates: deque[tuple[float, int]] = deque()
        self._notices: list[str] = []
        self._bad: Counter[tuple[str, str]] = Counter()
        self._first_bad: dict[tuple[str, str], str] = {}
        self._marks: deque[Mark] = deque(maxlen=_MARKS)
        self._status = _new_status()
        self._active = False
        self._pid = os.getpid()

    @property
    def step(self) -> int:
        """The last step logged; 0 before the first."""
        return self._step

    @property
    def phase(self) -> Phase:
        """What the run is doing, or how it ended."""
        return self._status["phase"]

    @property
    def notices(self) -> list[str]:
        """What went wrong beside the training, one sentence each."""
        return [*self._notices, *self._bad_values(), *self._trouble()]

    def log(
        self,
        values: Mapping[str, object],
        *,
        step: int | None = None,
        epoch: int | None = None,
    ) -> None:
        """Log the values of one step; never raises, does no I/O.

        Parameters
        ----------
        values
            Metric names to numbers or tensors. Parts of a loss are ``loss/<part>``.
        step
            The optimizer step, from 1; None means one more than the last.
        epoch
            From 1.
        """
        self._guard("logging", self._log, values, step, epoch)

    def event(self, event: str, step: int | None = None, **fields: object) -> None:
        """Write an event, such as ``epoch_end``, and mark it on the curves."""
        at = self._step if step is None else step
        self._inbox.append(
            Event(event, at, time.time(), self.rank, self.attempt, fields=fields)
        )
        self._marks.append({"step": at, "kind": event, "text": _words(fields)})

    def set_status(self, **changes: object) -> None:
        """Change what the header says; the keys are those of `Status`."""
        if changes.get("phase", self._status["phase"]) != self._status["phase"]:
            changes["phase_since_s"] = time.time()
        self._status.update(changes)  # type: ignore[typeddict-item]

    def notice(self, text: str) -> None:
        """Tell the user something, once."""
        if text not in self._notices:
            self._notices.append(text)
            # Not warnings.warn: a filter may turn that into an exception.
            LOG.warning("%s: %s", self.name, text)

    def poll(self) -> None:
        """Handle the page's messages; call it in the main thread of a long step."""
        if self._view is not None:
            self._guard("handling messages of the page", self._view.poll)

    def request_stop(self) -> str:
        """Ask the training to end after the running step; returns what will happen."""
        self.stop_requested = True
        if self.phase not in _ENDED:
            self.set_status(stop="requested")
        return f"stop requested at step {self._step}"

    def begin(self) -> Self:
        """Start to write, and show the widget below the running cell."""
        if not self._active:
            self._active = True
            self.stop_requested = False
            self.set_status(phase="waiting", stop="", detail="", started_s=time.time())
            WORKER.add(self._tick)
        if self._display and self._view is None and _in_kernel():
            self._view = self._guard("the widget", self._open_view)
        if self._view is not None:
            self._guard("the widget", self._view.show)
        return self

    def finish(self, phase: Phase = "finished", detail: str = "") -> None:
        """End the run: read, write and show everything that was logged."""
        if not self._active or self._forked():
            return
        self._active = False
        self._guard("reading values", self._pending.read)
        stop = "obeyed" if self._status["stop"] else ""
        self.set_status(phase=phase, detail=detail, stop=stop)
        self.event({"finished": "train_end"}.get(phase, phase), detail=detail)
        WORKER.remove(self._tick)
        if not self._lock.acquire(timeout=_LOCK_S):
            self.notice(f"{self.path}: writing hangs; the last records are in memory")
            return
        try:
            self._work()
            if self._view is not None:
                self._guard("the widget", self._view.finish)
            self._writer.close()
        finally:
            self._lock.release()

    def flush(self) -> None:
        """Write what was logged so far; for a process that is about to end."""
        if not self._forked() and self._lock.acquire(timeout=_LOCK_S):
            try:
                self._work()
            finally:
                self._lock.release()

    def to_pandas(self) -> pd.DataFrame:
        """Return everything logged so far at full resolution.

        See `mswidget.store.frame.to_pandas` for the columns.
        """
        self._pending.read()
        self.flush()
        rows = self.history.rows()
        attempts = [self.attempt] * (rows.stop - rows.start)
        return to_pandas(rows, rank=self.rank, attempts=attempts)

    def __enter__(self) -> Self:
        """Start the run; from here on an interrupt does not kill the kernel."""
        self._interrupts = Interrupts(None, self.flush)
        self._interrupts.__enter__()
        return self.begin()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the run with what really happened."""
        self.finish(*ending(error, stopped=self.stop_requested))
        self._interrupts.__exit__(kind, error, traceback)

    def __repr__(self) -> str:
        """Name, state and place."""
        return f"<Run {self.name!r}: {self.phase}, step {self._step}, {self.path}>"

    def _log(
        self, values: Mapping[str, object], step: int | None, epoch: int | None
    ) -> None:
        row = self._row(values, step, epoch)
        self._step = row.step
        self._inbox.append(row)
        if not row.ready:
            self._pending.add(row)
        self._status["step"] = row.step
        if row.epoch is not None:
            self._status["epoch"] = row.epoch
        self._status["last_value_s"] = row.wall_time_s
        if self._status["phase"] == "waiting":
            self.set_status(phase="training")
        if row.wall_time_s - self._polled_s > _POLL_S:
            self._polled_s = row.wall_time_s
            self.poll()

    def _row(
        self, values: Mapping[str, object], step: int | None, epoch: int | None
    ) -> Row:
        if step is None:
            step = self._step + 1
        elif type(step) is not int or not -_MAX_STEP <= step <= _MAX_STEP:
            step = self._whole("step", step, self._step + 1)
        if epoch is not None and type(epoch) is not int:
            epoch = self._whole("epoch", epoch, self._status["epoch"])
        row = Row(step, epoch, time.time(), dict(values))
        for value in row.values.values():
            if type(value) is not float:
                row.settle()
                break
        return row

    def _whole(self, what: str, found: object, otherwise: T) -> int | T:
        try:
            number = to_float(found)
        except BadValueError as error:
            kind = error.kind
        else:
            if abs(number) <= _MAX_STEP:
                return int(number)
            kind = "a number that is not finite or too large"
        self.notice(
            f"{what}: expected a whole number, found {kind}; the {what} is guessed "
            "from the last one"
        )
        return otherwise

    def _forked(self) -> bool:
        """Say whether this is a data worker's copy of the run, not its own."""
        return self._pid != os.getpid()

    def _tick(self) -> None:
        # A page that asks for its state, or the end of the run, may hold the lock.
        if self._lock.acquire(blocking=False):
            try:
                before_s = time.time() - _STRAGGLER_S
                self._guard("reading values", self._pending.read, before_s)
                self._work()
                if self._view is not None:
                    self._guard("the widget", self._view.tick)
            finally:
                self._lock.release()

    def _work(self) -> None:
        """Bring what was logged to memory and file."""
        items = self._guard("collecting", self._collect) or []
        self._guard("file writing", self._writer.write, items)
        if self._writer.trouble and not self._told_trouble:
            LOG.warning("%s: %s", self.name, self._trouble()[0])
        self._told_trouble = bool(self._writer.trouble)

    _told_trouble = False

    def _collect(self) -> list[Record | Event]:
        items: list[Record | Event] = []
        while self._inbox:
            item = self._inbox[0]
            if isinstance(item, Row) and not item.ready:
                if self._active:
                    break
                item.read()
            self._inbox.popleft()
            items.append(self._record(item) if isinstance(item, Row) else item)
        records = [item for item in items if isinstance(item, Record)]
        if records:
            self.history.extend(records)
            self._rate(records[-1])
        return items

    def _record(self, row: Row) -> Record:
        values = {}
        for name, value in row.values.items():
            if isinstance(value, float):
                values[str(name)] = value
            else:
                key = (str(name), getattr(value, "kind", ""))
                self._bad[key] += 1
                self._first_bad.setdefault(key, f"step {row.step}: {value}")
        return Record(
            row.step, row.wall_time_s, self.rank, self.attempt, values, row.epoch
        )

    def _rate(self, last: Record) -> None:
        self._rates.append((last.wall_time_s, last.step))
        while last.wall_time_s - self._rates[0][0] > _RATE_S and len(self._rates) > 2:  # noqa: PLR2004 - a rate takes two
            self._rates.popleft()
        since_s, first = self._rates[0]
        if last.wall_time_s > since_s:
            self._status["steps_per_s"] = (last.step - first) / (
                last.wall_time_s - since_s
            )

    def _open_view(self) -> LiveView:
        # A rank's script never pays for IPython and anywidget.
        from mswidget.widget.live import LiveView  # noqa: PLC0415

        view = LiveView(self.history, self._head, self.request_stop, self._lock)
        self._status["controls"] = view.controls
        return view

    def _head(self) -> Head:
        return {
            "run": {
                "name": self.name,
                "path": str(self.path),
                "rank": self.rank,
                "attempt": self.attempt,
            },
            "status": {**self._status, "sent_s": time.time()},
            "metrics": [_info(name) for name in self.history.names],
            "marks": list(self._marks),
            "notices": self.notices,
        }

    def _bad_values(self) -> list[str]:
        return [
            f"{name}: no number {count} times, so neither drawn nor written; first at "
            f"{self._first_bad[name, kind]}"
            for (name, kind), count in self._bad.copy().most_common(_KINDS_OF_BAD)
        ]

    def _trouble(self) -> list[str]:
        trouble = self._writer.trouble
        if not trouble:
            return []
        return [f"{trouble}: records wait in memory and are written when possible"]


def start_run(
    name: str | None = None,
    *,
    log_dir: str | os.PathLike[str] | None = None,
    display: bool = True,
    resume: bool = False,
    read: Read = "deferred",
    total_steps: int | None = None,
) -> Run:
    """Start a run for a hand-written loop.

    Use it as ``with start_run("name") as run: run.log({"loss": loss})``, or call
    ``begin`` and ``finish``.

    Parameters
    ----------
    name
        The run's folder; an existing one gives ``name-2``. Default: ``MODEL_NAME``,
        else ``run`` and the local time.
    log_dir
        Default: ``MSWIDGET_LOG_DIR``, else ``train_logs``.
    display
        Show the live widget when this is a Jupyter kernel.
    resume
        Go on with the run of that name, as its next attempt.
    read
        ``deferred`` reads tensors a step behind, ``now`` in the step that logs.
    total_steps
        For progress and the time left.

    Raises
    ------
    ValueError
        For a name that cannot be a folder's.
    OSError
        When nothing can be written into ``log_dir``.
    """
    place = folder.check_log_dir(log_dir)
    run = open_run(
        folder.check_name(name or default_name("run")),
        place,
        display=display,
        resume=resume,
        read=read,
    )
    run.set_status(total_steps=total_steps)
    return run


def open_run(
    name: str, log_dir: Path, *, display: bool, resume: bool, read: Read
) -> Run:
    """Take a run folder; the arguments are checked already."""
    rank = int(os.environ.get("RANK_ID", "0"))
    job = folder.job_key()
    facts = {
        "start": datetime.now().astimezone().isoformat(),
        "host": os.uname().nodename,
        "rank_size": int(os.environ.get("RANK_SIZE", "1")),
        "command": sys.argv,
    }
    if resume and (log_dir / name).is_dir():
        claim = folder.resume(log_dir / name, rank)
    else:
        claim = folder.claim(log_dir, name, rank=rank, job=job, facts=facts)
    run = Run(claim, rank=rank, display=display, read=read)
    RUNS.append(run)
    return run


def default_name(kind: str) -> str:
    """Return ``MODEL_NAME``, else a kind of network and the local time."""
    given = os.environ.get("MODEL_NAME")
    return given or f"{kind}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"


def ending(error: BaseException | None, *, stopped: bool) -> tuple[Phase, str]:
    """Return how a run ended, and why in words."""
    if isinstance(error, KeyboardInterrupt):
        return "stopped", "interrupted"
    if error is not None:
        return "failed", f"{type(error).__name__}: {error}"
    return ("stopped", "on request") if stopped else ("finished", "")


def _in_kernel() -> bool:
    """Say whether this is a Jupyter kernel, without importing IPython."""
    core = sys.modules.get("IPython.core.getipython")
    return core is not None and hasattr(core.get_ipython(), "kernel")


def _info(name: str) -> MetricInfo:
    metric = describe(name)
    return {
        "name": name,
        "label": metric.label or name,
        "unit": metric.unit,
        "better": metric.better,
        "panel": metric.panel,
    }


def _words(fields: Mapping[str, object]) -> str:
    return ", ".join(f"{key} {value}" for key, value in fields.items() if value != "")


def _new_status() -> Status:
    now = time.time()
    return {
        "phase": "waiting",
        "phase_since_s": now,
        "started_s": now,
        "sent_s": now,
        "step": None,
        "total_steps": None,
        "epoch": None,
        "total_epochs": None,
        "steps_per_epoch": None,
        "steps_per_s": None,
        "last_value_s": None,
        "stop": "",
        "controls": False,
        "detail": "",
    }


@atexit.register
def _finish_all() -> None:
    """Lose nothing when the process ends without ``finish``."""
    for run in RUNS:
        run.finish(*ending(getattr(sys, "last_value", None), stopped=False))
