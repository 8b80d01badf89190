"""Curves as one HTML file that needs no kernel, no server and no network."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from html import escape

from mswidget.records.history import Rows
from mswidget.widget.assets import built, built_text
from mswidget.widget.frames import EMPTY, encode
from mswidget.widget.protocol import Block, Head

PAGE_BYTES = 50_000_000
"""The numbers of a page are exact up to this size, else an envelope of them."""

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
    rows: Rows,
    beside: tuple[Block, bytes] = (EMPTY, b""),
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
    rows
        The numbers; they go in as they are where they need at most ``limit_bytes``.
    beside
        More rows, before the first; they replace those that the page had of the kind.
    limit_bytes
        Above it they are reduced to an envelope, and the page says so.
    edition
        Names the process that writes this page again and again.
    every_s
        The page reads its file again so often; 0 means never.
    last
        The page is written for the last time.
    """
    block, snapshot = encode(rows, limit_bytes)
    if block["reduced"]:
        head = {**head, "notices": [*head["notices"], _envelope_notice(rows)]}
    status = head["status"]
    # Until the page is written the next time, silence means nothing. The last page
    # must seem no older than the one before it.
    shown = {
        **status,
        "sent_s": status["sent_s"] + every_s,
        "usual_step_s": None,
        "controls": False,
        "stoppable": False,
    }
    state = {
        "asset": "",
        "companion": "",
        "head": {**head, "status": shown},
        "seq": 0,
        "snapshot_block": block,
    }
    again_s = 0.0 if last else every_s
    written = {
        "edition": edition,
        "every_s": again_s,
        "state": state,
        "beside": beside[0],
    }
    return _document(head["run"]["name"], written, snapshot, beside[1])


def _envelope_notice(rows: Rows) -> str:
    return (
        f"{rows.stop - rows.start:,} rows are more than a page may hold: it has their "
        "envelope, with every extreme; the files of the run have every value"
    )


def _document(
    title: str, written: Mapping[str, object], snapshot: bytes, beside: bytes
) -> str:
    # In a script nothing but "<" can end it.
    state = json.dumps(written).replace("<", "\\u003c")
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
{_data("snapshot", base64.b64encode(snapshot).decode())}
{_data("beside", base64.b64encode(beside).decode())}
{_data("plotly", base64.b64encode(built("plotly.js.gz")).decode())}
<script type="module">{page}</script>
</html>
"""


def _data(name: str, text: str) -> str:
    return f'<script type="text/plain" id="mswidget-{name}">{text}</script>'
