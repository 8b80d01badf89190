"""What may stand next on a line: words, options, runs, paths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mswidget.commands.table import Argument, Command, Door, commands_at
from mswidget.files.folder import log_dir_of


def candidates(words: Sequence[str], part: str, door: Door) -> list[str]:
    """Return what may stand next on a line.

    Parameters
    ----------
    words
        What stands before, without the program.
    part
        The begin of what is looked for.
    door
        Whose words are meant.
    """
    known = commands_at(door)
    if not words:
        texts = [*known, "--help"]
    elif words[0] in known:
        texts = [*_next(known[words[0]], words[1:], part, door)]
    else:
        texts = []
    return list(dict.fromkeys(text for text in texts if text.startswith(part)))


def _next(
    command: Command, before: Sequence[str], part: str, door: Door
) -> Iterator[str]:
    options = {a.name: a for a in command.at(door) if a.is_option}
    last = options.get(before[-1]) if before else None
    if last is not None and not last.is_flag:
        yield from _values(last, part)
        return
    given = _places_taken(before, options)
    if not (command.hands_on and given):
        yield from (name for name in [*options, "--help"] if name not in before)
    places = [a for a in command.at(door) if not a.is_option]
    if places[given:] or (places and places[-1].nargs in ("*", "+")):
        yield from _values([*places[given:], places[-1]][0], part)


def _places_taken(before: Sequence[str], options: Mapping[str, Argument]) -> int:
    """Count the words that are neither options nor their values."""
    valued = {name for name, option in options.items() if not option.is_flag}
    pairs = zip(["", *before], before, strict=False)
    return sum(last not in valued and word not in options for last, word in pairs)


def _values(argument: Argument, part: str) -> Iterator[str]:
    yield from argument.choices
    if argument.completes == "run":
        yield from _run_names()
    if argument.completes != "nothing":
        yield from _paths(part, files=argument.completes != "folder")


def _run_names() -> Iterator[str]:
    for path in _paths(f"{log_dir_of(None)}/", files=False):
        yield Path(path).name


def _paths(part: str, *, files: bool) -> Iterator[str]:
    """Yield the paths that begin so; of hidden ones, only those that are asked for."""
    head, slash, name = part.rpartition("/")
    try:
        inside = sorted(Path(f"{head}{slash}" or ".").expanduser().iterdir())
    except (OSError, RuntimeError):  # RuntimeError: there is no such ~user
        return
    for path in inside:
        if path.name.startswith(".") and not name.startswith("."):
            continue
        if path.is_dir():
            yield f"{head}{slash}{path.name}/"
        elif files:
            yield f"{head}{slash}{path.name}"


def bash_completion() -> str:
    """Return what completes ``python -m mswidget`` in bash, to be evaluated."""
    known = commands_at("shell")
    cases = "\n".join(f"        {_bash_case(command)}" for command in known.values())
    return _BASH.replace("@words", " ".join(known)).replace("@cases", cases)


def _bash_case(command: Command) -> str:
    arguments = command.at("shell")
    options = [argument.name for argument in arguments if argument.is_option]
    choices = [choice for argument in arguments for choice in argument.choices]
    runs = any(argument.completes == "run" for argument in arguments)
    words = " ".join([*options, "--help", *choices])
    return f"{command.word}) words='{words}' runs={'1' if runs else ''} ;;"


# Names of runs go through no expansion: `compgen -W` would run a $(...) in them.
_BASH = """\
_mswidget() {
    local words runs part=${COMP_WORDS[COMP_CWORD]}
    [[ ${COMP_WORDS[1]} == -m && ${COMP_WORDS[2]} == mswidget ]] || return
    if ((COMP_CWORD == 3)); then
        mapfile -t COMPREPLY < <(compgen -W '@words' -- "$part")
        return
    fi
    case ${COMP_WORDS[3]} in
@cases
    esac
    mapfile -t COMPREPLY < <(
        compgen -W "$words" -- "$part"
        compgen -f -- "$part"
        [[ $runs ]] && cd -- "${MSWIDGET_LOG_DIR:-train_logs}" 2>/dev/null &&
            compgen -d -- "$part"
    )
}
complete -o filenames -o default -F _mswidget python python3"""
