"""The ranks of a run side by side, and which of them left the others first."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mswidget import load_run
from mswidget.records.curve import curve
from mswidget.records.divergence import divergences
from mswidget.records.history import History
from mswidget.records.rank import Rank
from mswidget.records.ranks import ranks_table
from mswidget.records.record import Event, Record, to_line

NOW_S = 10_000.0
EQUAL_NOISE = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def records(values, *, first=1, attempt="a1", name="loss", every=1):
    return [
        Record(step, 9_900.0 + step, 0, attempt, {name: value})
        for step, value in zip(
            range(first, first + every * len(values), every), values, strict=True
        )
    ]


def event(name, *, step=0, time_s=9_900.0, attempt="a1", **fields):
    return Event(name, step, time_s, 0, attempt, fields=fields)


def rank(*items):
    history = History()
    history.extend(item for item in items if isinstance(item, Record))
    events = [item for item in items if isinstance(item, Event)]
    return Rank(0, history, events)


def left(*ranks):
    """Return by rank the step at which it left."""
    table = ranks_table({n: rank(*r) for n, r in enumerate(ranks)}, 0, NOW_S)
    return {n: int(step) for n, step in table["left_step"].dropna().items()}


def noise(ranks, steps, seed=0):
    return np.random.default_rng(seed).normal(3.0, 0.1, size=(ranks, steps))


def test_each_rank_says_what_it_does():
    ranks = {
        0: rank(event("train_begin"), *records([1.0, 2.0]), event("train_end", step=2)),
        1: rank(*records([1.0], first=90), event("failed", detail="ValueError: 坏")),
        2: rank(*records([1.0], first=99)),
        3: rank(*records([1.0, 7.0], first=20, attempt="a2")),
        4: rank(),
    }
    table = ranks_table(ranks, 6, NOW_S)
    phases = ["finished", "failed", "training", "silent", "waiting", "missing"]
    assert table["phase"].tolist() == phases
    assert table["silent_s"].dropna().to_dict() == {2: 1.0, 3: 79.0}
    assert table["detail"][1] == "ValueError: 坏"
    assert table["attempt"].dropna().tolist() == ["a1", "a1", "a1", "a2"]
    assert table["last_step"].dropna().tolist() == [2, 90, 99, 21]
    assert table["last_time"][3] == pd.Timestamp(9_921, unit="s", tz="UTC")
    assert table["last_value"][3] == 7.0


def test_columns_have_types_one_can_compute_with():
    whole = ranks_table({0: rank(*records([1.0]))}, 2, NOW_S)
    for table in (whole, ranks_table({}, 2, NOW_S), ranks_table({}, 0, NOW_S)):
        assert table.dtypes.equals(whole.dtypes)
    assert str(whole["left_step"].dtype) == "Int64"
    assert whole.index.name == "rank"


def test_a_rank_that_waits_long_for_its_first_step_is_silent():
    table = ranks_table({0: rank(event("train_begin", time_s=9_000.0))}, 1, NOW_S)
    assert (table["phase"][0], table["silent_s"][0]) == ("silent", 1_000.0)


def test_the_rank_whose_loss_was_nan_first_left_the_others():
    good, ends = [3.0, 2.0, 1.5, math.nan], [3.0, math.nan, math.nan, math.nan]
    ranks = {n: rank(*records(ends if n == 1 else good)) for n in range(4)}
    table = ranks_table(ranks, 4, NOW_S)
    assert table["nonfinite_step"].tolist() == [4, 2, 4, 4]
    assert table["left_step"].dropna().to_dict() == {1: 2}
    assert table["note"].tolist() == ["", "the first to leave the others", "", ""]


def test_of_two_ranks_one_that_is_infinite_has_left():
    assert left(records([1.0, 1.0]), records([1.0, math.inf])) == {1: 2}


def test_of_two_ranks_that_differ_nobody_says_which_left():
    assert left(records([1.0] * 20), records([9.0] * 20)) == {}


@given(EQUAL_NOISE, st.integers(2, 9), st.integers(1, 300), st.booleans())
def test_noise_that_is_alike_on_all_ranks_is_no_alarm(random, ranks, steps, heavy):
    size = (ranks, steps)
    drawn = random.standard_t(3, size=size) if heavy else random.normal(size=size)
    falling = 3 * np.exp(-np.arange(steps) / 50)
    assert left(*(records(line) for line in falling * (1 + drawn / 10))) == {}


@given(st.integers(0, 3), st.integers(1, 180), st.sampled_from([-1, 1]), EQUAL_NOISE)
def test_a_rank_that_goes_away_is_found_where_it_went(gone, step, sign, random):
    values = random.normal(3.0, 0.1, size=(4, 200))
    values[gone, step - 1 :] += sign * 9.0
    assert left(*map(records, values)) == {gone: step}


def test_ranks_that_agree_may_differ_in_the_last_digits():
    values = np.repeat(noise(1, 100), 4, axis=0)
    values[2] *= 1 + 1e-7
    assert left(*map(records, values)) == {}
    values[2, 49:] *= 1.001
    assert left(*map(records, values)) == {2: 50}


def test_a_spike_alone_does_not_leave():
    values = noise(4, 100)
    values[1, 30:34] = 99.0
    assert left(*map(records, values)) == {}
    values[1, 34] = 99.0
    assert left(*map(records, values)) == {1: 31}


def test_a_spike_of_all_ranks_is_nobodys():
    values = noise(8, 100)
    values[:, 40:60] = 50 + 30 * noise(8, 20, seed=1)
    assert left(*map(records, values)) == {}


def test_steps_that_a_rank_did_not_log_do_not_count():
    values = noise(4, 100)
    values[3, 60:] = 9.0
    sparse = records(values[3, ::10], every=10)
    assert left(*map(records, values[:3]), sparse) == {}
    values[3, 40:] = 9.0
    sparse = records(values[3, ::10], every=10)
    assert left(*map(records, values[:3]), sparse) == {3: 41}


def test_a_departure_across_parts_of_a_long_run_is_found():
    values = noise(3, 20_050)
    values[0, 9_998:10_003] = 9.0
    values[1, 20_045:] = 9.0
    assert left(*map(records, values)) == {0: 9_999, 1: 20_046}


def test_the_latest_attempt_is_what_counts():
    good = records(noise(1, 50)[0])
    again = [*records([math.nan] * 50), *records(noise(1, 50)[0], attempt="a2")]
    assert left(good, good, good, again) == {}


def test_a_rank_without_a_loss_says_so_and_is_compared_with_nobody():
    why = event("train_begin", outputs={"loss_invalid_because": "stage 0 of 2"})
    imported = event("train_begin", loss_invalid_because="another stage has it")
    odd = records([math.nan] * 9)
    ranks = {
        0: rank(why, *odd),
        1: rank(imported, *odd),
        **{n: rank(*records(line)) for n, line in enumerate(noise(3, 9), 2)},
    }
    table = ranks_table(ranks, 0, NOW_S)
    assert table["note"][0] == "no loss on this rank: stage 0 of 2"
    assert table["note"][1] == "no loss on this rank: another stage has it"
    assert table["left_step"].isna().all()
    assert table["nonfinite_step"].isna().all()


def test_another_metric_than_the_loss_can_be_compared():
    why = event("train_begin", loss_invalid_because="stage 0 of 2")
    norms = [records(line, name="grad_norm") for line in ([1.0], [math.nan])]
    ranks = {n: rank(why, *found) for n, found in enumerate(norms)}
    table = ranks_table(ranks, 0, NOW_S, metric="grad_norm")
    assert table["left_step"].dropna().to_dict() == {1: 1}


@given(arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(0, 12))))
def test_any_values_are_looked_at_without_an_error(values):
    found = divergences(
        [curve(rank(*records(v)).history.rows(), "loss") for v in values]
    )
    assert found.shape == (len(values),)


def test_a_saved_run_has_the_table_and_the_ranks_themselves(tmp_path):
    (tmp_path / "run.json").write_text(json.dumps({"rank_size": 3}))
    for number, values in ((0, [1.0, 2.0]), (1, [1.0, math.nan])):
        text = "".join(map(to_line, records(values)))
        (tmp_path / f"rank_{number}.jsonl").write_text(text)
    run = load_run(tmp_path)
    assert run.ranks()["phase"].tolist() == ["silent", "silent", "missing"]
    assert run.ranks()["left_step"].idxmin() == 1
    assert run.ranks("lr")["left_step"].isna().all()
    assert sorted(run.ranks) == [0, 1]


@pytest.mark.parametrize(
    "size", ["", "[]", '{"rank_size": "3"}', '{"rank_size": null}']
)
def test_a_run_that_does_not_say_its_size_has_the_ranks_it_has(tmp_path, size):
    (tmp_path / "run.json").write_text(size)
    (tmp_path / "rank_0.jsonl").write_text(to_line(records([1.0])[0]))
    assert load_run(tmp_path).ranks().index.tolist() == [0]
