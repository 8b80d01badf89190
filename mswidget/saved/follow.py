"""Runs of other processes, followed while they are written."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mswidget.importers.places import is_of_rank
from mswidget.saved.finder import Contents, Finder
from mswidget.saved.run import SavedRun

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
    pattern, steps_per_epoch
        See `Finder`.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        run: str | None = None,
        pattern: str | None = None,
        steps_per_epoch: int | None = None,
    ) -> None:
        self._folders = list(folders)
        self._wanted = run
        self._next_look_s = 0.0
        self._known: dict[Path, int] = {}
        self._turn = 0
        self._finder = Finder("watch", pattern, steps_per_epoch)
        self._poll = 0
        self._turns: dict[Path, int] = {}
        self.behind = False
        """Whether the last poll has left something to read."""
        self.runs: dict[str, SavedRun] = {}
        """The runs found so far, by name."""

    def poll(
        self, wanted: Callable[[SavedRun], bool] = lambda _: True
    ) -> set[tuple[str, int]]:
        """Read what is new; return the runs and ranks that have something new.

        Parameters
        ----------
        wanted
            Says whether a run is to be read at all.
        """
        now_s = time.monotonic()
        if now_s >= self._next_look_s:
            self._next_look_s = now_s + LOOK_S
            self._look()
        # Those that had no turn come first, then the short ones: what they leave is for
        # the long ones.
        waiting = sorted(
            (self._turns.get(source.path, 0), source.unread, run.name, rank)
            for run in self.runs.values()
            if wanted(run)
            for rank, source in run.sources.items()
        )
        self._poll += 1
        return self._read([(run, rank) for *_, run, rank in waiting], now_s)

    def _read(
        self, waiting: Sequence[tuple[str, int]], begun_s: float
    ) -> set[tuple[str, int]]:
        changed: set[tuple[str, int]] = set()
        self.behind = False
        left = READ_BYTES
        for number, (name, rank) in enumerate(waiting):
            if time.monotonic() > begun_s + READ_AT_MOST_S:
                self.behind = True
                break
            run = self.runs[name]
            source = run.sources[rank]
            self._turns[source.path] = self._poll
            share = max(left // (len(waiting) - number), _LEAST)
            # A file that cannot be read now may be readable at the next poll.
            with contextlib.suppress(OSError):
                if run.read_on(rank, share):
                    changed.add((name, rank))
                    left -= share if source.unread else 0
            self.behind |= source.unread > 0
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
            contents = self._find(place)
            waits = contents.waits
            if contents.sources:
                run = self.runs[name] = self.runs.get(name) or SavedRun(place, name)
                run.add(place, contents)
        self._known[place] = -1 if recent or waits else changed_ns

    def _find(self, place: Path) -> Contents:
        own = self._finder.own(place)
        # The folder of a rank belongs to the run that it is in.
        inside = place not in self._folders and is_of_rank(place)
        return own or (Contents() if inside else self._finder.logs(place))


def _may_hold_run(entry: os.DirEntry[str]) -> bool:
    return not entry.name.startswith(".") and entry.is_dir()
