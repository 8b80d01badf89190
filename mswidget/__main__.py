"""``python -m mswidget``: what a shell can ask for."""

from __future__ import annotations

import argparse
import contextlib
import io
import math
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, TracebackType
from typing import NoReturn

from mswidget.collect.auto import auto
from mswidget.files.folder import log_dir_of
from mswidget.files.stop_request import StopError, ask_to_stop

USAGE = """\
python -m mswidget run SCRIPT [ARGUMENT ...]     run a script, its trainings monitored
python -m mswidget run -m MODULE [ARGUMENT ...]  the same for a module
python -m mswidget watch [DIR ...]               lines of text about runs in folders
python -m mswidget html [DIR] [--every SECONDS] [--out FILE]
                                                 a page of curves, kept fresh if wanted
python -m mswidget stop RUN_DIR                  end a run of any process after a step

Many ranks: msrun --worker_num=8 ... python -m mswidget run SCRIPT [ARGUMENT ...]
"""
_OURS = {__file__, runpy.__file__, "<frozen runpy>"}


def main(arguments: Sequence[str]) -> None:
    """Do what the command line says; exits with a status unless all is well."""
    match arguments:
        case ["run", "-m", module, *rest]:
            _run_module(module, rest)
        case ["run", script, *rest] if not script.startswith("-"):
            _run_script(script, rest)
        case ["watch", *places] if not any(word.startswith("-") for word in places):
            _watch(places)
        case ["html", *words]:
            _html(words)
        case ["stop", path]:
            _stop(path)
        case ["-h" | "--help" | "help"]:
            sys.stdout.write(USAGE)
        case _:
            _refuse(f"usage:\n{USAGE}")


def _run_script(script: str, arguments: Sequence[str]) -> None:
    """Run a file as Python itself would."""
    path = Path(script).absolute()
    try:
        with io.open_code(str(path)) as file:
            source = file.read()
    except OSError as error:
        _refuse(f"can't open file {str(path)!r}: {error.strerror}\n")
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


def _watch(places: Sequence[str]) -> None:
    # Who runs a script does not pay for what reads runs.
    from mswidget.watching.lines import Lines  # noqa: PLC0415

    folders = [Path(place).expanduser().absolute() for place in places]
    with contextlib.suppress(KeyboardInterrupt):
        Lines(folders or [_log_dir()]).follow()


def _html(words: Sequence[str]) -> None:
    """Write a page of what is in a folder: once, or until its run has ended."""
    from mswidget.watching.pages import KeptPage, page_file, write_page  # noqa: PLC0415

    given = _page_arguments(words)
    place = given.place.expanduser().absolute()
    out = given.out or page_file(place)
    try:
        if given.every:
            _say(f"{out} is written every {given.every:g} s, until Ctrl-C or the end")
            with contextlib.suppress(KeyboardInterrupt):
                KeptPage(place, out, given.every, _say).keep()
        else:
            write_page(place, out)
    except (OSError, ValueError) as error:
        _refuse(f"{error}\n")
    _say(f"{out} is written")


def _page_arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m mswidget html", allow_abbrev=False)
    parser.add_argument("place", nargs="?", type=Path, default=_log_dir())
    parser.add_argument("--every", type=_seconds, default=0.0, metavar="SECONDS")
    parser.add_argument("--out", type=Path, metavar="FILE")
    return parser.parse_args(words)


def _seconds(text: str) -> float:
    found = float(text)
    if not 1 <= found < math.inf:
        raise argparse.ArgumentTypeError(f"{text}: expected at least 1 second")
    return found


def _log_dir() -> Path:
    return log_dir_of(None).absolute()


def _say(text: str) -> None:
    sys.stdout.write(f"mswidget: {text}\n")
    sys.stdout.flush()


def _stop(path: str) -> None:
    try:
        said = ask_to_stop(Path(path).expanduser())
    except StopError as error:
        _refuse(f"{error}\n")
    sys.stdout.write(f"{said}\n")


def _refuse(text: str) -> NoReturn:
    sys.stderr.write(f"mswidget: {text}")
    sys.exit(2)


if __name__ == "__main__":
    main(sys.argv[1:])
