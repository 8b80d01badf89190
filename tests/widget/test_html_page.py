"""A page by itself: what stands in the file."""

import base64
import json
import math
import re
import time

import pytest

from mswidget.widget.html_page import html_page
from mswidget.widget.status import LiveStatus
from tests.page import decode, history_of

RUN = {"name": "run", "path": "logs/run", "rank": 0, "attempt": "a1"}


def head_of(history, name="run", **more):
    head = LiveStatus(RUN, history, time.time).head([])
    return {**head, "run": {**head["run"], "name": name}, **more}


def page_of(history, head=None, **options):
    """Return a page's text, what it says, and its numbers."""
    text = html_page(head or head_of(history), history.rows(), **options)
    found = dict(re.findall(r'id="mswidget-(\w+)">([^<]*)</script>', text))
    written = json.loads(found["state"])
    buffer = base64.b64decode(found["snapshot"])
    return text, written, decode(written["state"]["snapshot_block"], buffer)


NAMES = [
    "a/b.c[0]",
    "</script><script>",
    "<!--",
    "损失",
    "😀",
    "x" * 300,
    "X",
    "\ud800",
]


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_in_the_page_and_nothing_but_a_name(name):
    history = history_of({name: [1.0]})
    text, written, points = page_of(history, head_of(history, name))
    assert points[name] == {0: 1.0}
    assert written["state"]["head"]["metrics"][0]["name"] == name
    assert len(re.findall(r"<(?:script|style|meta|link)\b", text)) == 10


def test_the_whole_history_is_in_the_page_as_it_is():
    losses = [math.sin(i) for i in range(50_000)]
    _, written, points = page_of(history_of({"loss": [math.nan, -math.inf, *losses]}))
    assert not written["state"]["snapshot_block"]["reduced"]
    assert math.isnan(points["loss"].pop(0))
    assert list(points["loss"].values()) == [-math.inf, *losses]


def test_what_is_too_much_for_a_page_is_an_envelope_and_it_says_so():
    losses = [float(i % 7) for i in range(50_000)]
    losses[31_415] = 1e9
    _, written, points = page_of(history_of({"loss": losses}), limit_bytes=50_000)
    assert written["state"]["snapshot_block"]["reduced"]
    assert points["loss"][31_415] == 1e9
    (notice,) = written["state"]["head"]["notices"]
    assert notice.startswith("50,000 rows are more than a page may hold")


def test_a_page_names_no_other_address():
    text, *_ = page_of(history_of({"loss": [1.0]}))
    own = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert re.findall(r'\b(?:src|href)="([^"]*)', own) == ["data:,"]
    assert "default-src 'none'" in own
