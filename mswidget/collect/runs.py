"""The runs of one monitor: which one a training belongs to, and how it begins there."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import partial
from operator import is_

from mindspore import nn
from mindspore.train import RunContext

from mswidget.collect.checkpoint import save_network
from mswidget.collect.config import capture
from mswidget.collect.options.options import Options
from mswidget.collect.options.own_metric import OwnMetric
from mswidget.collect.outputs.share import Share
from mswidget.collect.parallel import find_share
from mswidget.collect.sources.source import Subject
from mswidget.collect.step_values import StepValues
from mswidget.collect.steps.offset import Offset, find_offset, global_step
from mswidget.collect.steps.params import Params
from mswidget.collect.steps.progress import Progress
from mswidget.collect.train_step.networks import find_optimizer
from mswidget.collect.training import Training
from mswidget.files import folder
from mswidget.files.redact import redact
from mswidget.guard import Guard
from mswidget.run import provenance
from mswidget.run.session import Run
from mswidget.run.start import default_name, open_run


class Runs:
    """Begins each training in a run of its own, or in the one that it goes on with.

    Parameters
    ----------
    options
        What the user gave to `TrainMonitor`.
    metrics
        The user's own; more may be added later.
    """

    def __init__(self, options: Options, metrics: Sequence[OwnMetric]) -> None:
        self._options = options
        self._metrics = metrics
        self._trained: list[weakref.ref[nn.Cell]] = []
        self._last_step = 0
        self._counted = 0
        self._log_interval = options.log_interval
        self.last: Run | None = None
        """The run of the last, or the running, training."""

    def begin(self, context: RunContext, guard: Guard) -> Training:
        """Begin a training, once MindSpore has said at which epoch."""
        params = context.original_args()
        network = params.get("network", params["train_network"])
        optimizer = find_optimizer(params.get("optimizer"), params["train_network"])
        same = self._goes_on(network, optimizer)
        # An older checkpoint that is loaded takes the optimizer back.
        back = max(0, self._counted - global_step(optimizer)) if same else 0
        offset = find_offset(
            params,
            start_step=None if same else self._options.start_step,
            own_last=self._last_step - back if same else 0,
            optimizer=optimizer,
        )
        config = guard("the config's record", self._record, params, optimizer) or {}
        if not same or back or self.last is None:
            name = self._options.name or default_name(type(network).__name__)
            if back and offset.steps and self.last is not None:
                name = self.last.name
            self.last = self._open(name, offset, config)
        run = self.last.begin()
        run.set_panels(self._options.panels)
        share = guard("the parallel configuration", find_share, params, run.rank)
        progress = Progress(params, offset, self._log_interval)
        subject = Subject(
            params=params,
            options=self._options,
            metrics=self._metrics,
            network=params["train_network"],
            optimizer=optimizer,
            share=share or Share(),
            progress=progress,
            notice=run.notice,
            event=run.event,
            set_parameters=run.set_parameters,
        )
        save = self._options.save or partial(save_network, params["train_network"])
        run.offer_save(save)
        set_interval = partial(setattr, progress, "log_interval")
        run.offer_log_interval(progress.log_interval, set_interval)
        return Training(
            run,
            context,
            progress,
            StepValues(subject, Guard(run.notice)),
            facts={"config": config, **redact(provenance.facts())},
        )

    def ended(self, training: Training, guard: Guard) -> None:
        """Remember where a training has ended; a later one may go on from there."""
        self._last_step = training.progress.last_step
        self._log_interval = training.progress.log_interval
        # A device that failed may not tell.
        counted = guard("counting steps", global_step, self._trained[-1]())
        self._counted = counted or 0

    def _open(self, name: str, offset: Offset, config: dict[str, object]) -> Run:
        options = self._options
        return open_run(
            name,
            folder.check_log_dir(options.log_dir),  # it may be gone by now
            display=options.display,
            resume=options.resume or offset.steps > 0,
            read=options.read,
            counts=False,
            config=config,
            alerts=options.alerts,
        )

    def _record(self, params: Params, optimizer: nn.Cell | None) -> dict[str, object]:
        """Return what is trained and how, and what the user says of it."""
        given = {"given": self._options.config} if self._options.config else {}
        return redact({**capture(params, optimizer), **given})

    def _goes_on(self, *cells: nn.Cell | None) -> bool:
        """Say whether this trains what the last call trained."""
        before = [cell() for cell in self._trained]
        now = [cell for cell in cells if cell is not None]
        self._trained = [weakref.ref(cell) for cell in now]
        return len(before) == len(now) and all(map(is_, before, now))
