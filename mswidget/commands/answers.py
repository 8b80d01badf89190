"""What the words do that both doors know, with the text to tell."""

from __future__ import annotations

import contextlib
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mswidget.commands.completion import bash_completion
from mswidget.files.folder import log_dir_of, run_path
from mswidget.files.stop_request import StopError, ask_to_stop
from mswidget.run.start import RUNS
from mswidget.run.text import say
from mswidget.widget.surroundings import in_kernel

if TYPE_CHECKING:
    import pandas as pd

FAILURES = (OSError, StopError, ValueError)
"""What an answer raises when it cannot be given."""


def reason(error: Exception) -> str:
    """Return what to tell of one of `FAILURES`."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _existing(given: str | None) -> Path:
    path = log_dir_of(None) if given is None else run_path(given)
    if not path.exists():
        raise FileNotFoundError(
            f"{path} does not exist; give a path that does, or the name of a run in "
            f"{log_dir_of(None)}"
        )
    return path


# Each imports what it needs: who runs a script pays for nothing that reads runs.


def _watch(given: Namespace) -> str:
    from mswidget.alerts.options import alert_options  # noqa: PLC0415
    from mswidget.watching.lines import RunLines  # noqa: PLC0415
    from mswidget.watching.watch import watch  # noqa: PLC0415

    folders = [run_path(folder) for folder in given.folders] or [log_dir_of(None)]
    how = {"pattern": given.pattern, "steps_per_epoch": given.steps_per_epoch}
    notify = [given.notify] if given.notify else []
    if in_kernel():
        watch(*folders, notify=notify, **how)
    else:
        channels = alert_options(notify=notify).channels
        places = [folder.absolute() for folder in folders]
        lines = RunLines(places, channels=channels, **how)
        with contextlib.suppress(KeyboardInterrupt):
            lines.follow()
    return ""


def _list(given: Namespace) -> str:
    from mswidget.saved.listing import list_runs  # noqa: PLC0415

    frame = list_runs(_existing(given.folder), best=given.best)
    if not len(frame):
        return "No run there yet."
    return frame.to_string(index=False, float_format="{:.6g}".format)


def _compare(given: Namespace) -> str:
    from mswidget.watching.compare import compare, tables_of  # noqa: PLC0415

    comparison = compare(
        *given.runs,
        baseline=given.baseline,
        align=given.align,
        tolerance=given.tolerance,
        pattern=given.pattern,
        steps_per_epoch=given.steps_per_epoch,
    )
    if in_kernel():
        return ""
    tables = [
        f"{title}\n{_text(table)}" for title, table in tables_of(comparison).items()
    ]
    return "\n\n".join([*comparison.notes, *tables])


def _text(table: pd.DataFrame) -> str:
    return table.to_string(float_format="{:.6g}".format, na_rep="")


def _export(given: Namespace) -> str:
    from mswidget.saved.reader import load_run  # noqa: PLC0415

    ours = next((run for run in reversed([*RUNS]) if run.name == given.run), None)
    past = (run.path for run in reversed(RUNS.past) if run.name == given.run)
    run = ours or load_run(next(past, None) or _existing(given.run))
    return f"{run.export(given.file)} is written"


def _html(given: Namespace) -> str:
    from mswidget.watching.pages import KeptPage, page_file, write_page  # noqa: PLC0415

    place = (log_dir_of(None) if given.run is None else run_path(given.run)).absolute()
    out = given.out or page_file(place)
    if given.every:
        _tell(f"{out} is written every {given.every:g} s, until Ctrl-C or the end")
        with contextlib.suppress(KeyboardInterrupt):
            KeptPage(place, out, given.every, _tell).keep()
    else:
        write_page(place, out)
    return f"{out} is written"


def _tell(text: str) -> None:
    say(text, sys.stdout)


def stop_from_outside(given: Namespace) -> str:
    """Ask a run of another process to stop.

    Raises
    ------
    StopError
        When that is not possible.
    """
    return ask_to_stop(run_path(given.run))


def _profile(given: Namespace) -> str:
    from mswidget.profiler.load import load_profile  # noqa: PLC0415

    profile = load_profile(_existing(given.path))
    profile.show()
    return ""


ANSWERS: Mapping[str, Callable[[Namespace], str]] = {
    "watch": _watch,
    "list": _list,
    "compare": _compare,
    "export": _export,
    "html": _html,
    "stop": stop_from_outside,
    "profile": _profile,
    "completion": lambda _given: bash_completion(),
}
"""By word: does what is asked, and returns a text to print, or nothing."""
