"""A parser of a door's words, from their table."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence
from typing import TypeVar

from mswidget.commands.table import PROGRAMS, Argument, Command, Door, commands_at

Parser = TypeVar("Parser", bound=argparse.ArgumentParser)


def fill(parser: Parser, door: Door) -> Parser:
    """Make each word of a door a subcommand of a parser; returns the parser."""
    parser.usage = _escaped(f"{PROGRAMS[door]} WORD ...")
    parser.description = "\n".join(
        f"  {command.usage(door)}\n      {_sentence(command.help)}"
        for command in commands_at(door).values()
    )
    words = parser.add_subparsers(
        dest="word", metavar="WORD", prog=PROGRAMS[door], help=argparse.SUPPRESS
    )
    for command in commands_at(door).values():
        part = words.add_parser(
            command.word,
            usage=_escaped(f"{PROGRAMS[door]} {command.usage(door)}"),
            description=_sentence(command.help),
            formatter_class=argparse.HelpFormatter,
            add_help=True,
        )
        part.set_defaults(parser=part, word=command.word)
        part.allow_abbrev = False
        for argument in command.at(door):
            _add(argument, part)
    parser.set_defaults(parser=parser, parts=words.choices)
    return parser


def parse(
    parser: argparse.ArgumentParser, words: Sequence[str], door: Door
) -> argparse.Namespace:
    """Return what a line says to a parser that `fill` has filled.

    What a script is handed is as it was typed: ``argparse`` would take a ``--`` or a
    ``--help`` that is meant for the script.
    """
    command = commands_at(door).get(words[0]) if words else None
    if command is None:
        return parser.parse_args(words)
    end = _own_end(command, words)
    part: argparse.ArgumentParser = parser.get_default("parts")[command.word]
    # Intermixed: options may stand between runs.
    given, unknown = part.parse_known_intermixed_args(words[1:end])
    if unknown:
        part.error(f"unknown are {' '.join(unknown)}")
    given.handed_on = list(words[end:])
    return given


def _own_end(command: Command, words: Sequence[str]) -> int:
    """Return how many words of a line are ours."""
    if not command.hands_on:
        return len(words)
    options = itertools.takewhile(lambda word: word.startswith("-"), words[1:])
    return len(list(options)) + 2


def refusal(parser: argparse.ArgumentParser, message: str) -> str:
    """Return what to tell of words that a parser does not take."""
    usage = parser.format_usage().strip()
    return f"{parser.prog}: {message}; {usage}; {parser.prog} --help says more"


def _add(argument: Argument, parser: argparse.ArgumentParser) -> None:
    if argument.is_flag:
        parser.add_argument(argument.name, action="store_true", help=argument.help)
        return
    parser.add_argument(
        argument.name,
        metavar=argument.metavar,
        help=argument.help,
        nargs=argument.nargs,
        default=argument.default,
        type=argument.value,
    )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _escaped(text: str) -> str:
    """Return a text that ``argparse`` formats to itself."""
    return text.replace("%", "%%")
