"""A page by itself: what stands in the file."""

import math
import re
import time

import pytest

from mswidget.widget.html_page import html_page
from mswidget.widget.status import LiveStatus
from tests.page import history_of, saved_page_of

RUN = {"name": "run", "path": "logs/run", "rank": 0, "attempt": "a1"}


def head_of(history, name="run", **more):
    head = LiveStatus(RUN, history, time.time).head([])
    return {**head, "run": {**head["run"], "name": name}, **more}


def page_of(history, head=None, **options):
    """Return a page's text, what it says, and its numbers."""
    text = html_page(head or head_of(history), {"": history}, **options)
    return text, *saved_page_of(text)


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
    text, page, values = page_of(history, head_of(history, name))
    assert values["", name] == [1.0]
    assert page["head"]["metrics"][0]["name"] == name
    assert len(re.findall(r"<(?:script|style|meta|link)\b", text)) == 9


def test_the_whole_history_is_in_the_page_as_it_is():
    losses = [math.sin(i) for i in range(50_000)]
    history = history_of({"loss": [math.nan, -math.inf, *losses], "lr": [None, 0.5]})
    _, page, values = page_of(history)
    (track,) = page["tracks"]
    assert (track["rows"], track["extracts"]) == (50_002, [])
    assert math.isnan(values["", "loss"].pop(0))
    assert values["", "loss"] == [-math.inf, *losses]
    assert values["", "lr"] == [0.5]
    assert page["extents"][0]["step"] == [1, 50_002]


def test_what_is_too_much_for_a_page_is_reduced_and_it_says_so():
    losses = [float(i % 7) for i in range(50_000)]
    losses[31_415] = 1e9
    _, page, values = page_of(history_of({"loss": losses}), limit_bytes=50_000)
    for key, place in (("step", 31_416), ("time", 1.7e9 + 31_415 / 8)):
        curve = values["", "loss", key]
        ((_, points),) = curve.pieces.values()
        (spike,) = [p for p in points if p["highs"] == 1e9]
        size = 2.0 ** curve.header["level"]
        assert spike["buckets"] * size <= place < (spike["buckets"] + 1) * size
        assert sum(point["counts"] for point in points) == 50_000
    (notice,) = page["head"]["notices"]
    assert notice.startswith("50,000 rows are more than a page may hold")


def test_a_page_names_no_other_address():
    text, *_ = page_of(history_of({"loss": [1.0]}))
    own = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert re.findall(r'\b(?:src|href)="([^"]*)', own) == ["data:,"]
    assert "default-src 'none'" in own


def test_who_gets_a_page_is_not_told_where_it_was_made():
    text, *_ = page_of(history_of({"loss": [1.0]}))
    assert "logs/run" not in text
