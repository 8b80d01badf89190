"""``python -m mswidget``: what a shell can ask for."""

from __future__ import annotations

import argparse
import io
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, TracebackType
from typing import NoReturn

from mswidget.collect.auto import auto
from mswidget.commands.answers import ANSWERS, FAILURES, reason
from mswidget.commands.parsing import fill, parse, refusal
from mswidget.commands.table import PROGRAMS

MANY_RANKS = """\
Many ranks: msrun --worker_num=8 ... python -m mswidget run SCRIPT [ARGUMENT ...]
"""
_OURS = {__file__, runpy.__file__, "<frozen runpy>"}


class _ShellParser(argparse.ArgumentParser):
    """Refuses with one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{refusal(self, message)}\n")


def main(words: Sequence[str]) -> None:
    """Do what the command line says; exits with a status unless all is well."""
    parser = _ShellParser(
        PROGRAMS["shell"],
        epilog=MANY_RANKS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    given = parse(fill(parser, "shell"), words, "shell")
    match given.word:
        case "run" if given.m:
            _run_module(given.script, given.handed_on)
        case "run":
            _run_script(given.script, given.handed_on)
        case "help":
            parser.print_help()
        case None:
            parser.print_help(sys.stderr)
            parser.exit(2)
        case _:
            _answer(given)


def _answer(given: argparse.Namespace) -> None:
    try:
        text = ANSWERS[given.word](given)
        sys.stdout.write(text and f"{text}\n")
        sys.stdout.flush()
    except ValueError as error:
        given.parser.error(reason(error))
    except FAILURES as error:
        given.parser.exit(1, f"{given.parser.prog}: {reason(error)}\n")


def _run_script(script: str, arguments: Sequence[str]) -> None:
    """Run a file as Python itself would."""
    path = Path(script).absolute()
    try:
        with io.open_code(str(path)) as file:
            source = file.read()
    except OSError as error:
        sys.stderr.write(f"mswidget: can't open file {str(path)!r}: {error.strerror}\n")
        sys.exit(2)
    _begin()
    sys.argv = [script, *arguments]
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = str(path.resolve().parent)
    main_module = ModuleType("__main__")
    main_module.__file__ = str(path)
    sys.modules["__main__"] = main_module
    code = compile(source, path, "exec", dont_inherit=True)
    exec(code, main_module.__dict__)  # noqa: S102 - the user's own script


def _run_module(module: str, arguments: Sequence[str]) -> None:
    _begin()
    sys.argv = ["-m", *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _begin() -> None:
    auto()
    sys.excepthook = _show_error


def _show_error(
    kind: type[BaseException], error: BaseException, frames: TracebackType | None
) -> None:
    """Show an error as if Python had run the script itself."""
    while frames is not None and frames.tb_frame.f_code.co_filename in _OURS:
        frames = frames.tb_next
    sys.__excepthook__(kind, error.with_traceback(frames), frames)


if __name__ == "__main__":
    main(sys.argv[1:])
