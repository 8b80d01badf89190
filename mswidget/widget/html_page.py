"""Curves as one HTML file that needs no kernel, no server and no network."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from html import escape

from mswidget.records.history import History
from mswidget.widget.assets import built, built_text
from mswidget.widget.overviews import Overviews
from mswidget.widget.protocol import Head, SavedPage, Status
from mswidget.widget.saved_tracks import NO_TRACKS, SavedTracks, saved_tracks

PAGE_BYTES = 50_000_000
"""The numbers of a page are exact up to this size, else reduced."""

# The page can ask nobody for anything, whatever a name in it says.
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; "
    "img-src data: blob:; frame-src 'self' file:; base-uri 'none'; form-action 'none'"
)
_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; }
.mswidget-root { border: 0; border-radius: 0; min-height: 100vh; }
/* A finger that is on a plot, as it mostly is, could not scroll the page. */
@media (hover: none) { .mswidget-plot { pointer-events: none; } }
"""


def html_page(
    head: Head,
    histories: Mapping[str, History],
    beside: SavedTracks = NO_TRACKS,
    *,
    limit_bytes: int = PAGE_BYTES,
    edition: str = "",
    every_s: float = 0,
    last: bool = False,
) -> str:
    """Return a page that shows what the widget would show.

    Parameters
    ----------
    head
        All that is not numbers.
    histories
        The numbers of each track that is shown; they go in as they are where they need
        at most ``limit_bytes``.
    beside
        Of tracks that are not shown what the page has.
    limit_bytes
        Above it they are reduced, and the page says so.
    edition
        Names the process that writes this page again and again.
    every_s
        The page reads its file again so often; 0 means never.
    last
        The page is written for the last time.
    """
    shown = saved_tracks(histories, limit_bytes)
    if shown.reduced:
        head = {**head, "notices": [*head["notices"], _reduced_notice(histories)]}
    # Until the page is written the next time, silence means nothing. The last page
    # must seem no older than the one before it.
    status: Status = {
        **head["status"],
        "sent_s": head["status"]["sent_s"] + every_s,
        "usual_step_s": None,
        "controls": False,
        "stoppable": False,
        "commands": [],
    }
    page: SavedPage = {
        "edition": edition,
        "every_s": 0.0 if last else every_s,
        # Whoever gets the page is not told where it was made.
        "head": {**head, "status": status, "run": {**head["run"], "path": ""}},
        "extents": Overviews(lambda: histories).extents(),
        "tracks": [*shown.tracks, *beside.tracks],
    }
    return _document(head["run"]["name"], page, shown.buffer + beside.buffer)


def _reduced_notice(histories: Mapping[str, History]) -> str:
    rows = sum(len(history) - history.first for history in histories.values())
    return (
        f"{rows:,} rows are more than a page may hold: it has the least, greatest and "
        "mean value of stretches of them; the files of the run have every value"
    )


def _document(title: str, saved: SavedPage, numbers: bytes) -> str:
    # In a script nothing but "<" can end it.
    state = json.dumps(saved).replace("<", "\\u003c")
    page = built_text("page.js").replace("</script", "<\\/script")
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<link rel="icon" href="data:,">
<title>{escape(title)}</title>
<style>{built_text("widget.css")}{_STYLE}</style>
{_data("state", state)}
{_data("numbers", base64.b64encode(numbers).decode())}
{_data("plotly", base64.b64encode(built("plotly.js.gz")).decode())}
<script type="module">{page}</script>
</html>
"""


def _data(name: str, text: str) -> str:
    return f'<script type="text/plain" id="mswidget-{name}">{text}</script>'
