"""New runs: their folder, their name, and the list of this process's runs."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from mswidget.alerts.options import AlertOptions, Notify, alert_options
from mswidget.alerts.threshold import Threshold
from mswidget.files import folder
from mswidget.files.writer import catch_up
from mswidget.run import provenance
from mswidget.run.ending import ending
from mswidget.run.registry import Registry
from mswidget.run.screen import Display
from mswidget.run.session import Panels, Read, Run
from mswidget.widget.wishes import check_panels

RUNS: Registry[Run] = Registry()
"""The runs of this process."""


def start_run(  # noqa: PLR0913 - options, each by its name
    name: str | None = None,
    *,
    log_dir: str | os.PathLike[str] | None = None,
    display: Display = True,
    resume: bool = False,
    read: Read = "deferred",
    total_steps: int | None = None,
    config: object = None,
    panels: Panels | None = None,
    alerts: Sequence[Threshold] = (),
    stop_on: Sequence[str] = (),
    save_on: Sequence[str] = (),
    notify: Sequence[Notify] = (),
) -> Run:
    """Start a run for a hand-written loop.

    It has begun when it is returned. In ``with start_run("name") as run:`` it also
    ends by itself, with what really happened, and an interrupt ends the loop, not the
    kernel; otherwise call ``run.finish()``.

    Parameters
    ----------
    name
        The run's folder; an existing one gives ``name-2``. Default: ``MODEL_NAME``,
        else ``run`` and the local time.
    log_dir
        Default: ``MSWIDGET_LOG_DIR``, else ``train_logs``.
    display
        Show the live widget in a Jupyter kernel; elsewhere, on rank 0, a line of text
        at most once a second. ``"text"``: always text, on every rank; False: nothing.
    resume
        Go on with the run of that name, as its next attempt.
    read
        ``deferred`` reads tensors a step behind, ``now`` in the step that logs.
    total_steps
        For progress and the time left.
    config
        What you want to know of this run later: a dict, or an object with attributes.
        It is written to ``run.json``, without what looks like a secret.
    panels
        Metrics that are drawn together, by the panel's name:
        ``{"speed": ["samples_per_s", "train/items_per_s"]}``. The validation loss
        ``eval/loss`` stands beside the loss anyway.
    alerts
        Rules of your own, beside those that are always asked: `Threshold`.
    stop_on
        Names of rules, such as ``["nonfinite", "diverged"]``: what they find ends the
        training of all ranks. A loop asks ``run.stop_requested``.
    save_on
        Names of rules at which rank 0 saves a checkpoint after the running step, before
        a stop. A loop gives what does so: `Run.offer_save`.
    notify
        Who is told of alerts: ``env:NAME`` or ``file:PATH``, where the address of a
        web hook stands, a `Webhook`, or a function that is given an ``Alert``.

    Raises
    ------
    TypeError
        For a config that has neither keys nor attributes, and for alerts and notices
        that are none.
    ValueError
        For a name that cannot be a folder's, and for an option of another kind.
    OSError
        When nothing can be written into ``log_dir``.
    """
    if total_steps is not None and (type(total_steps) is not int or total_steps < 1):
        raise ValueError(
            f"total_steps={total_steps!r}: expected a whole number of at least 1, or "
            "None when it is not known"
        )
    given = provenance.given_config(config)
    wanted = alert_options(alerts, stop_on, save_on, notify)
    check_display(display)
    check_resume(resume)
    check_read(read)
    check_panels(panels or {})
    place = folder.check_log_dir(log_dir)
    run = open_run(
        folder.check_name(name or default_name("run")),
        place,
        display=display,
        resume=resume,
        read=read,
        counts=True,
        config={"given": given} if given else {},
        alerts=wanted,
    )
    run.set_status(total_steps=total_steps)
    run.begin().set_panels(panels or {})
    return run


def open_run(  # noqa: PLR0913 - all by their names
    name: str,
    log_dir: Path,
    *,
    display: Display,
    resume: bool,
    read: Read,
    counts: bool,
    config: Mapping[str, object],
    alerts: AlertOptions,
) -> Run:
    """Take a run folder; the arguments are checked already."""
    rank, ranks = _number_from("RANK_ID", 0), _number_from("RANK_SIZE", 1)
    job = folder.job_key()
    facts = {
        "start": datetime.now().astimezone().isoformat(),
        "host": os.uname().nodename,
        "rank_size": ranks,
        **provenance.facts(),
        "config": config,
    }
    take = folder.resume if resume else folder.claim
    claim = take(log_dir, name, rank=rank, job=job, facts=facts)
    run = Run(
        claim,
        RUNS,
        rank=rank,
        ranks=ranks,
        display=display,
        read=read,
        counts=counts,
        alerts=alerts,
    )
    if claim.note:
        run.notice(claim.note)
    return run


def check_display(display: object) -> None:
    """Raise ``ValueError`` unless ``display`` is a way to show a run."""
    if not isinstance(display, bool) and display != "text":
        message = f"display must be True, False or 'text'; found {display!r}"
        raise ValueError(message)


def check_resume(resume: object) -> None:
    """Raise ``ValueError`` unless ``resume`` is True or False."""
    if not isinstance(resume, bool):
        hint = resume if isinstance(resume, str) else "my-run"
        raise ValueError(  # noqa: TRY004 - as for the other options
            f"resume must be True or False; found {resume!r}. Which run it is, its "
            f"name says: name={hint!r}, resume=True"
        )


def check_read(read: object) -> None:
    """Raise ``ValueError`` unless ``read`` is a way to read tensors."""
    if read not in ("deferred", "now"):
        message = f"read must be 'deferred' or 'now'; found {read!r}"
        raise ValueError(message)


def _number_from(variable: str, otherwise: int) -> int:
    text = os.environ.get(variable, str(otherwise))
    if not text.isdecimal():
        raise ValueError(
            f"{variable}={text!r}: expected a whole number, as msrun sets it; unset "
            "it or set it to this process's"
        )
    return int(text)


def default_name(kind: str) -> str:
    """Return ``MODEL_NAME``, else a kind of network and the local time."""
    given = os.environ.get("MODEL_NAME")
    return given or f"{kind}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"


@atexit.register
def _finish_all() -> None:
    """Lose nothing when the process ends without ``finish``."""
    # At a prompt the last error is just that of some cell.
    error = None if hasattr(sys, "ps1") else getattr(sys, "last_value", None)
    for run in RUNS:
        run.finish(*ending(error, stopped=False))
        run.flush()
    catch_up()
