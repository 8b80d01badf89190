"""A page of runs, for a browser without anything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mswidget.pictures.beside import losses_beside
from mswidget.pictures.drawn_run import Drawable, DrawnRun
from mswidget.pictures.scene import SavedScene
from mswidget.records.history import History
from mswidget.widget.html_page import PAGE_BYTES, html_page
from mswidget.widget.protocol import Head

BESIDE = 4
"""At most one part in so many of a page is for the ranks that it does not show."""


def saved_page(runs: Sequence[Drawable]) -> str:
    """Return a page of runs as they were read."""
    scene = SavedScene(runs)
    return page_of(scene.head(), scene.histories, scene.runs, limit_bytes=PAGE_BYTES)


def page_of(
    head: Head,
    histories: Mapping[str, History],
    runs: Sequence[DrawnRun],
    *,
    limit_bytes: int,
    edition: str = "",
    every_s: float = 0,
    last: bool = False,
) -> str:
    """Return a page of runs, with what there is room for of ranks not shown.

    Parameters
    ----------
    head, histories
        What is shown; the numbers by track.
    runs
        Those of the page.
    limit_bytes
        What does not fit exactly is reduced.
    edition, every_s, last
        See `html_page`.
    """
    shown = {track["id"] for track in head["tracks"] if track["shown"]}
    beside = losses_beside(runs, shown, limit_bytes // BESIDE)
    return html_page(
        beside.told(head),
        histories,
        beside.saved,
        limit_bytes=limit_bytes - len(beside.saved.buffer),
        edition=edition,
        every_s=every_s,
        last=last,
    )
