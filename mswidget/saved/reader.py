"""A run's files, or those of another tool, read to their ends."""

from __future__ import annotations

from pathlib import Path

from mswidget.files.names import rank_files
from mswidget.importers.format_table import looks_like_loss, understood
from mswidget.importers.places import logs_in
from mswidget.saved.finder import Finder
from mswidget.saved.run import SavedRun

_QUOTED = 200


def load_run(
    path: str | Path,
    pattern: str | None = None,
    *,
    steps_per_epoch: int | None = None,
) -> SavedRun:
    r"""Read a run folder, or one rank's file; also logs that mswidget did not write.

    Parameters
    ----------
    path
        A run's folder, a file of it, or a log or a folder of logs of another tool.
    pattern
        A regular expression that finds values in the lines of any text log, by its
        named groups: ``r"step (?P<step>\d+) .* loss (?P<loss>\S+)"``; see
        `mswidget.importers.formats.pattern.Pattern`.
    steps_per_epoch
        Of a log that prints steps within epochs and not how many these have; found
        out by default, and said in ``notes``.

    Raises
    ------
    FileNotFoundError
        When there is nothing to read; says what the folder holds instead.
    ValueError
        When the file is of no kind that is understood, or ``pattern`` or
        ``steps_per_epoch`` is wrong.
    """
    folder = Path(path).expanduser()
    if pattern is None and (why := _why_not(folder)):
        raise FileNotFoundError(f"{folder}: no rank_<r>.jsonl there; {why}")
    finder = Finder("load_run", pattern, steps_per_epoch)
    contents = finder.own(folder) or finder.logs(folder)
    if not contents.sources:
        raise _not_understood(folder)
    run = SavedRun(folder)
    run.add(folder, contents)
    for rank, source in run.sources.items():
        run.read_on(rank)
        if not source.ranks:
            raise ValueError(f"{source.path}: no line of it was understood")
    return run


def _why_not(folder: Path) -> str:
    if not folder.exists():
        return "the path does not exist"
    if folder.is_file() or rank_files(folder):
        return ""
    inside = [place.name for place in sorted(folder.iterdir()) if rank_files(place)]
    if inside:
        runs = f"give one of the runs in it: {', '.join(inside[:20])}"
        logs = [path.name for path in logs_in(folder)]
        return f"{runs}, or a log: {', '.join(logs[:20])}" if logs else runs
    return ""


def _not_understood(path: Path) -> Exception:
    if path.is_file():
        line = looks_like_loss(path)
        seen = f" This line seems to tell a loss: {line[:_QUOTED]!r}." if line else ""
        return ValueError(f"{path}: not understood.{seen} What is:\n{understood()}")
    names = ", ".join(sorted(p.name for p in path.iterdir())[:20])
    return FileNotFoundError(
        f"{path}: no log that is understood; it holds {names or 'nothing'}. "
        f"What is understood:\n{understood()}"
    )
