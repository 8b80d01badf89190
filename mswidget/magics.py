"""``%mswidget``: what a notebook can ask for."""

from __future__ import annotations

import argparse
import contextlib
import re
import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from IPython.core import completer
from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_magic, magics_class
from IPython.core.magic_arguments import MagicArgumentParser

from mswidget.collect.auto import auto, monitored
from mswidget.commands.answers import ANSWERS, FAILURES, reason, stop_from_outside
from mswidget.commands.completion import candidates
from mswidget.commands.parsing import fill, parse, refusal
from mswidget.commands.table import PROGRAMS
from mswidget.files.stop_request import StopError
from mswidget.records.phase import ENDED
from mswidget.run.start import RUNS

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

INTRODUCTION = """\
mswidget shows a MindSpore training live in the notebook:

  from mswidget import TrainMonitor
  monitor = TrainMonitor("my-run")
  model.train(10, dataset, callbacks=[monitor])      curves appear below the cell
  monitor.run.to_pandas()                            every value as a DataFrame

A training in a running cell is ended by the widget's Stop or by Jupyter's interrupt.
"""
_LINE = re.compile(r"\s*%?mswidget\s+(.*)")
_WORD = re.compile(r"""(?:'[^']*(?:'|$)|"[^"]*(?:"|$)|\\.|[^\s'"\\])+""")


class _Answered(Exception):  # noqa: N818 - it is no error
    """All is said, as by ``--help``."""


class _MagicParser(MagicArgumentParser):
    """Ends in an exception where ``argparse`` would end the process."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - argparse's
        # Python 3.14 gives it to subcommands, and IPython's parser knows none.
        options.pop("color", None)
        super().__init__(*args, **options)

    def error(self, message: str) -> NoReturn:
        raise UsageError(refusal(self, message))

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:  # noqa: ARG002
        raise _Answered


PARSER = fill(
    _MagicParser(
        PROGRAMS["notebook"],
        epilog=INTRODUCTION,
        add_help=True,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ),
    "notebook",
)


@magics_class
class MswidgetMagics(Magics):
    """The ``%mswidget`` line magic."""

    @line_magic  # type: ignore[untyped-decorator]
    def mswidget(self, line: str) -> None:  # noqa: D102 - it is made of the words
        try:
            text = self._answer(line)
        except _Answered:
            return
        except UsageError as error:
            text = str(error)
        if text:
            print(text)  # noqa: T201 - a magic talks to its user

    mswidget.__doc__ = PARSER.format_help()

    def _answer(self, line: str) -> str:
        given = parse(PARSER, _split(line), "notebook")
        answers = {**ANSWERS, **ANSWERS_HERE, "run": self._run}
        try:
            return answers[given.word or "help"](given)
        except FAILURES as error:
            return f"{given.parser.prog}: {reason(error)}"

    def _run(self, given: argparse.Namespace) -> str:
        """Run a script in this kernel as ``%run`` does, its trainings monitored."""
        target = ["-m", given.script, "--"] if given.m else [given.script]
        # -G: what looks like a pattern of files is the script's, too.
        line = shlex.join(["-G", *target, *given.handed_on])
        try:
            with monitored():
                self.shell.find_line_magic("run")(line)
        except Exception as error:
            # What a script raises %run shows itself: this is what %run refuses.
            raise ValueError(error) from error
        return ""


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magic, and what completes it."""
    shell.register_magics(MswidgetMagics(shell))
    if hasattr(completer, "context_matcher"):  # IPython 8.6
        matcher = completer.context_matcher(identifier="mswidget")(_complete)
        shell.Completer.custom_matchers.append(matcher)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Take the magic away again."""
    shell.magics_manager.magics["line"].pop("mswidget", None)
    with contextlib.suppress(ValueError):
        shell.Completer.custom_matchers.remove(_complete)


def _complete(context: Any) -> dict[str, Any]:  # noqa: ANN401 - a CompletionContext
    """Return what may stand at the cursor, and nothing of Python beside it."""
    typed = _LINE.fullmatch(context.text_until_cursor)
    texts, replaced = _next(typed[1]) if typed else ([], "")
    return {
        "completions": [completer.SimpleCompletion(text) for text in texts],
        "matched_fragment": replaced,
        "suppress": True,
        "ordered": True,
    }


def _next(typed: str) -> tuple[list[str], str]:
    """Return what may end the words that are typed, and which part that replaces."""
    words = [match[0] for match in _WORD.finditer(typed)]
    last = words.pop() if words and typed.endswith(words[-1]) else ""
    texts = candidates([*map(_unquoted, words)], _unquoted(last), "notebook")
    quote = last[0] if last.startswith(("'", '"')) else ""
    return [_quoted(text, quote) for text in texts], last


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        PARSER.error(f"{error} in {line!r}; end the quotes that begin")


def _unquoted(word: str) -> str:
    return re.sub(r"\\(.)|['\"]", r"\1", word)


def _quoted(text: str, quote: str) -> str:
    """Return a text as it is typed after a quote, or else without one."""
    if quote:
        return f"{quote}{text}" if text.endswith("/") else f"{quote}{text}{quote}"
    return re.sub(r"([^\w/.,:~@%+=-])", r"\\\1", text)


def _help(_given: argparse.Namespace) -> str:
    states = {run.path: "ended" for run in RUNS.past}
    states |= {run.path: f"{run.phase}, step {run.step}" for run in RUNS}
    lines = [f"  {path.name}: {state}, {path}" for path, state in states.items()]
    runs = ["Runs of this kernel:", *lines] if lines else ["No run in this kernel yet."]
    return "\n".join([PARSER.format_help(), *runs])


def _auto(given: argparse.Namespace) -> str:
    auto(on=given.state == "on")
    if given.state == "off":
        return "Trainings are no longer monitored by themselves."
    return "Every Model.train and Model.fit of this kernel is monitored from now on."


def _stop(given: argparse.Namespace) -> str:
    """Stop runs of this kernel, else one of another process."""
    live = [run for run in RUNS if run.phase not in ENDED]
    chosen = [run for run in live if given.run in (None, run.name)]
    if chosen:
        return "\n".join(f"{run.name}: {run.request_stop()}" for run in chosen)
    names = ", ".join(run.name for run in live) or "none"
    if given.run is None:
        raise StopError("no run goes on in this kernel; a run's folder can be given")
    try:
        return stop_from_outside(given)
    except StopError as error:
        raise StopError(f"{error}; in this kernel running are: {names}") from error


ANSWERS_HERE: dict[str, Callable[[argparse.Namespace], str]] = {
    "help": _help,
    "auto": _auto,
    "stop": _stop,
}
"""What a kernel answers otherwise, or alone."""
