"""One call of ``Model.train``, as it reaches the run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from mindspore.train import RunContext

from mswidget.collect.step_values import StepValues
from mswidget.collect.steps import Params, Steps, find_epochs
from mswidget.ending import ending
from mswidget.session import Run
from mswidget.widget.protocol import Phase

_TOTALS: tuple[Literal["total_steps", "total_epochs", "steps_per_epoch"], ...] = (
    "total_steps",
    "total_epochs",
    "steps_per_epoch",
)


class Training:
    """Logs what MindSpore's callbacks are told.

    Parameters
    ----------
    run
        Where it goes; begun already.
    context
        MindSpore's, at the begin of the first epoch.
    steps
        Counts through the whole training.
    values
        Collects what a step has to tell.
    log_interval
        Log every so many steps.
    facts
        What is known of it at its begin.
    """

    def __init__(
        self,
        run: Run,
        context: RunContext,
        steps: Steps,
        values: StepValues,
        *,
        log_interval: int,
        facts: Mapping[str, object],
    ) -> None:
        self.run = run
        self.steps = steps
        self._context = context
        # One live dict for the whole call.
        self._params: Params = context.original_args()
        self._values = values
        self._log_interval = log_interval
        self._facts = facts
        self._recorded = False
        self._logged = steps.offset.steps
        self._epochs = find_epochs(self._params)
        self._epoch: int | None = None
        self._announce()

    def _announce(self) -> None:
        epochs, called = self._params.get("epoch_num"), self._epochs.called
        before = int(self._params.get("cur_epoch_num") or 1) - 1
        steps = self.steps.offset.steps + epochs * called if epochs and called else None
        all_called = None if epochs is None else before + epochs
        self.run.set_status(
            total_epochs=self._epochs.total(all_called, steps),
            steps_per_epoch=self._epochs.length,
            total_steps=steps,
        )

    def _record_begin(self) -> None:
        """Write how the training began, once: the structure is known a step later."""
        if self._recorded:
            return
        self._recorded = True
        offset = self.steps.offset
        facts = {**self._values.facts(self._params), **self._facts}
        begin = {"offset": offset.steps, "offset_from": offset.source, **facts}
        begin |= {name: self.run.status[name] for name in _TOTALS}
        self.run.event("train_begin", offset.steps, **begin)

    @property
    def step(self) -> int:
        """The step at hand, counted through the whole training."""
        return self.steps.number(self._params)

    def is_asked_to_end(self) -> bool:
        """Say whether somebody wants the training to end with the step at hand."""
        return self.run.ends_after(self.step)

    def epoch_begin(self) -> None:
        """Start an epoch."""
        called = self._params.get("cur_epoch_num")
        self._epoch = self._epochs.of(self.last_step + 1, called)
        self.run.set_status(epoch=self._epoch)
        self._values.epoch_begin(self._params)

    def step_begin(self) -> None:
        """Start a step; the first one compiles."""
        if self.steps.seen == self.steps.begun_at:
            self.run.set_status(phase="compiling")
        self._values.step_begin(self._params)

    def step_end(self) -> None:
        """Log the step when its turn has come."""
        first = self.steps.seen == self.steps.begun_at
        stride = self.steps.ended(self._params)
        self._values.step_end(stride, self._params)
        self._epoch = self._epochs.of(self.step, self._params.get("cur_epoch_num"))
        self._record_begin()
        if first:
            every = f"every {stride} steps (data sink)" if stride > 1 else ""
            self.run.set_status(phase="training", detail=every)
        interval = self._log_interval
        if self.step // interval > (self.step - stride) // interval:
            self._log()
        else:
            self.run.poll()
        self._values.step_left(self._params)

    def epoch_end(self) -> None:
        """Mark an epoch's end; after a stop MindSpore also calls one that is cut."""
        called = self._epochs.called
        done = self.steps.seen - self.steps.begun_at
        if called and done % called and self._context.get_stop_requested():
            return
        stride = min(done, called or done)
        ended = self._epochs.ended(self.step, stride, self._params.get("cur_epoch_num"))
        if ended is not None:
            self.run.event("epoch_end", self.step, epoch=ended)

    def eval_begin(self) -> None:
        """Say that an evaluation runs."""
        self.run.set_status(phase="evaluating")

    def eval_end(self, params: Params) -> None:
        """Log an evaluation's metrics at the last train step."""
        found = params.get("eval_results") or params.get("metrics") or {}
        metrics = {f"eval/{name.removeprefix('eval_')}": found[name] for name in found}
        self.run.log(metrics, step=self.last_step, epoch=self._epoch)
        self.run.event("eval", self.last_step)
        self.run.set_status(phase="training")

    @property
    def last_step(self) -> int:
        """The step that ended last; MindSpore counts an evaluation's own steps too."""
        return self.steps.offset.steps + self.steps.seen - self.steps.begun_at

    def log_last(self) -> None:
        """Log the last step if it is not, whatever the interval, and look around.

        A callback that raised before ours, as LossMonitor does on NaN, kept it away.
        """
        if self._values.is_fresh(self._params):
            self._values.step_end(self.steps.ended(self._params), self._params)
        self._record_begin()
        if self._has_ended and self.step > self._logged:
            self._log()
        self._values.end(self._params)

    def ending(
        self, error: BaseException | None, *, interrupted: bool
    ) -> tuple[Phase, str]:
        """Return how the training ended, and why in words."""
        if interrupted:
            return "stopped", "interrupted"
        total = self.run.status["total_steps"]
        stopped = self.run.ends_after(self.last_step) and self.last_step != total
        if error is None and not stopped and self._context.get_stop_requested():
            return "stopped", "by another callback"
        return ending(error, stopped=stopped)

    @property
    def _has_ended(self) -> bool:
        """Whether the step at hand has; one that another callback cut off has not."""
        training = self._params.get("mode") == "train"
        return training and self.steps.seen == self._params["cur_step_num"]

    def _log(self) -> None:
        values = self._values.read(self._params)
        self.run.log(values, step=self.step, epoch=self._epoch)
        self._logged = self.step
