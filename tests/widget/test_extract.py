"""A page holds exactly what it looks at, however that came to it."""

import json
import math
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.records.history import History
from mswidget.records.overview import HistoryOverview
from mswidget.records.record import Record
from mswidget.widget.extract import Extracted, cut, extract
from mswidget.widget.growth import grown
from tests.widget.extract_examples import EXAMPLES, example, file_of
from tests.widget.extracts import Client, same, seen

VALUES = st.floats(-1e6, 1e6) | st.sampled_from([math.nan, math.inf, -math.inf])


@st.composite
def histories(draw):
    """Return batches of rows: steps rise, and now and then go back."""
    batches, step, time_s, attempt = [], 0, 1000.0, 1
    for _ in range(draw(st.integers(1, 6))):
        if draw(st.integers(0, 3)) == 0:
            step, attempt = max(0, step - draw(st.integers(0, 30))), attempt + 1
        batch = []
        for _ in range(draw(st.integers(0, 25))):
            step += draw(st.sampled_from([0, 1, 1, 1, 1, 2, 9, -3]))
            time_s += draw(st.sampled_from([0.25, 0.25, 1, 40, -0.5]))
            epoch = draw(st.sampled_from([None, step // 16, step // 16]))
            values = {"lr": 0.1}
            if draw(st.integers(0, 4)):
                values["loss"] = draw(VALUES)
            batch.append((step, time_s, epoch, f"a{attempt}", values))
        batches.append(batch)
    return batches


@st.composite
def wants(draw):
    key = draw(st.sampled_from(["step", "time", "epoch"]))
    middle = {"step": 40, "time": 1020, "epoch": 2}[key]
    ends = st.none() | st.integers(-60, 80).map(lambda x: middle + x / 2)
    begin, end = draw(ends), draw(ends)
    if begin is not None and end is not None and begin > end:
        begin, end = end, begin
    return {
        "track": "",
        "metrics": ["loss"],
        "key": key,
        "begin": begin,
        "end": end,
        "level": draw(st.integers(-2, 5)),
        "points": draw(st.sampled_from([1, 5, 20, 2000])),
        "weight": draw(st.sampled_from([0, 0, 0.6, 0.9])),
    }


def take(client, found):
    """Give an extract to a page; returns how far it is now."""
    if not isinstance(found, Extracted):
        return found
    client.take(found.header, found.buffer)
    return found.mark


@given(histories(), wants(), st.integers(0, 5))
def test_a_page_holds_what_it_looks_at(batches, want, asked):
    history, rows, client = History(), [], Client()
    overview = HistoryOverview(history)
    for number, batch in enumerate(batches):
        history.extend(Record(s, t, 0, a, v, e) for s, t, e, a, v in batch)
        rows += batch
        overview.refresh()
        if number == min(asked, len(batches) - 1):
            mark = take(client, extract(overview, want, "loss"))
        elif number > asked:
            mark = take(client, grown(overview, want, {"loss": mark})["loss"])
    same(
        client.pieces,
        seen(rows, asked_of(want, client), "loss", client.header["level"]),
    )


@given(histories(), wants(), st.integers(0, 5), st.integers(1, 3))
def test_larger_buckets_are_made_of_those_that_are_there(batches, want, asked, levels):
    want |= {"begin": None, "end": None}
    history, rows, client = History(), [], Client()
    overview = HistoryOverview(history)
    for number, batch in enumerate(batches):
        history.extend(Record(s, t, 0, a, v, e) for s, t, e, a, v in batch)
        rows += batch
        overview.refresh()
        if number == min(asked, len(batches) - 1):
            mark = take(client, extract(overview, want, "loss"))
            want = {**want, "level": want["level"] + levels}
        elif number > asked:
            mark = take(client, grown(overview, want, {"loss": mark})["loss"])
    same(client.pieces, seen(rows, want, "loss", client.header["level"]))


VALUES_AT = st.dictionaries(st.sampled_from(["loss", "lr", "eval/loss"]), VALUES)


@given(st.lists(st.lists(VALUES_AT, max_size=9), min_size=2, max_size=6), wants())
def test_metrics_that_go_on_together_are_each_what_they_are(batches, want):
    history, rows, metrics = History(), [], ["loss", "lr", "eval/loss"]
    clients, marks = {name: Client() for name in metrics}, {}
    overview = HistoryOverview(history)
    for batch in batches:
        for values in batch:
            step = len(rows)
            rows.append((step, 1000.0 + step / 4, step // 16, "a1", values))
        history.extend(
            Record(s, t, 0, a, v, e) for s, t, e, a, v in rows[len(history) :]
        )
        overview.refresh()
        told = grown(overview, want, marks)
        for name in metrics:
            found = told[name] if name in marks else extract(overview, want, name)
            marks[name] = take(clients[name], found)
    for name, client in clients.items():
        asked = asked_of(want, client)
        same(client.pieces, seen(rows, asked, name, client.header["level"]))


def asked_of(want, client):
    """Return what a page gets: what ends beyond the newest value goes on with it."""
    end = client.header["end"]
    return {**want, "end": want["end"] if end == want["end"] else None}


@given(histories(), wants())
def test_an_extract_is_what_there_is(batches, want):
    history, rows = History(), list(chain(*batches))
    history.extend(Record(s, t, 0, a, v, e) for s, t, e, a, v in rows)
    found = extract(HistoryOverview(history), want, "loss")
    client = Client()
    take(client, found)
    level = found.header["level"]
    want = asked_of(want, client)
    same(client.pieces, seen(rows, want, "loss", level))
    assert level is None or level == want["level"]
    exact = seen(rows, want, "loss", None)
    begin, end = want["begin"], want["end"]
    inside = sum(
        (begin is None or begin <= point["keys"])
        and (end is None or point["keys"] <= end)
        for _, points in exact.values()
        for point in points
    )
    assert (level is None) == (inside <= want["points"])


@pytest.fixture(scope="module", autouse=True)
def cut_anywhere():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mswidget.widget.extract._LEAST_CUT", 1)
        yield


@given(histories(), wants(), st.integers(500, 2500))
def test_parts_are_the_whole(batches, want, room):
    history = History()
    history.extend(Record(s, t, 0, a, v, e) for s, t, e, a, v in chain(*batches))
    found = extract(HistoryOverview(history), want, "loss")
    whole, joined = Client(), Client()
    take(whole, found)
    while found is not None:
        part, found = cut(found, room)
        if part is None:  # it waits for a message that has more room
            room += 500
            continue
        take(joined, part)
        assert part.nbytes <= room
        if found is not None:
            level = found.header["level"]
            rest = found.columns[0].min() * (1 if level is None else 2.0**level)
            assert part.header["end"] < max(rest, part.header["begin"] + 1e-9)
    same(joined.pieces, whole.pieces)
    assert joined.header["end"] == whole.header["end"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_that_the_page_reads_are_true(name):
    """Run ``python -m tests.widget.extract_examples`` when this is to change."""
    told = json.loads(file_of(name).read_text())
    expected = example(*EXAMPLES[name])
    assert told["want"] == expected["want"]
    for batch, other in zip(told["batches"], expected["batches"], strict=True):
        columns = [
            [[float(x) for x in c] for c in b.pop("columns")] for b in (batch, other)
        ]
        np.testing.assert_allclose(*columns, rtol=1e-12)
        assert batch == other
