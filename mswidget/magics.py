"""``%mswidget``: words to calls of the public API."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from IPython.core.magic import Magics, line_magic, magics_class

from mswidget.collect.auto import auto
from mswidget.files.stop_request import StopError, ask_to_stop
from mswidget.records.phase import ENDED
from mswidget.run.start import RUNS

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

HELP = """\
mswidget shows a MindSpore training live in the notebook.

  from mswidget import TrainMonitor
  monitor = TrainMonitor("my-run")
  model.train(10, dataset, callbacks=[monitor])      curves appear below the cell
  monitor.run.to_pandas()                            every value as a DataFrame

  %mswidget              this text and the runs of this kernel
  %mswidget auto [off]   show every training of this kernel, with no monitor in the code
  %mswidget stop [RUN]   end a training that runs in another thread after its step
  %mswidget stop DIR     end a run of another process, all its ranks after one step
  %mswidget watch DIR... runs of other processes, live; this kernel stays free
  %mswidget compare RUN RUN... [--baseline RUN]  runs side by side
  %mswidget list [DIR]   the runs of a folder, as mswidget.list_runs(DIR)
  %mswidget export RUN FILE  a run of this kernel, or a run's folder, to a file that
                         ends with .csv, .parquet or .html
  %mswidget profile DIR  where the time of an Ascend profile went

A training in a running cell is ended by the widget's Stop or by Jupyter's interrupt.
"""


@magics_class
class MswidgetMagics(Magics):
    """The ``%mswidget`` line magic."""

    @line_magic  # type: ignore[untyped-decorator]
    def mswidget(self, line: str) -> None:
        """Show help and runs, monitor all, ``stop`` a run, or show a ``profile``."""
        word, _, rest = line.strip().partition(" ")
        answer = WORDS.get(word or "help")
        if answer is None:
            text = f"%mswidget {word}: unknown; known are {', '.join(WORDS)}"
        else:
            text = answer(rest.strip())
        if text:
            print(text)  # noqa: T201 - a magic talks to its user


def load(shell: InteractiveShell) -> None:
    """Register the magic."""
    shell.register_magics(MswidgetMagics(shell))


def unload(shell: InteractiveShell) -> None:
    """Take the magic away again."""
    shell.magics_manager.magics["line"].pop("mswidget", None)


def _help(_rest: str) -> str:
    lines = [f"  {run.name}: {run.phase}, step {run.step}, {run.path}" for run in RUNS]
    runs = ["Runs of this kernel:", *lines] if lines else ["No run in this kernel yet."]
    return "\n".join([HELP, *runs])


def _show_profile(path: str) -> str:
    # Only who opens a profile pays for its libraries.
    from mswidget.profiler.load import load_profile  # noqa: PLC0415
    from mswidget.profiler.pictures.view import show  # noqa: PLC0415

    try:
        profile = load_profile(path.strip("\"'") or ".")
    except FileNotFoundError as error:
        return str(error)
    show(profile)
    return ""


def _watch(rest: str) -> str:
    # Only who watches pays for reading files fast.
    from mswidget.watching.watch import watch  # noqa: PLC0415

    watch(*shlex.split(rest))
    return ""


def _compare(rest: str) -> str:
    # Only who compares pays for reading files fast.
    from mswidget.watching.compare import compare  # noqa: PLC0415

    words = shlex.split(rest)
    baseline = None
    if "--baseline" in words[:-1]:
        at = words.index("--baseline")
        baseline = words[at + 1]
        words[at : at + 2] = []
    try:
        compare(*words, baseline=baseline)
    except (OSError, ValueError) as error:
        return str(error)
    return ""


def _list(rest: str) -> str:
    from mswidget.saved.listing import list_runs  # noqa: PLC0415

    try:
        frame = list_runs(*shlex.split(rest)[:1])
    except OSError as error:
        return str(error)
    return frame.to_string(index=False) if len(frame) else "No run there yet."


def _export(rest: str) -> str:
    from mswidget.saved.reader import load_run  # noqa: PLC0415

    try:
        name, file = shlex.split(rest)
    except ValueError:
        return "%mswidget export RUN FILE; names with spaces stand in quotes"
    live = next((run for run in reversed(RUNS) if run.name == name), None)
    try:
        return f"{(live or load_run(name)).export(file)} is written"
    except (OSError, ValueError) as error:
        return str(error)


def _auto(word: str) -> str:
    if word not in ("", "on", "off"):
        return f"%mswidget auto {word}: unknown; known are on, off"
    auto(on=word != "off")
    if word == "off":
        return "Trainings are no longer monitored by themselves."
    return "Every Model.train and Model.fit of this kernel is monitored from now on."


def _stop(name: str) -> str:
    live = [run for run in RUNS if run.phase not in ENDED]
    chosen = [run for run in live if name in ("", run.name)]
    path = Path(name.strip("\"'")).expanduser()
    if name and not chosen and path.is_dir():
        return _ask_to_stop(path)
    if not chosen:
        names = ", ".join(run.name for run in live) or "none"
        return f"no running run {name!r} in this kernel; running are: {names}"
    return "\n".join(f"{run.name}: {run.request_stop()}" for run in chosen)


def _ask_to_stop(path: Path) -> str:
    try:
        return ask_to_stop(path)
    except StopError as error:
        return str(error)


WORDS: dict[str, Callable[[str], str]] = {
    "help": _help,
    "stop": _stop,
    "auto": _auto,
    "watch": _watch,
    "compare": _compare,
    "list": _list,
    "export": _export,
    "profile": _show_profile,
}
"""Each word of ``%mswidget``, and what answers it: a text to print, or nothing."""
