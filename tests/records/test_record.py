"""A record and its line say the same."""

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mswidget.records.record import RESERVED, Event, Record, from_line, to_line

NAMES = st.text() | st.sampled_from(
    [*sorted(RESERVED), "损失/交叉熵", "<b>&", "a\u2028b", "wall_time", "\x00", "🙂"]
)
COMMON = {
    "step": st.integers(0, 2**53),
    "wall_time_s": st.floats(0, 4e9),
    "rank": st.integers(0, 9999),
    "attempt": st.from_regex(r"a[1-9][0-9]?", fullmatch=True),
    "epoch": st.none() | st.integers(0, 10**6),
}
RECORDS = st.builds(Record, values=st.dictionaries(NAMES, st.floats()), **COMMON)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner),
    max_leaves=4,
)


def exactly(values):
    """Return values so that NaN equals NaN, and 0.0 is not -0.0."""
    return {name: repr(value) for name, value in values.items()}


@given(RECORDS)
def test_a_record_is_read_as_it_was_written(record):
    again = from_line(to_line(record))
    assert exactly(again.values) == exactly(record.values)
    assert (again.step, again.wall_time_s) == (record.step, record.wall_time_s)
    assert (again.rank, again.attempt) == (record.rank, record.attempt)
    assert again.epoch == record.epoch


@given(RECORDS)
def test_a_record_is_one_line_of_strict_json(record):
    line = to_line(record)
    assert line.endswith("\n")
    assert "\n" not in line[:-1]
    json.loads(line, parse_constant=pytest.fail)


@given(RECORDS)
def test_a_line_is_spelled_as_json_spells_it(record):
    bad = {n: json.dumps(v) for n, v in record.values.items() if not np.isfinite(v)}
    values = record.values | dict.fromkeys(bad)
    clashing = {name: values.pop(name) for name in record.values if name in RESERVED}
    line = {"step": record.step}
    line |= {} if record.epoch is None else {"epoch": record.epoch}
    line |= {"timestamp": record.wall_time_s, "rank": record.rank}
    line |= {"attempt": record.attempt, **values}
    line |= {"metrics": clashing} if clashing else {}
    line |= {"nonfinite": bad} if bad else {}
    assert to_line(record) == json.dumps(line, ensure_ascii=False) + "\n"


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(2e-05)
@example(1.5e16)
def test_a_number_is_spelled_as_python_spells_it(value):
    assert f'"lr": {value!r}}}' in to_line(Record(1, 0.0, 0, "a1", {"lr": value}))


def test_a_time_that_is_none_is_refused():
    with pytest.raises(ValueError, match="timestamp nan"):
        to_line(Record(1, float("nan"), 0, "a1", {"loss": 1.0}))


def test_a_column_of_numbers_stays_one_when_the_loss_is_nan():
    line = to_line(Record(3, 1.5, 0, "a1", {"loss": float("nan"), "lr": 0.1}))
    assert json.loads(line) == {
        "step": 3,
        "timestamp": 1.5,
        "rank": 0,
        "attempt": "a1",
        "loss": None,
        "lr": 0.1,
        "nonfinite": {"loss": "NaN"},
    }


def test_a_step_counted_by_numpy_is_a_step():
    record = Record(np.int64(7), 0.0, 0, "a1", {"loss": 1.0}, epoch=np.int32(2))
    again = from_line(to_line(record))
    assert (again.step, again.epoch) == (7, 2)


def test_names_are_written_readably():
    assert '"损失": 1.0' in to_line(Record(1, 0.0, 0, "a1", {"损失": 1.0}))


def test_a_whole_number_in_a_file_is_read_as_a_float():
    text = f'{{"step": 1, "timestamp": 0, "loss": {10**300}}}'
    assert from_line(text).values == {"loss": 1e300}


@given(
    st.dictionaries(st.text().filter(lambda key: key not in RESERVED), JSON, max_size=4)
)
def test_an_event_is_read_with_its_fields(fields):
    event = Event("eval", 7, 1.0, 2, "a3", epoch=4, fields=fields)
    again = from_line(to_line(event))
    assert (again.name, again.step, again.epoch) == ("eval", 7, 4)
    assert list(again.fields) == list(fields)


def test_an_event_says_as_text_what_json_cannot():
    fields = {"error": ValueError("bad"), "value": float("inf"), "map": {(1, 2): 3}}
    again = from_line(to_line(Event("failed", 1, 0.0, 0, "a1", fields=fields)))
    assert again.fields == {"error": "bad", "value": "Infinity", "map": {}}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[1, 2]",
        '{"step": 1',
        '{"step": 1}',
        '{"timestamp": 1.0, "loss": 2.0}',
        '{"step": null, "timestamp": 1}',
        '{"step": Infinity, "timestamp": 1}',
        '{"step": NaN, "timestamp": 1}',
        '{"step": 1, "timestamp": 1, "metrics": [1]}',
        '{"step": 1, "timestamp": 1, "nonfinite": {"loss": "nan?"}}',
        '{"step": 1, "timestamp": 1, "nonfinite": {"loss": []}}',
        f'{{"step": 1, "timestamp": 1, "loss": {10**400}}}',
        "[" * 100_000,
    ],
)
def test_a_line_that_is_no_record_is_a_clear_error(text):
    with pytest.raises(ValueError, match=r"\w"):
        from_line(text)


@given(st.dictionaries(NAMES, JSON, max_size=4).map(json.dumps) | st.text())
def test_no_line_does_worse_than_be_no_record(text):
    try:
        item = from_line(text)
    except ValueError:
        return
    assert isinstance(item, Record | Event)
