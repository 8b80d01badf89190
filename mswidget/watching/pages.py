"""Pages of runs on disk: written once, or again and again while the runs go on."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from mswidget.files.export import replacing
from mswidget.files.names import rank_files
from mswidget.pictures.drawn_run import DrawnRun
from mswidget.pictures.page import page_of, saved_page
from mswidget.pictures.scene import shown_at_once
from mswidget.records.phase import ENDED
from mswidget.records.silence import LOST_S
from mswidget.saved.listing import run_folders
from mswidget.saved.reader import load_run
from mswidget.watching.watch import READ_S, Watch
from mswidget.widget.html_page import PAGE_BYTES
from mswidget.widget.protocol import Head

LIVE_BYTES = 4_000_000
"""While a run goes on its page is loaded again and again, maybe by a phone."""
NEWEST = 6
"""So many runs of a folder stand on one page."""


def page_file(place: Path) -> Path:
    """Return where the page of a folder or a log is put."""
    return place.with_suffix(".html") if place.is_file() else place / "mswidget.html"


def write_page(place: Path, out: Path) -> None:
    """Write a page of a run, of the newest runs of a folder, or of a log.

    Raises
    ------
    OSError, ValueError
        When there is nothing to read, or nothing can be written; says why.
    """
    runs = [path for path, _ in run_folders(place)] if place.is_dir() else []
    newest = sorted(runs, key=_changed_s)[-NEWEST:]
    page = saved_page([load_run(path) for path in newest or [place]])
    with replacing(out) as fresh:
        fresh.write_bytes(page.encode(errors="backslashreplace"))


class KeptPage:
    """A page that is written again and again, until what it shows has ended.

    Parameters
    ----------
    place
        A run, or a folder of runs; it need not exist yet.
    out
        Where the page is.
    every_s
        How often it is written.
    tell
        Is given what the user has to know.
    """

    def __init__(
        self, place: Path, out: Path, every_s: float, tell: Callable[[str], None]
    ) -> None:
        self._watch = Watch([place])
        self._out = out
        self._every_s = every_s
        self._tell = tell
        self._told = ""
        self._edition = secrets.token_hex(8)
        self._next_s = 0.0
        self._shown: set[str] = set()
        # A folder of runs may wait for the next of them.
        self._begun = place.is_file() or bool(rank_files(place))

    def keep(self) -> None:
        """Write until the run has ended."""
        while not self.tick():
            time.sleep(READ_S)

    def tick(self) -> bool:
        """Read, and write when it is time; returns whether that was the last time."""
        changed = self._watch.read()
        if self._choose():
            self._watch.read()
        head = self._watch.head()
        going = _goes_on(head)
        self._begun |= going
        over = self._begun and not changed and not going
        if over or time.monotonic() >= self._next_s:
            self._next_s = time.monotonic() + self._every_s
            self._write(head, over=over)
        return over

    def _choose(self) -> bool:
        """Show the newest runs: nobody can ask a page for others."""
        runs = self._runs()
        shown = shown_at_once(runs)
        if shown == self._shown:
            return False
        self._shown = shown
        self._watch.choose(sorted(shown))
        return True

    def _runs(self) -> list[DrawnRun]:
        return list(self._watch.runs.values())[-NEWEST:]

    def _write(self, head: Head, *, over: bool) -> None:
        page = page_of(
            head,
            self._watch.histories,
            self._runs(),
            limit_bytes=PAGE_BYTES if over else LIVE_BYTES,
            edition=self._edition,
            every_s=self._every_s,
            last=over,
        )
        try:
            with replacing(self._out) as fresh:
                fresh.write_bytes(page.encode(errors="backslashreplace"))
        except OSError as error:
            self._say(f"cannot write {self._out} now: {error.strerror}")
        else:
            self._say("")

    def _say(self, trouble: str) -> None:
        if trouble and trouble != self._told:
            self._tell(trouble)
        self._told = trouble


def _goes_on(head: Head) -> bool:
    """Say whether any rank of the runs that are shown may still get values."""
    tracks = head["tracks"]
    shown = {track["run"] for track in tracks if track["shown"]}
    now_s = time.time()
    return any(
        track["phase"] not in ENDED
        and now_s - (track["last_value_s"] or track["started_s"] or now_s) < LOST_S
        for track in tracks
        if track["run"] in shown and not track["stat"]
    )


def _changed_s(folder: Path) -> float:
    times = [0.0]
    for file in rank_files(folder).values():
        with contextlib.suppress(OSError):
            times.append(file.stat().st_mtime)
    return max(times)
