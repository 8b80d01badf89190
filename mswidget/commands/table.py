"""The words of ``python -m mswidget`` and of ``%mswidget``, declared once."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Door = Literal["shell", "notebook"]
Completes = Literal["nothing", "run", "folder", "file"]

PROGRAMS: Mapping[Door, str] = {
    "shell": "python -m mswidget",
    "notebook": "%mswidget",
}
SHELL: tuple[Door, ...] = ("shell",)
NOTEBOOK: tuple[Door, ...] = ("notebook",)
BOTH = (*SHELL, *NOTEBOOK)
_USAGES = {None: "{0}", "?": "[{0}]", "*": "[{0} ...]", "+": "{0} [{0} ...]"}


@dataclass(frozen=True)
class Argument:
    """An argument of a word, or an option of it.

    Parameters
    ----------
    name
        Where the parser puts it; of an option, with its dashes.
    metavar
        What stands for it in a usage; empty for an option that takes no value.
    help
        What it is, in a line.
    nargs, default
        As of ``argparse``.
    kind
        Makes the value of a text, or raises ``argparse.ArgumentTypeError``.
    choices
        The only texts that are allowed.
    completes
        What a completion offers for it, beside the choices.
    doors
        Where it may be given.
    """

    name: str
    metavar: str
    help: str
    nargs: Literal["?", "*", "+"] | None = None
    default: object = None
    kind: Callable[[str], object] = str
    choices: tuple[str, ...] = ()
    completes: Completes = "nothing"
    doors: tuple[Door, ...] = BOTH

    @property
    def is_option(self) -> bool:
        """Whether it is named where it is given."""
        return self.name.startswith("-")

    @property
    def is_flag(self) -> bool:
        """Whether it is an option that takes no value."""
        return self.is_option and not self.metavar

    @property
    def usage(self) -> str:
        """How it stands in a usage."""
        if self.is_option:
            return f"[{f'{self.name} {self.metavar}'.strip()}]"
        return _USAGES[self.nargs].format(self.metavar)

    def value(self, text: str) -> object:
        """Return what a text means, or raise ``argparse.ArgumentTypeError``."""
        if self.choices and text not in self.choices:
            known = ", ".join(self.choices)
            raise argparse.ArgumentTypeError(f"{text!r} is unknown; known are {known}")
        return self.kind(text)


@dataclass(frozen=True)
class Command:
    """A word, and what it takes.

    ``hands_on`` says that what follows its first argument is none of ours.
    """

    word: str
    help: str
    arguments: tuple[Argument, ...] = ()
    doors: tuple[Door, ...] = BOTH
    hands_on: bool = False

    def at(self, door: Door) -> list[Argument]:
        """Return its arguments at a door."""
        return [argument for argument in self.arguments if door in argument.doors]

    def usage(self, door: Door) -> str:
        """Return how it is called, without the program."""
        return " ".join([self.word, *(argument.usage for argument in self.at(door))])


def _number(least: float, expected: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not least <= number < math.inf:
            raise argparse.ArgumentTypeError(
                f"{text!r} is invalid: expected {expected}"
            )
        return number

    return read


def _whole(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} is invalid: expected a whole number of at least 1"
        )
    return int(text)


_RUN_HELP = "a run's folder, or its name in MSWIDGET_LOG_DIR, else in train_logs"
_READING = (
    Argument(
        "--pattern",
        "REGEX",
        "find values in lines of any log by named groups: 'step (?P<step>\\d+) ...'",
    ),
    Argument(
        "--steps-per-epoch",
        "NUMBER",
        "of a log that prints steps within epochs, and not how many these have",
        kind=_whole,
    ),
)
"""How logs of other tools are read."""
COMMANDS = (
    Command(
        "run",
        "run a script, its trainings monitored, with no change in its code",
        (
            Argument("-m", "", "SCRIPT is the name of a module, as for python -m"),
            Argument("script", "SCRIPT", "the file", completes="file"),
            Argument("arguments", "ARGUMENT", "its own", nargs="*", completes="file"),
        ),
        hands_on=True,
    ),
    Command(
        "watch",
        "follow runs of other processes: live curves in a notebook, else lines of text",
        (
            Argument(
                "folders",
                "DIR",
                "a run or a folder of runs, which need not exist yet",
                nargs="*",
                completes="run",
            ),
            Argument(
                "--notify",
                "WHERE",
                "send alerts to a web hook: env:NAME or file:PATH holds its address",
            ),
            *_READING,
        ),
    ),
    Command(
        "list",
        "show a table of the runs in a folder",
        (
            Argument("folder", "DIR", "the folder", nargs="?", completes="folder"),
            Argument("--best", "", "add the least loss: reads the files whole"),
        ),
    ),
    Command(
        "compare",
        "lay runs side by side: settings, values and differences",
        (
            Argument("runs", "RUN", _RUN_HELP, nargs="+", completes="run"),
            Argument("--baseline", "RUN", "hold the others to it", completes="run"),
            Argument(
                "--align",
                "BY",
                "compare at the same step, epoch, time, samples or tokens",
                default="step",
                choices=("step", "epoch", "time", "samples", "tokens"),
            ),
            Argument(
                "--tolerance",
                "SHARE",
                "tell the first step that is farther off, as a share of the baseline; "
                "0.01, and less for learning rates",
                kind=_number(0, "a number of at least 0"),
            ),
            *_READING,
        ),
    ),
    Command(
        "export",
        "write the values of a run to a .csv, .parquet or .html file",
        (
            Argument("run", "RUN", _RUN_HELP, completes="run"),
            Argument("file", "FILE", "its ending says the kind", completes="file"),
        ),
    ),
    Command(
        "html",
        "write a page of curves, once or again and again until the run ends",
        (
            Argument("run", "RUN", _RUN_HELP, nargs="?", completes="run"),
            Argument(
                "--every",
                "SECONDS",
                "write it again, so often",
                kind=_number(1, "at least 1 second"),
            ),
            Argument(
                "--out",
                "FILE",
                "the page; mswidget.html in the folder unless given",
                kind=Path,
                completes="file",
            ),
        ),
    ),
    Command(
        "stop",
        "end a training after a step, on all its ranks",
        (
            Argument("run", "RUN", _RUN_HELP, completes="run", doors=SHELL),
            Argument(
                "run",
                "RUN",
                f"a run of this kernel, all of them unless given; else {_RUN_HELP}",
                nargs="?",
                completes="run",
                doors=NOTEBOOK,
            ),
        ),
    ),
    Command(
        "profile",
        "say where the time of an Ascend profile went",
        (
            Argument(
                "path",
                "DIR",
                "what the profiler wrote",
                nargs="?",
                default=".",
                completes="folder",
            ),
        ),
    ),
    Command(
        "auto",
        "monitor every training of this kernel, with no monitor in the code",
        (
            Argument(
                "state",
                "on|off",
                "off leaves MindSpore as it was",
                nargs="?",
                default="on",
                choices=("on", "off"),
            ),
        ),
        doors=NOTEBOOK,
    ),
    Command(
        "completion",
        'print what completes these words in bash: eval "$(...)"',
        (
            Argument(
                "shell",
                "bash",
                "the shell",
                nargs="?",
                default="bash",
                choices=("bash",),
            ),
        ),
        doors=SHELL,
    ),
    Command("help", "show this text"),
)


def commands_at(door: Door) -> dict[str, Command]:
    """Return the words of a door."""
    return {command.word: command for command in COMMANDS if door in command.doors}
