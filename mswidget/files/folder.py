"""Run folders: their names, and who writes into which."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mswidget.files.names import rank_file
from mswidget.files.process import started
from mswidget.files.redact import redact
from mswidget.files.tail import last_attempt
from mswidget.files.writer import is_held

_NAME_BYTES = 200
# A command line may hold bytes that are no UTF-8; JSON can say them as escapes.
_ESCAPED = "backslashreplace"


@dataclass(frozen=True)
class Claim:
    """A run folder and the attempt that this process writes into it.

    ``last_step`` is where the attempt before it ended, 0 when there is none, and
    ``size`` how many bytes of the rank's file are of earlier attempts; ``note`` says
    what the user did not ask for, else it is empty.
    """

    path: Path
    attempt: str
    last_step: int = 0
    size: int = 0
    note: str = ""


def check_name(name: str) -> str:
    """Return a run's name when a folder can have it on every system.

    Raises
    ------
    ValueError
        Says which part of the name is not allowed.
    """
    if not isinstance(name, str) or not name.strip():
        message = f"a run's name must be text, such as 'baseline'; found {name!r}"
        raise ValueError(message)
    forbidden = re.search(r'[/\\:*?"<>|\x00-\x1f]', name)
    if forbidden:
        message = (
            f"run name {name!r}: {forbidden[0]!r} cannot stand in a folder's name; "
            "letters of any script, digits, spaces, '-', '_', '.', '@' can"
        )
        raise ValueError(message)
    if name.strip() != name or name.endswith(".") or name.startswith("."):
        message = f"run name {name!r}: it must not begin or end with a dot or space"
        raise ValueError(message)
    if len(name.encode()) > _NAME_BYTES:
        message = (
            f"run name {name[:20]!r}...: {len(name.encode())} bytes, at most "
            f"{_NAME_BYTES} are allowed"
        )
        raise ValueError(message)
    return name


def log_dir_of(given: str | os.PathLike[str] | None) -> Path:
    """Return the folder of all runs: ``MSWIDGET_LOG_DIR``, else ``train_logs``."""
    chosen = given or os.environ.get("MSWIDGET_LOG_DIR") or "train_logs"
    return Path(chosen).expanduser()


def run_path(given: str | os.PathLike[str]) -> Path:
    """Return where a run is that is given by its path, or by its name in `log_dir_of`.

    A path that exists is what is meant.
    """
    path = Path(given).expanduser()
    named = log_dir_of(None) / path
    return named if named.exists() and not path.exists() else path


def check_log_dir(log_dir: str | os.PathLike[str] | None) -> Path:
    """Return the folder of all runs, made if need be.

    Parameters
    ----------
    log_dir
        None means as of `log_dir_of`.

    Raises
    ------
    OSError
        When nothing can be written there; says what was found and what to do.
    """
    path = log_dir_of(log_dir)
    new = not path.exists()
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        reason = error.strerror or error
        message = (
            f"log_dir {str(path)!r}: nothing can be written there ({reason}); give "
            "log_dir= a folder that you own, or set MSWIDGET_LOG_DIR"
        )
        raise type(error)(message) from error
    if new:
        (path / ".gitignore").write_text("*\n", encoding="utf-8")
    return path


def claim(
    log_dir: Path, name: str, *, rank: int, job: str, facts: Mapping[str, object]
) -> Claim:
    """Take the folder ``name``, else ``name-2``, ``name-3``... for a new run.

    Ranks of one ``job`` share a folder; ``facts`` go into ``run.json``, without the
    secrets in them.
    """
    shown = redact(facts)
    for number in itertools.count(1):
        path = log_dir / (name if number == 1 else f"{name}-{number}")
        made = _make(path, {"name": path.name, "job": job, **shown})
        if (made or _job(path) == job) and _take(rank_file(path, rank)):
            return Claim(path, "a1")
    raise AssertionError  # itertools.count never ends


def resume(
    log_dir: Path, name: str, *, rank: int, job: str, facts: Mapping[str, object]
) -> Claim:
    """Go on with the run ``name`` as its next attempt.

    A run that does not exist, or that is still being written, gives a new one.
    """
    path = log_dir / name
    file = rank_file(path, rank)
    if not path.is_dir() or is_held(file):
        fresh = claim(log_dir, name, rank=rank, job=job, facts=facts)
        if fresh.path == path:
            return fresh
        note = f"{path} is still being written, so this is a new run: {fresh.path.name}"
        return replace(fresh, note=note)
    attempt, step = last_attempt(file)
    size = file.stat().st_size if file.exists() else 0
    return Claim(path, f"a{attempt + 1}", last_step=step, size=size)


def job_key() -> str:
    """Return what the ranks of one job have in common.

    ``MSWIDGET_JOB``; else, under msrun, its process: the parent of every worker;
    else this process.
    """
    given = os.environ.get("MSWIDGET_JOB")
    if given:
        return given
    pid = os.getppid() if os.environ.get("MS_ROLE") == "MS_WORKER" else os.getpid()
    return f"{os.uname().nodename}:{pid}:{started(pid)}"


def _make(path: Path, facts: Mapping[str, object]) -> bool:
    """Make a folder that has its ``run.json`` from the first moment on."""
    if path.exists():
        return False
    fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=path.parent))
    # mkdtemp is private to the user; a run folder is read by colleagues too.
    fresh.chmod(0o777 & ~_umask())
    text = json.dumps(facts, ensure_ascii=False, indent=1, default=str)
    with (fresh / "run.json").open("w", encoding="utf-8", errors=_ESCAPED) as file:
        file.write(text + "\n")
    try:
        fresh.rename(path)
    except OSError:
        shutil.rmtree(fresh)
        if not path.exists():
            raise
        return False
    return True


def _take(path: Path) -> bool:
    """Make a rank's file; False when that rank has taken the folder already."""
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _job(path: Path) -> object:
    try:
        return json.loads((path / "run.json").read_text(encoding="utf-8")).get("job")
    except (OSError, ValueError, AttributeError):
        return None
