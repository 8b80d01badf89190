"""What the page gets is what the run logged, or an honest reduction of it."""

import base64
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.records.history import Rows
from mswidget.widget.frames import encode, exact_stop
from tests.page import decode, history_of

CONTRACTS = sorted((Path(__file__).parents[1] / "contract").glob("*.json"))
COLUMNS = st.dictionaries(
    st.sampled_from(["loss", "lr", "损失", "empty"]),
    st.lists(st.none() | st.floats(), max_size=60),
    min_size=1,
)
NO_LIMIT = 10**9


def values_of(columns):
    return {
        name: {row: value for row, value in enumerate(values) if value is not None}
        for name, values in columns.items()
    }


def sent(block, buffer):
    found = decode(block, buffer)
    return found.pop(""), found


@given(COLUMNS)
def test_what_fits_arrives_bit_for_bit(columns):
    block, buffer = encode(history_of(columns).rows(), NO_LIMIT)
    rows, found = sent(block, buffer)
    assert not block["reduced"]
    assert rows["rows"] == list(range(block["count"]))
    expected = {name: held for name, held in values_of(columns).items() if held}
    assert repr(found) == repr({name: expected[name] for name in found})
    assert found.keys() == expected.keys()


@given(COLUMNS, st.integers(0, 60), st.integers(0, 60))
def test_a_window_arrives_with_absolute_rows(columns, start, stop):
    history = history_of(columns)
    block, buffer = encode(history.rows(start, stop), NO_LIMIT)
    rows, found = sent(block, buffer)
    assert rows["rows"] == list(range(block["start"], block["stop"]))
    assert rows["steps"] == [row + 1 for row in rows["rows"]]
    for name, held in found.items():
        everything = values_of(columns)[name]
        assert held.keys() == everything.keys() & set(rows["rows"])


@given(COLUMNS, st.integers(0, 4000))
def test_a_reduced_block_is_small_true_and_marked(columns, limit):
    rows = history_of(columns).rows()
    block, buffer = encode(rows, limit)
    exact = encode(rows, NO_LIMIT)[1]
    at_least = 8 * 7 * 6 * len(columns)
    assert len(buffer) <= max(limit, at_least)
    assert block["reduced"] == (len(exact) > limit)
    assert (block["start"], block["stop"]) == (0, rows.stop)
    for name, held in sent(block, buffer)[1].items():
        everything = values_of(columns)[name]
        assert {row: repr(v) for row, v in held.items()}.items() <= {
            row: repr(v) for row, v in everything.items()
        }.items()


@pytest.mark.parametrize("bad", [1e9, -1e9, math.nan, math.inf, -math.inf])
def test_a_spike_of_any_metric_survives(bad):
    values = np.ones((8, 12_000))
    columns = {f"loss/{i}": row for i, row in enumerate(values)}
    for i, row in enumerate(values):
        row[1500 * i + 17] = bad
    block, buffer = encode(history_of(columns).rows(), 100_000)
    found = decode(block, buffer)
    assert block["reduced"]
    assert len(buffer) <= 100_000
    for i in range(8):
        assert repr(found[f"loss/{i}"][1500 * i + 17]) == repr(bad)


def test_metrics_that_are_logged_rarely_take_no_room_from_the_loss():
    columns = {"loss": np.random.default_rng(1).normal(size=10_000)}
    alone = encode(history_of(columns).rows(1), 100_000)[0]
    columns |= {f"eval/{i}": [1.0] for i in range(200)}
    beside = encode(history_of(columns).rows(1), 100_000)[0]
    assert beside["columns"] == alone["columns"]


def test_steps_without_any_value_do_not_fill_a_message():
    history = history_of({"loss": [None] * 10_000 + [1.0]})
    block, buffer = encode(history.rows(), 100_000)
    assert len(buffer) <= 100_000
    assert block["reduced"]
    assert sent(block, buffer)[1] == {"loss": {10_000: 1.0}}


def test_values_left_out_are_marked_though_every_row_is_there():
    spikes = {f"loss/{i}": np.eye(64)[i] for i in range(64)}
    block, _ = encode(history_of(spikes).rows(), 20_000)
    assert block["count"] == block["stop"] == 64
    assert block["reduced"]


@given(COLUMNS, st.integers(1, 2000))
def test_the_exact_part_fits(columns, limit):
    history = history_of(columns)
    stop = exact_stop(history.rows(), limit)
    block, buffer = encode(history.rows(0, stop), NO_LIMIT)
    assert len(buffer) <= limit or stop == 1
    assert stop > 0 or not len(history)
    assert not block["reduced"]


def contract(path):
    """Return the block, the buffer and the rows of an example."""
    text = json.loads(path.read_text("utf-8"))
    block = text["message"]["block"]
    points = text["points"]
    steps = {}
    for column in points.values():
        steps |= dict(zip(column["rows"], column["steps"], strict=True))
    rows = Rows(
        block["start"],
        block["stop"],
        np.array([steps[row] for row in sorted(steps)], float),
        np.array(text["epochs"], float),
        np.array(text["wall_times_s"], float),
        np.zeros(len(steps), np.int64),
        ("a1",),
        {
            name: (np.array(column["rows"]), np.array(column["values"], float))
            for name, column in points.items()
        },
    )
    return block, base64.b64decode(text["buffer_base64"]), rows


@pytest.mark.parametrize("path", CONTRACTS, ids=lambda path: path.stem)
def test_the_contract_files_say_what_the_kernel_sends(path):
    block, buffer, rows = contract(path)
    if block["reduced"]:
        found = decode(block, buffer)
        assert found[""]["s"] == rows.wall_times_s.tolist()
        for name, (at, values) in rows.metrics.items():
            held = dict(zip(at.tolist(), values.tolist(), strict=True))
            assert repr(found[name]) == repr(held)
    else:
        assert encode(rows, NO_LIMIT) == (block, buffer)
