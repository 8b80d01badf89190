"""The callback that watches a training."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from types import TracebackType

from mindspore.train import Callback, RunContext
from typing_extensions import Self

from mswidget.alerts.options import Notify, alert_options
from mswidget.alerts.threshold import Threshold
from mswidget.collect.options import options
from mswidget.collect.options.own_metric import OwnMetric
from mswidget.collect.options.tokens import Tokens
from mswidget.collect.options.weight_options import WeightOptions
from mswidget.collect.runs import Runs
from mswidget.collect.steps.params import Params
from mswidget.collect.training import Training
from mswidget.files import folder
from mswidget.guard import Guard, tell
from mswidget.run import provenance
from mswidget.run.checkpoint import Save, check_save
from mswidget.run.interrupt import Interrupts
from mswidget.run.screen import Display, Showable
from mswidget.run.session import Panels, Read, Run
from mswidget.run.start import check_display, check_read, check_resume
from mswidget.widget.wishes import check_panels


class TrainMonitor(Callback):
    """Watches ``Model.train`` and ``Model.fit``; the curves show below the cell.

    Outside of a notebook it writes its files and prints a line now and then.

    Parameters
    ----------
    name
        The run's folder; an existing one gives ``name-2``. Default: ``MODEL_NAME``,
        else the network's class and the local time.
    log_dir
        Default: ``MSWIDGET_LOG_DIR``, else ``train_logs``.
    log_interval
        Log every so many steps, and the last.
    parts
        Names for the values of a train step that returns a tuple: of all, or of all
        but the first, which is the loss.
    outputs
        Names for all that a train step returns in a tuple, kept as they are, an empty
        one to leave it out; or ``"mindformers"`` or ``"loss_scale"`` for what those
        return. Default: by the type of the train step, else ``parts``.
    config
        What you want to know of this run later: a dict, or an object with attributes.
        It stands in ``run.json`` beside what is found by itself, without secrets.
    display
        Show the live widget in a Jupyter kernel; elsewhere, on rank 0, a line of text
        at most once a second. ``"text"``: always text, on every rank; False: nothing.
    tokens_per_sample
        The sequence length, for ``tokens_per_s``: samples/s * tokens of a sample. As
        the samples it is of this rank: ranks that share a batch show the same.
    flops_per_token
        Forward and backward of one token, on one NPU: 6 * parameters is a common
        estimate, to be divided by the NPUs that share a batch. It gives
        ``tflops_per_npu``: tokens/s * FLOPs of a token / 1e12.
    peak_tflops
        What the NPU can do at most, for ``mfu``: TFLOP/s per NPU / peak, 0 to 1.
    watch
        Statistics of which parameters: shell patterns of their names, such as
        ``"*.attention.*"`` or a list; True: of all that are trained, in a large network
        of some that span it; False: of none. See `Run.parameters`.
    watch_interval
        Take them at the first step and one in so many, rounded up to a multiple of
        ``log_interval``. Other steps copy nothing. Default: one in 50, of which those
        are left out that would make them cost more than 1 % of the time.
    watch_gradients
        Also of their gradients; needs a `MonitoredTrainStep`. Graph mode compiles a
        second graph for these steps, and every rank has to ask for the same: by
        default none of the steps is left out.
    start_step
        Steps made before this training. Default: what the optimizer has counted.
    resume
        Go on with the run of that name, as its next attempt.
    read
        ``deferred`` reads tensors a step behind, ``now`` in the step that logs.
    save
        Writes a checkpoint to the path that it is given, when the widget's button asks
        for one. Default: parameters and optimizer, as MindSpore's ``save_checkpoint``.
    panels
        Metrics that are drawn together, by the panel's name:
        ``{"speed": ["samples_per_s", "train/items_per_s"]}``. The validation loss
        ``eval/loss`` stands beside the loss anyway.
    alerts, stop_on, save_on, notify
        Rules of your own, those that end the training or save a checkpoint, and who is
        told: see `start_run`.

    Raises
    ------
    TypeError, ValueError
        For an option that does not exist, or a value that makes no sense.
    OSError
        When nothing can be written into ``log_dir``.

    Examples
    --------
    >>> monitor = TrainMonitor("detr-baseline")
    >>> model.train(10, dataset, callbacks=[monitor])
    >>> monitor.run.to_pandas()
    """

    def __init__(  # noqa: PLR0913 - options, each by its name
        self,
        name: str | None = None,
        log_dir: str | os.PathLike[str] | None = None,
        *,
        log_interval: int = 1,
        parts: Sequence[str] | None = None,
        outputs: Sequence[str] | str | None = None,
        config: object = None,
        display: Display = True,
        tokens_per_sample: float | None = None,
        flops_per_token: float | None = None,
        peak_tflops: float | None = None,
        watch: bool | str | Sequence[str] = True,
        watch_interval: int | None = None,
        watch_gradients: bool = False,
        start_step: int | None = None,
        resume: bool = False,
        read: Read = "deferred",
        save: Save | None = None,
        panels: Panels | None = None,
        alerts: Sequence[Threshold] = (),
        stop_on: Sequence[str] = (),
        save_on: Sequence[str] = (),
        notify: Sequence[Notify] = (),
        **unknown: object,
    ) -> None:
        super().__init__()
        options.check_keywords(unknown, _OPTIONS)
        options.check_count("log_interval", log_interval, least=1)
        check_read(read)
        check_resume(resume)
        check_display(display)
        if save is not None:
            check_save(save)
        if parts is not None:
            options.check_parts(parts)
        if outputs is not None:
            options.check_outputs(outputs, parts)
        if start_step is not None:
            options.check_count("start_step", start_step, least=0)
        given = os.environ.get("MODEL_NAME") if name is None else name
        self._options = options.Options(
            name=None if given is None else folder.check_name(given),
            log_dir=folder.check_log_dir(log_dir),
            log_interval=log_interval,
            parts=parts,
            outputs=outputs,
            config=provenance.given_config(config),
            display=display,
            tokens=Tokens(tokens_per_sample, flops_per_token, peak_tflops),
            weights=WeightOptions(watch, watch_interval, watch_gradients),
            start_step=start_step,
            resume=resume,
            read=read,
            save=save,
            panels=check_panels(panels or {}),
            alerts=alert_options(alerts, stop_on, save_on, notify),
        )
        self._metrics: list[OwnMetric] = []
        self._runs = Runs(self._options, self._metrics)
        self._training: Training | None = None
        self._guard = Guard(self._report)
        self._depth = 0
        self._interrupted = False

    @property
    def run(self) -> Run:
        """The run of the last, or the running, training."""
        if self._runs.last is None:
            message = "no run yet: it begins with Model.train(..., callbacks=[monitor])"
            raise RuntimeError(message)
        return self._runs.last

    def add_metric(
        self, name: str, fn: Callable[[Params], object], every: int = 1
    ) -> None:
        """Log ``fn``'s value every so many steps.

        Parameters
        ----------
        name
            The metric, such as ``eval/bleu``.
        fn
            Called in the training's thread at a step's end with MindSpore's callback
            parameters (``run_context.original_args()``); returns a number or tensor,
            or None for no value. One that raises is told once and called no more.
        every
            Steps from one call to the next.

        Raises
        ------
        TypeError, ValueError
            For a name, function or number that is none.
        """
        self._metrics.append(OwnMetric(name, fn, every))

    def stop(self) -> None:
        """End the training after the running step; see `Run.request_stop`."""
        self.run.request_stop()

    def show_profile(self, profile: Showable) -> None:
        """Display the run's curves and, below them in the same output, a profile.

        Before the first training there are no curves yet, only the profile.

        Parameters
        ----------
        profile
            As `mswidget.load_profile` returns it.
        """
        if self._runs.last is None:
            profile.show()
        else:
            self._runs.last.show_profile(profile)

    def _ipython_display_(self) -> None:
        """Show the curves below a cell that ends in the monitor; IPython calls this."""
        if self._runs.last is None:
            text = "TrainMonitor: no run yet, it begins with Model.train"
            print(text)  # noqa: T201 - it stands for what IPython would print
        else:
            self._runs.last._ipython_display_()

    def __enter__(self) -> Self:
        """MindSpore calls this before anything else of ``train``, ``fit``, ``eval``."""
        self._depth += 1
        if self._depth == 1:
            self._interrupted = False
            self._guard = Guard(self._report)
            self._interrupts = Interrupts(self._interrupt, self._flush, self._busy)
            self._guard("handling interrupts", self._interrupts.__enter__)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """MindSpore calls this at the very end, also after an exception."""
        self._depth -= 1
        if self._depth:
            return
        try:
            self._guard("recording the end", self._end, error)
        finally:
            self._interrupts.__exit__(kind, error, traceback)
        if self._interrupted and error is None:
            # The training has returned as if finished: the cells after it must not run.
            raise KeyboardInterrupt

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        """Begin the run, once MindSpore has said at which epoch."""
        if self._training is None:
            begin = self._runs.begin
            self._training = self._guard(
                "beginning the run", begin, run_context, self._guard
            )
        if self._training is not None:
            self._guard("an epoch's begin", self._training.epoch_begin)

    def on_train_step_begin(self, run_context: RunContext) -> None:  # noqa: ARG002
        """Take what is gone when the step has ended."""
        if self._training is not None:
            self._guard("a step's begin", self._training.step_begin)

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Log the step, and stop when asked to."""
        asked, training = None, self._training
        if training is not None:
            asked = self._guard("logging steps", training.step_end)
            if asked is None:  # it has failed: a stop is obeyed all the same
                asked = self._guard("stopping", training.is_asked_to_end)
        if self._interrupted or asked:
            run_context.request_stop()

    def on_train_epoch_end(self, run_context: RunContext) -> None:  # noqa: ARG002
        """Mark the epoch's end."""
        if self._training is not None:
            self._guard("an epoch's end", self._training.epoch_end)

    def on_eval_begin(self, run_context: RunContext) -> None:  # noqa: ARG002
        """Say that an evaluation runs, unless the user wants out."""
        self._leave_if_interrupted()
        if self._training is not None:
            self._guard("an evaluation's begin", self._training.eval_begin)

    def on_eval_step_end(self, run_context: RunContext) -> None:  # noqa: ARG002
        """Stay reachable during a long evaluation."""
        self._leave_if_interrupted()
        if self._training is not None:
            self._training.run.poll()

    def on_eval_end(self, run_context: RunContext) -> None:
        """Log the metrics."""
        if self._training is not None:
            params = run_context.original_args()
            self._guard("an evaluation's metrics", self._training.eval_end, params)

    def _end(self, error: BaseException | None) -> None:
        training, self._training = self._training, None
        if training is None:
            return
        phase, detail = training.ending(error, interrupted=self._interrupted)
        self._guard("the last step", training.log_last)
        training.run.finish(phase, detail)
        self._runs.ended(training, self._guard)  # last: it asks the device

    def _interrupt(self) -> None:
        self._interrupted = True

    def _busy(self) -> bool:
        """Say whether the main thread is expected to be in C for seconds."""
        # Before a training has begun, and behind it, the last run says nothing of this.
        return self._training is None or self._training.run.is_slow()

    def _leave_if_interrupted(self) -> None:
        # `fit` evaluates even after a requested stop; that may take long.
        if self._interrupted:
            raise KeyboardInterrupt

    def _flush(self) -> None:
        if self._training is not None:
            self._training.run.event("stopped", detail="the process was ended")
        if self._runs.last is not None:
            self._runs.last.flush()

    def _report(self, text: str) -> None:
        if self._training is not None:
            self._training.run.notice(text)
        else:
            tell(text)


_OPTIONS = [
    name
    for name, parameter in inspect.signature(TrainMonitor).parameters.items()
    if parameter.kind is not parameter.VAR_KEYWORD
]
