"""One call of ``Model.train``, as it reaches the run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from mindspore.train import RunContext

from mswidget.collect.step_values import StepValues
from mswidget.collect.steps.epochs import find_epochs
from mswidget.collect.steps.params import Params
from mswidget.collect.steps.progress import Progress
from mswidget.run.ending import ending
from mswidget.run.session import Run
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
    progress
        How far it is.
    values
        Collects what a step has to tell.
    facts
        What is known of it at its begin.
    """

    def __init__(
        self,
        run: Run,
        context: RunContext,
        progress: Progress,
        values: StepValues,
        *,
        facts: Mapping[str, object],
    ) -> None:
        self.run = run
        self.progress = progress
        self._context = context
        self._params = progress.params
        self._values = values
        self._facts = facts
        self._recorded = False
        self._epochs = find_epochs(self._params)
        self._epoch: int | None = None
        self._ended_in: int | None = None
        self._announce()

    def _announce(self) -> None:
        epochs, called = self._params.get("epoch_num"), self._epochs.called
        before = int(self._params.get("cur_epoch_num") or 1) - 1
        offset = self.progress.offset.steps
        steps = offset + epochs * called if epochs and called else None
        all_called = None if epochs is None else before + epochs
        self.run.set_status(
            total_epochs=self._epochs.total(all_called, steps),
            steps_per_epoch=self._epochs.length,
            total_steps=steps,
        )

    def _record_begin(self) -> None:
        """Write how the training began: the structure is known a step later."""
        self._recorded = True
        offset = self.progress.offset
        facts = {**self._values.facts(self.progress), **self._facts}
        begin = {"offset": offset.steps, "offset_from": offset.source, **facts}
        begin |= {name: self.run.status[name] for name in _TOTALS}
        self.run.event("train_begin", offset.steps, **begin)

    def is_asked_to_end(self) -> bool:
        """Say whether somebody wants the training to end with the step at hand."""
        return self.run.ends_after(self.progress.number(self._params["cur_step_num"]))

    def epoch_begin(self) -> None:
        """Start an epoch."""
        called = self._params.get("cur_epoch_num")
        self._epoch = self._epochs.of(self.progress.last_step + 1, called)
        self.run.set_status(epoch=self._epoch)
        self._values.epoch_begin(self.progress)

    def step_begin(self) -> None:
        """Start a step; the first one compiles."""
        self.progress.begin()
        if not self._recorded:
            self.run.set_status(phase="compiling")
        self._values.step_begin(self.progress)

    def step_end(self) -> bool:
        """Log the step when its turn has come; say whether it is to be the last."""
        progress = self.progress
        self._end_step()
        if not self._recorded:
            self._begun()
        if progress.is_due:
            self._log()
        else:
            self.run.stepped()
        self._values.step_left(progress)
        self.run.obey(progress.step)
        return self.run.ends_after(progress.step)

    def _end_step(self) -> None:
        """Move on to a step's end; a sink may end in a later epoch than it begins."""
        self.progress.end()
        self._values.step_end(self.progress)
        if self._epochs.differ:
            called = self._params.get("cur_epoch_num")
            self._epoch = self._epochs.of(self.progress.step, called)
        self._ended_in = self._epoch

    def _begun(self) -> None:
        """Say that the first step has ended."""
        self._record_begin()
        stride = self.progress.steps
        every = f"every {stride} steps (data sink)" if stride > 1 else ""
        self.run.set_status(phase="training", detail=every)

    def epoch_end(self) -> None:
        """Mark an epoch's end; after a stop MindSpore also calls one that is cut."""
        called = self._epochs.called
        done = self.progress.seen - self.progress.begun_at
        if called and done % called and self._context.get_stop_requested():
            return
        step, stride = self.progress.last_step, min(done, called or done)
        ended = self._epochs.ended(step, stride, self._params.get("cur_epoch_num"))
        if ended is not None:
            self.run.event("epoch_end", step, epoch=ended)

    def eval_begin(self) -> None:
        """Say that an evaluation runs."""
        self.run.set_status(phase="evaluating")

    def eval_end(self, params: Params) -> None:
        """Log an evaluation's metrics at the last train step."""
        results = params.get("eval_results") or params.get("metrics") or {}
        metrics = {
            f"eval/{name.removeprefix('eval_')}": value
            for name, value in results.items()
        }
        step = self.progress.last_step
        self.run.log(metrics, step=step, epoch=self._epoch)
        self.run.event("eval", step)
        self.run.set_status(phase="training")

    def log_last(self) -> None:
        """Log the last step if it is not, whatever the interval, and look around.

        A callback that raised before ours, as LossMonitor does on NaN, kept it away.
        """
        if self.progress.is_fresh:
            self._end_step()
        if not self._recorded:
            self._record_begin()
        if self.progress.last_step > self.progress.logged:
            if self._has_ended:
                self._log()
            else:
                self._log_late()
        self._values.end(self.progress)

    def ending(
        self, error: BaseException | None, *, interrupted: bool
    ) -> tuple[Phase, str]:
        """Return how the training ended, and why in words."""
        if interrupted:
            return "stopped", "interrupted"
        total, last = self.run.status["total_steps"], self.progress.last_step
        stopped = self.run.ends_after(last) and last != total
        if error is None and not stopped and self._context.get_stop_requested():
            return "stopped", "by another callback"
        return ending(error, stopped=stopped)

    @property
    def _has_ended(self) -> bool:
        """Whether the step at hand has; one that another callback cut off has not."""
        training = self._params.get("mode") == "train"
        return training and self.progress.seen == self._params["cur_step_num"]

    def _log(self) -> None:
        progress = self.progress
        values = self._values.read(progress)
        self.run.log(values, step=progress.last_step, epoch=self._ended_in)
        progress.logged = progress.last_step

    def _log_late(self) -> None:
        """Log what is left of the last step when the one after it was cut off."""
        values = self._values.read_late(self.progress)
        self.run.log(values, step=self.progress.last_step, epoch=self._ended_in)
