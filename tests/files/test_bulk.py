"""Whole blocks of lines say exactly what each of them says."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.files import bulk as module
from mswidget.files.bulk import Bulk
from mswidget.records.history import History
from mswidget.records.record import Event, Record, from_line, to_line

NAMES = st.sampled_from(
    [
        *("loss", "loss/ce", "损失", "step", "metrics", "nonfinite", ""),
        *('a": b', "x: null", ": n", '": n', '"event"'),
    ]
)
RECORDS = st.builds(
    Record,
    step=st.integers(-(2**53), 2**53),
    wall_time_s=st.floats(0, 4e9),
    rank=st.just(0),
    attempt=st.sampled_from(["a1", "a2", "新"]),
    values=st.dictionaries(NAMES | st.text(max_size=5), st.floats(), max_size=4),
    epoch=st.none() | st.integers(0, 100),
)
EVENTS = st.builds(
    Event,
    name=st.text(max_size=5),
    step=st.integers(0, 100),
    wall_time_s=st.floats(0, 4e9),
    rank=st.just(0),
    attempt=st.just("a1"),
    fields=st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2),
)
GARBAGE = st.sampled_from(
    [
        '{"step": 5, "lo{"step": 6, "timestamp": 1.0}',
        "garbage",
        '{"event": "eval", "step": 1}',
        '{"step": 1}',
        "[1]",
        '{"step": "x", "timestamp": 1.0}',
        '{"step": 1, "timestamp": 1.0, "nonfinite": {"loss": "nan"}}',
    ]
)
ODD = st.sampled_from(
    [
        '{"step":3,"timestamp":1,"loss":2}',
        '{"step": 3, "timestamp": 1.0, "loss": 1, "loss": 2}',
        '{"step": 3, "timestamp": 1.0, "loss": "text", "lr": true}',
        '{"step": 3, "timestamp": 1.0, "loss": 99999999999999999999}',
        '{"step": 3, "timestamp": 1.0, "loss": {"ce": 1.0}, "lr": 0.5}',
        '{"step": 3, "timestamp": 1.0, "loss": null}',
        "",
    ]
)
LINES = st.lists(
    st.one_of(RECORDS.map(to_line), EVENTS.map(to_line), ODD, GARBAGE).map(
        lambda line: line.rstrip("\n")
    ),
    max_size=30,
)


def in_bulk(*blocks):
    history, events, bad = History(), [], {}
    bulk = Bulk(history, events.append, bad.__setitem__)
    first = 0
    for lines in blocks:
        text = "".join(f"{line}\n" for line in lines)
        bulk.take(bulk.read(text.encode(errors="replace")), first)
        first += len(lines)
    return [to_line(r) for r in history.records(0)], [to_line(e) for e in events], bad


def one_by_one(lines):
    records, events, bad = [], [], {}
    for number, line in enumerate(lines):
        if not line:
            continue
        try:
            item = from_line(line.encode(errors="replace").decode())
        except ValueError as error:
            bad[number] = str(error)
        else:
            (records if isinstance(item, Record) else events).append(to_line(item))
    return records, events, bad


def same(found, expected):
    as_read = [[json.loads(line) for line in part] for part in (found[0], expected[0])]
    assert as_read[0] == as_read[1]
    assert found[1:] == expected[1:]


@pytest.fixture(autouse=True, scope="module")
def small():
    """A few lines are worth a table here, as very many are elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SMALL", 0)
        yield


@given(LINES, st.integers(0, 30))
def test_a_block_says_what_its_lines_say(lines, cut):
    same(in_bulk(lines[:cut], lines[cut:]), one_by_one(lines))


def test_a_bad_line_among_very_many_is_found_and_costs_only_itself():
    lines = [to_line(Record(i, 1.0, 0, "a1", {"loss": i / 7})) for i in range(5000)]
    lines[3210] = "garbage\n"
    records, _, bad = in_bulk([line.strip() for line in lines])
    assert list(bad) == [3210]
    assert records == lines[:3210] + lines[3211:]


@pytest.mark.parametrize("late", ["eval/acc", "step"])
def test_a_metric_that_appears_late_is_there(late):
    early = [to_line(Record(i, 1.0, 0, "a1", {"loss": 1.0})).strip() for i in range(99)]
    last = to_line(Record(99, 1.0, 0, "a2", {late: -np.inf, "loss": np.nan})).strip()
    same(in_bulk(early, [last]), one_by_one([*early, last]))


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_every_bit_of_a_number_is_kept(values):
    lines = [to_line(Record(1, 1.0, 0, "a1", {"v": v})).strip() for v in values]
    same(in_bulk(lines), one_by_one(lines))
