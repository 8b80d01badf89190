"""A run: what is logged goes to memory here, and on to its file and the page."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import Self

from mswidget.alerts.engine import Alerts
from mswidget.alerts.inspector import Inspector
from mswidget.alerts.notify.ledger import NAME as LEDGER
from mswidget.alerts.notify.ledger import Ledger
from mswidget.alerts.notify.notifier import Notifier
from mswidget.alerts.options import AlertOptions
from mswidget.files import folder
from mswidget.files.logged import Logged
from mswidget.files.names import alerts_file, rank_file, stacks_file
from mswidget.files.process import EVENT as PROCESS
from mswidget.files.process import Process
from mswidget.files.writer import Writer
from mswidget.guard import Guard, tell
from mswidget.machine.sampler import Sampler
from mswidget.records.alert import Alert
from mswidget.records.alerts_table import alerts_table
from mswidget.records.frame import Attempts
from mswidget.records.history import History, Rows
from mswidget.records.parameters import Parameter, parameters_table
from mswidget.records.phase import ENDED
from mswidget.records.rank import Rank
from mswidget.run.bad_values import BadValues
from mswidget.run.checkpoint import Save, check_save, save_checkpoint
from mswidget.run.commands import Commands
from mswidget.run.doing import doing
from mswidget.run.earlier import Earlier
from mswidget.run.ending import ending
from mswidget.run.flow import Flow, Items, Outlet
from mswidget.run.inbox import Inbox
from mswidget.run.interrupt import Interrupts
from mswidget.run.notices import Notices
from mswidget.run.pending import Row
from mswidget.run.rank_log import RankLog
from mswidget.run.registry import Registry
from mswidget.run.screen import Display, Screen, Showable
from mswidget.run.skipped import SkippedUpdates
from mswidget.run.stall import Stall
from mswidget.run.stop import Stop
from mswidget.widget.marks import BEGIN, NO_NUMBER
from mswidget.widget.page_request import RefusedError
from mswidget.widget.protocol import Command, Head, Phase, RunInfo, Status
from mswidget.widget.status import LiveStatus
from mswidget.widget.wishes import PANELS, REFERENCE, check_panels, reference_fields

if TYPE_CHECKING:
    import pandas as pd
    from plotly import graph_objects as go

Read = Literal["deferred", "now"]
Panels = Mapping[str, Sequence[str]]


class Run:
    """One rank's share of a training run. Made by `start_run` or `TrainMonitor`.

    Logging only appends to memory. A worker thread writes ``rank_<r>.jsonl`` and
    feeds the page; nothing that fails there reaches the caller.

    Parameters
    ----------
    claim
        The folder, and the attempt written into it.
    registry
        Of the runs of this process.
    rank, ranks
        This process's rank, and how many there are.
    display
        See `start_run`.
    read
        ``deferred`` reads tensors a step behind, ``now`` in the step that logs.
    counts
        See `Inbox`. If so, `log` is called by the loop that trains, and obeys the page.
    alerts
        What is to be found, and what follows.
    """

    def __init__(  # noqa: PLR0913 - all by their names
        self,
        claim: folder.Claim,
        registry: Registry[Run],
        *,
        rank: int,
        ranks: int,
        display: Display,
        read: Read,
        counts: bool,
        alerts: AlertOptions,
    ) -> None:
        self.path, self.name = claim.path, claim.path.name
        self.rank, self.attempt = rank, claim.attempt
        self.history = History()
        self._registry = registry
        self._counts, self._ranks = counts, ranks
        self._goes_on = counts and claim.attempt != "a1"
        self._display = display
        self._parameters: Sequence[Parameter] = ()
        self._panels: Panels = {}
        self._notices = Notices(self.name)
        self._guard = Guard(self.notice, self._notices.withdraw)
        self._bad_values = BadValues(self._mark_bad_value)
        self._skipped = SkippedUpdates(partial(self.event, "skipped"), self.notice)
        self._inbox = Inbox(
            rank,
            claim.attempt,
            step=claim.last_step,
            deferred=read == "deferred",
            counts=counts,
            on_notice=self.notice,
            numbers=self._numbers,
        )
        now_s = self._inbox.now_s
        self._status = LiveStatus(self._facts(), self.history, now_s, doing)
        asked = partial(self.set_status, stop="requested")
        withdraw = self._notices.withdraw
        self._stop = Stop(claim, ranks, asked, self.notice, withdraw)
        device = partial(self._inbox.put_event, "device", None)
        self._commands = Commands(self._tell_commands, self.notice)
        self._sampler = Sampler(self._inbox.put_beside, device, self.notice, withdraw)
        records = rank_file(claim.path, rank)
        inspector = Inspector(self.history, alerts.rules, self._guard, rank)
        self._alerts = Alerts(inspector, alerts_file(records), self._alert)
        self._stall = Stall(
            self._status.now,
            lambda: self._status.thread,
            rank=rank,
            attempt=claim.attempt,
            stacks=stacks_file(records),
            add=self._alerts.add,
        )
        ledger = Ledger(claim.path / LEDGER)
        self._notifier = Notifier(self.name, alerts.channels, ledger, self.notice)
        self._wanted = alerts
        file = Writer(records)
        self._file = RankLog(
            file,
            self._notices,
            elsewhere=lambda: self._alerts.trouble,
            on_change=self._show_the_end,
        )
        self._flow = Flow(self._inbox, self.history, self._guard, self._outlets())
        self._earlier = Earlier(
            records, claim.size, rank, claim.attempt, self._guard, self._recall
        )
        self._screen = Screen(
            self.history,
            self._status,
            self._flow,
            self._guard,
            head=self._head,
            obey=self._obeying(),
            on_shown=partial(registry.show, self),
        )
        self._logged = Logged(self.name, self._rows, self._page)

    def _outlets(self) -> Iterator[Outlet]:
        """Yield whom the records reach, in their turn."""
        yield Outlet("file writing", self._file.take, self._file.tick)
        yield Outlet("closing the file", end=self._file.end)
        yield Outlet("bad values", self._tell_bad_values)
        yield Outlet("the step rate", self._status.take)
        yield Outlet("the stop file", self._stop.take, self._stop.tick)
        yield Outlet("measuring the machine", end=self._sampler.stop)
        alerts = self._alerts
        yield Outlet("alerts", alerts.take, alerts.tick, alerts.end)
        yield Outlet("looking for a hang", tick=self._stall.tick)

    @property
    def step(self) -> int:
        """The last step logged; 0 before the first."""
        return self._inbox.step

    @property
    def stop_requested(self) -> bool:
        """Whether a loop is to end, now that it has logged a step."""
        return self._stop.is_due(self.step)

    @property
    def status(self) -> Status:
        """What the widget's header says."""
        return self._status.status.copy()

    @property
    def phase(self) -> Phase:
        """What the run is doing, or how it ended."""
        return self._status.status["phase"]

    @property
    def notices(self) -> list[str]:
        """What went wrong beside the training, one sentence each."""
        troubles = self._file.troubles()
        return [*self._notices.said, *self._bad_values.sentences(), *troubles]

    @property
    def alerts(self) -> pd.DataFrame:
        """What was found wrong in the training so far, a row each.

        See `mswidget.records.alerts_table.alerts_table`.
        """
        return alerts_table(self._alerts.found)

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
            The optimizer step, from 1. None means one more than the last; in a run of
            `TrainMonitor`, the step that was logged last.
        epoch
            From 1.
        """
        self._guard("logging", self._log, values, step, epoch)

    def to_pandas(
        self,
        metrics: Sequence[str] | None = None,
        *,
        attempts: Attempts = "all",
        wide: bool = True,
    ) -> pd.DataFrame:
        """Return everything logged so far at full resolution, by all attempts.

        See `mswidget.records.frame.to_pandas` for the arguments and the columns.
        """
        return self._logged.to_pandas(metrics, attempts=attempts, wide=wide)

    def around(self, step: int, steps: int = 5) -> pd.DataFrame:
        """Return what was logged some steps before and after one, on all ranks.

        What is farthest from its usual value at that step stands in front. See
        `mswidget.records.around.around`.
        """
        return self._logged.around(step, steps)

    def figure(self, metrics: Sequence[str] | None = None) -> go.Figure:
        """Return the curves as a figure of plotly.py, thinned with every extreme kept.

        See `mswidget.records.figure.figure`.
        """
        return self._logged.figure(metrics)

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write everything logged so far to a ``.csv``, ``.parquet`` or ``.html`` file.

        See `mswidget.files.export.export`.
        """
        return self._logged.export(path)

    def parameters(self) -> pd.DataFrame:
        """Return the parameters that are trained, with their latest statistics.

        Known once the training has begun, to `TrainMonitor` or a `WeightWatcher`. See
        `mswidget.records.parameters.parameters_table` for the columns.
        """
        self._settle()
        return parameters_table(self._parameters, self.history)

    def set_parameters(self, parameters: Sequence[Parameter]) -> None:
        """Say what `parameters` are."""
        self._parameters = parameters

    def event(self, event: str, step: int | None = None, **fields: object) -> None:
        """Write an event, such as ``epoch_end``, and mark it on the curves."""
        self._guard("events", self._event, event, step, fields)

    def reference(self, metric: str, value: float, label: str = "") -> None:
        """Draw a horizontal line at a value, such as a target, in a metric's panel.

        Another one of the same metric and label takes its place.
        """
        self._guard("reference lines", self._reference, metric, value, label)

    def set_panels(self, panels: Panels) -> None:
        """Draw metrics together; see `start_run`.

        Raises
        ------
        ValueError
            Unless names of panels are mapped to lists of names of metrics.
        """
        checked = check_panels(panels)
        if checked and checked != self._panels:
            self._panels = checked
            self.event(PANELS, panels=checked)

    def set_status(self, **changes: object) -> None:
        """Change what the header says; the keys are those of `Status`."""
        self._status.change(changes)

    def notice(self, text: str) -> None:
        """Tell the user something, once."""
        self._notices.add(text)

    def stepped(self) -> None:
        """Note that a step has ended of which nothing is logged."""
        self._status.stepped(self._inbox.now_s())
        self.poll()

    def poll(self) -> None:
        """Handle the page's messages; call it in the main thread of a long step."""
        self._screen.poll()

    def request_stop(self) -> str:
        """Ask the training to end after the running step; returns what will happen.

        Ranks of one job end after the same step, some seconds later; each must log
        its steps. An interrupt of one rank is not agreed upon with the others.
        """
        if self.phase not in ENDED:
            self.set_status(stop="requested")
        return self._stop.ask(self.step)

    def offer_save(self, save: Save) -> None:
        """Let the page ask for a checkpoint, until the run ends.

        Only that of rank 0: what it saves, it saves alone.

        Parameters
        ----------
        save
            Writes one to the path that it is given. It is called by `log`, in the
            thread that trains; that it fails is told, and stops nothing.

        Raises
        ------
        TypeError
            For what cannot be called.
        """
        check_save(save)
        if self.rank == 0:
            self._commands.offer("ask_save", partial(self._checkpoint, save))

    def offer_log_interval(self, interval: int, set_it: Callable[[int], None]) -> None:
        """Let the page change of how many steps one is logged, until the run ends.

        Not of one of several ranks: they log the same steps.
        """
        if self._ranks == 1:
            change = partial(self._change_interval, set_it)
            self._commands.offer("ask_log_interval", change, interval)

    def obey(self, step: int) -> None:
        """Do what the page has asked for, now that the training has made this step.

        A failure is told, and does not reach the training.
        """
        self._commands.obey(step)

    def ends_after(self, step: int) -> bool:
        """Say whether the training is to end, now that it has made this step."""
        return self._stop.is_due(step)

    def begin(self) -> Self:
        """Start to write, and show the widget below the running cell."""
        if not self._flow.active:
            self._registry.begin(self)
            self._inbox.put_event(PROCESS, None, Process.here().fields())
            self._stop.begin()
            self._status.begin()
            self._commands.begin()
            self._flow.start()
            self._guard("measuring the machine", self._sampler.start)
        self._screen.show(self._display, first=self.rank == 0)
        self._look_back()
        return self

    def finish(self, phase: Phase = "finished", detail: str = "") -> None:
        """End the run: read and show everything that was logged, and write it.

        Of a burst, what is not written within some tenths of a second is written by
        the worker, or when the process ends. `flush` waits for that; so does
        `load_run`, and whatever else reads the file in this process.
        """
        if not self._flow.active or self._flow.forked:
            return
        self._flow.close()
        self._commands.end(self.step)
        asked = self._status.status["stop"] and phase == "stopped"
        self.set_status(phase=phase, detail=detail, stop="obeyed" if asked else "")
        self.event({"finished": "train_end"}.get(phase, phase), detail=detail)
        if not self._flow.end():
            self._file.put_off()
        self._registry.end(self)

    def close(self) -> None:
        """End the run if it goes on, and take its widget away; its picture stays.

        Whoever holds the run still has its values; so have its files.
        """
        self.finish()
        self._screen.close()
        self._registry.forget(self)

    def show_profile(self, profile: Showable) -> None:
        """Display the curves and, below them in the same output, a profile.

        Curves that this cell shows already are not shown again; while the training
        runs they stay live.

        Parameters
        ----------
        profile
            As `mswidget.load_profile` returns it.
        """
        self._screen.show_once()
        self._look_back()
        profile.show()

    def flush(self) -> None:
        """Write what was logged so far; for a process that is about to end."""
        if not self._flow.forked and self._flow.flush():
            self._file.flush()

    def __enter__(self) -> Self:
        """From here on an interrupt does not kill the kernel."""
        self._interrupts = Interrupts(None, self.flush, self.is_slow)
        self._interrupts.__enter__()
        return self if self._flow.active else self.begin()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the run with what really happened."""
        try:
            self.finish(*ending(error, stopped=self._stopped_early()))
        finally:
            self._interrupts.__exit__(kind, error, traceback)

    def _ipython_display_(self) -> None:
        """Show the curves below a cell that ends in the run; IPython calls this."""
        self._screen.show_once()
        self._look_back()
        if not self._screen.is_open:
            print(repr(self))  # noqa: T201 - it stands for what IPython would print

    def is_slow(self) -> bool:
        """Say whether a step may take seconds: it compiles, or steps did so far."""
        return self._status.is_slow()

    def __repr__(self) -> str:
        """Name, state and place."""
        return f"<Run {self.name!r}: {self.phase}, step {self.step}, {self.path}>"

    def _log(
        self, values: Mapping[str, object], step: int | None, epoch: int | None
    ) -> None:
        now_s = self._inbox.put(values, step, epoch)
        if self._goes_on:
            # Only now it is known from which step on; without it, a reader takes the
            # run for ended as its last attempt has.
            self._event(BEGIN, self._inbox.step - 1, {})
        self._status.logged(self._inbox.step, self._inbox.epoch, now_s)
        self._flow.wake()
        self._screen.poll_in_time(now_s)
        if self._counts:
            self.obey(self._inbox.step)

    def _event(
        self, event: str, step: int | None, fields: Mapping[str, object]
    ) -> None:
        self._goes_on &= event != BEGIN
        self._status.mark(self._inbox.put_event(event, step, fields))

    def _reference(self, metric: object, value: object, label: object) -> None:
        try:
            fields = reference_fields(metric, value, label)
        except ValueError as error:
            self.notice(f"a reference line is not drawn: {error}")
        else:
            self._event(REFERENCE, None, fields)

    def _obeying(self) -> Mapping[str, Callable[[Any], str]]:
        """Return what obeys a page; it only notes down what is asked."""
        ask = self._commands.ask
        return {
            "ask_stop": lambda _: self.request_stop(),
            "ask_save": lambda _: ask("ask_save"),
            "ask_log_interval": lambda asked: ask("ask_log_interval", asked["steps"]),
        }

    def _tell_commands(self, commands: Sequence[Command]) -> None:
        self.set_status(commands=commands)

    def _checkpoint(self, save: Save, step: int, _value: int | None) -> str:
        """Save a checkpoint and mark it; returns which file that is."""
        before = self.phase
        self.set_status(phase="saving")
        try:
            file = save_checkpoint(self.path, step, save)
        finally:
            self.set_status(phase=before)
        self.event("checkpoint", step, file=str(file))
        return f"{file}, of rank 0 alone" if self._ranks > 1 else str(file)

    def _change_interval(
        self, set_it: Callable[[int], None], step: int, interval: int | None
    ) -> str:
        """Change how many steps one is logged of, and mark it."""
        interval = interval or 1
        set_it(interval)
        self.event("log_interval", step, steps=interval)
        return f"one step in {interval} is logged"

    def _stopped_early(self) -> bool:
        """Say whether a loop ended because of a stop; it may have ignored it."""
        total = self._status.status["total_steps"]
        return self._stop.is_obeyed(self.step) and not (total and self.step >= total)

    def _tell_bad_values(self, items: Items) -> None:
        del items  # they have been looked at
        for text in self._bad_values.fresh():
            tell(f"{self.name}: {text}")

    def _numbers(self, row: Row) -> dict[str, float]:
        """Return what is recorded of a row."""
        numbers = (
            row.values if row.plain else self._bad_values.sift(row.step, row.values)
        )
        self._skipped(row.step, numbers)
        return numbers

    def _mark_bad_value(self, step: int, metric: str, found: str) -> None:
        self.event(NO_NUMBER, step, metric=metric, found=found)

    def _alert(self, alert: Alert) -> None:
        self._status.alert(alert)
        tell(f"{self.name}: {'; '.join(filter(None, [alert.title, alert.advice]))}")
        self._notifier.take(alert)
        if self.phase not in ENDED:
            self._act_on(alert)

    def _act_on(self, alert: Alert) -> None:
        saves = alert.rule in self._wanted.save_on and self.rank == 0
        if saves:
            try:
                self._commands.ask("ask_save")
            except RefusedError as error:
                self.notice(f"save_on={alert.rule!r} saves nothing: {error}")
        if alert.rule in self._wanted.stop_on:
            self.notice(f"stop_on={alert.rule!r} ends the training: {alert.title}")
            self.set_status(stop="requested")
            # The running step may have saved already what it had to.
            self._stop.ask(self.step + saves)

    def _rows(self, ranks: Sequence[int] | None) -> dict[int, Rows]:
        """Return everything logged so far, by earlier attempts too."""
        del ranks  # there is this one
        self._earlier.read()
        self._settle()
        return {self.rank: self.history.rows(self.history.first)}

    def _settle(self) -> None:
        """Bring what was logged to the history and the file."""
        self._guard("reading values", self._inbox.read, math.inf)
        if not self._flow.forked:
            self._flow.flush()

    def _look_back(self) -> None:
        """Let earlier attempts be read where they are seen."""
        if self._screen.is_open:
            self._earlier.begin()

    def _recall(self, earlier: Rank) -> None:
        """Take in what earlier attempts have logged."""
        self.history.put_before(earlier.history)
        self._status.recall(earlier)
        for note in earlier.notes:
            self.notice(note)
        # A view of a run that has ended shows it too.
        self._flow.wake()

    def _show_the_end(self) -> None:
        self._screen.renew()

    def _page(self) -> str:
        # The page's parts come with Jupyter's widgets.
        from mswidget.widget.html_page import html_page  # noqa: PLC0415

        self._rows(None)  # all that was logged is there from here on
        return html_page(self._head(), {"": self.history})

    def _facts(self) -> RunInfo:
        return {
            "name": self.name,
            "path": str(self.path),
            "rank": self.rank,
            "attempt": self.attempt,
        }

    def _head(self) -> Head:
        return self._status.head(self.notices)
