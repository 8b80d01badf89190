"""Runs of other processes, followed while they are written."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mswidget.files.facts import read_facts
from mswidget.files.rank_file import OWN_NAME, RankFile
from mswidget.importers.finder import Finder, Logs
from mswidget.importers.format_table import is_foreign
from mswidget.importers.imported_file import ImportedFile
from mswidget.importers.places import is_of_rank

LOOK_S = 2.0
"""How often folders are looked at for new runs and ranks."""
LOOKS = 256
"""Folders looked at each time, in turn: a ``stat`` each, a listing if one changed."""
READ_BYTES = 2**23
"""Read at most about so much of all files at a time, so that each has its turn."""
READ_AT_MOST_S = 0.5
"""A poll takes about so long at most; then come the others."""
_LEAST = 2**16
_HOST = "@"


@dataclass
class FollowedRun:
    """A run as far as its files have been read; several folders may hold its ranks.

    ``info`` is ``run.json`` of the first folder; ``shadowed`` names files left out
    since another folder has the same rank; ``notes`` are what to know of a folder's
    logs of other tools, such as which are not read.
    """

    name: str
    info: Mapping[str, object]
    folders: list[Path] = field(default_factory=list)
    ranks: dict[int, RankFile] = field(default_factory=dict)
    alerts: dict[int, RankFile] = field(default_factory=dict)
    shadowed: list[Path] = field(default_factory=list)
    notes: dict[Path, Sequence[str]] = field(default_factory=dict)


class Follower:
    """Finds runs in folders, and reads what is new of them.

    Each call of `poll` costs two ``stat`` a rank, each `LOOK_S` at most `LOOKS` more.
    Folders may be missing yet, vanish, or be copies that are replaced now and then.
    In a folder without ``rank_<r>.jsonl`` logs of other tools are followed; its files
    that may become one cost a ``stat`` each, and a look into those that have changed.

    Parameters
    ----------
    folders
        Each a run, a folder of runs, or a log of another tool. Runs of one name, or
        of ``name@host``, are one.
    run
        Follow only the run of this name.
    """

    def __init__(self, folders: Sequence[Path], run: str | None = None) -> None:
        self._folders = list(folders)
        self._wanted = run
        self._next_look_s = 0.0
        self._known: dict[Path, int] = {}
        self._turn = 0
        self._find_logs = Finder()
        self._poll = 0
        self._turns: dict[Path, int] = {}
        self.behind = False
        """Whether the last poll has left something to read."""
        self.runs: dict[str, FollowedRun] = {}
        """The runs found so far, by name."""

    def poll(
        self, wanted: Callable[[FollowedRun, int], bool] = lambda *_: True
    ) -> set[tuple[str, int]]:
        """Read what is new; return the runs and ranks that have something new.

        Parameters
        ----------
        wanted
            Says whether a rank of a run is to be read at all.
        """
        now_s = time.monotonic()
        if now_s >= self._next_look_s:
            self._next_look_s = now_s + LOOK_S
            self._look()
        files = [
            (run.name, rank, file)
            for run in self.runs.values()
            for rank in run.ranks
            if wanted(run, rank)
            for file in (run.ranks[rank], run.alerts[rank])
        ]
        # Those that had no turn come first, then the short ones: what they leave is for
        # the long ones.
        files.sort(key=lambda item: (self._turns.get(item[2].path, 0), item[2].unread))
        self._poll += 1
        changed: set[tuple[str, int]] = set()
        left = READ_BYTES
        for number, (name, rank, file) in enumerate(files):
            if time.monotonic() > now_s + READ_AT_MOST_S:
                self.behind = True
                return changed
            self._turns[file.path] = self._poll
            share = max(left // (len(files) - number), _LEAST)
            # A file that cannot be read now may be readable at the next poll.
            with contextlib.suppress(OSError):
                if file.read_on(share):
                    changed.add((name, rank))
                    left -= share if file.unread else 0
        self.behind = any(file.unread for *_, file in files)
        return changed

    def _look(self) -> None:
        places = list(self._places())
        chosen = itertools.islice(itertools.cycle(places), self._turn, None)
        for place in itertools.islice(chosen, min(LOOKS, len(places))):
            with contextlib.suppress(OSError):
                self._look_at(place)
        self._turn = (self._turn + LOOKS) % max(len(places), 1)

    def _places(self) -> Iterator[Path]:
        for folder in self._folders:
            yield folder
            with contextlib.suppress(OSError), os.scandir(folder) as entries:
                yield from sorted(Path(e.path) for e in entries if _may_hold_run(e))

    def _look_at(self, place: Path) -> None:
        changed_ns = place.stat().st_mtime_ns
        if self._known.get(place) == changed_ns:
            return
        # A file made in this instant may not have changed the time of its folder.
        recent = time.time_ns() - changed_ns < 10**9
        name = place.name.partition(_HOST)[0]
        waits = False
        if self._wanted in (None, name, place.name):
            logs = self._logs(place)
            waits = logs.waits
            if logs.files:
                run = self.runs.get(name) or FollowedRun(name, read_facts(place))
                self.runs[name] = run
                _add(run, place, logs)
        self._known[place] = -1 if recent or waits else changed_ns

    def _logs(self, place: Path) -> Logs:
        files = [place] if place.is_file() else sorted(place.glob("rank_*.jsonl"))
        own = [path for path in files if OWN_NAME.fullmatch(path.name)]
        if own and not is_foreign(own[0]):
            return self._find_logs.beside(place, own)
        # The folder of a rank belongs to the run that it is in.
        if place not in self._folders and is_of_rank(place):
            return Logs([], [], waits=False)
        return self._find_logs(place)


def _add(run: FollowedRun, place: Path, logs: Logs) -> None:
    if place not in run.folders:
        run.folders.append(place)
    run.notes[place] = logs.notes
    for file in logs.files:
        held = run.ranks.setdefault(file.rank, file)
        alerts = RankFile(file.path.with_name(f"alerts_{file.path.name}"))
        run.alerts.setdefault(file.rank, alerts)
        if place in held.path.parents:
            if _has_more(file, held):
                run.ranks[file.rank], run.alerts[file.rank] = file, alerts
        elif held.path != file.path and file.path not in run.shadowed:
            run.shadowed.append(file.path)


def _has_more(file: RankFile, held: RankFile) -> bool:
    """Say whether a rank has got another log, or files of mswidget's own."""
    if isinstance(file, ImportedFile) and isinstance(held, ImportedFile):
        return not file.logs <= held.logs
    return isinstance(held, ImportedFile)


def _may_hold_run(entry: os.DirEntry[str]) -> bool:
    return not entry.name.startswith(".") and entry.is_dir()
