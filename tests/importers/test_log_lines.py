"""Logs as they are: coloured, interleaved, cut, restarted, of several zones."""

import math
from datetime import datetime, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mswidget.importers.format_table import FORMATS
from mswidget.importers.formats.lines import time_of
from mswidget.importers.log_source import LogSource
from mswidget.records.frame import to_pandas
from mswidget.records.rounding import Rounding
from mswidget.saved.reader import load_run
from tests.importers.logs import BY_FORMAT, NAMES, curve, read, sample, values


def step_line(step, loss="1.5", time="2026-11-30 09:04:51,175"):
    return (
        f"[INFO] {time} [callback.py:756] print_output_info: {'{'} Epoch:[  1/  1], "
        f"step:[{step:5}/ 1000], loss: {loss}, per_step_time: 4ms, loss_scale: 1.0\n"
    )


NOISE = "[WARNING] loading checkpoint, this takes a while\n"


def test_colours_and_carriage_returns_change_nothing(tmp_path):
    plain = [step_line(step, f"{step}.5") for step in (1, 2, 3)]
    bar = "\r 33%|###   | 1/3 [00:01<00:02]\r 66%|####  | 2/3\r"
    odd = [f"\x1b[32m{bar}{line[:-1]}\x1b[0m\r\n" for line in plain]
    assert values(read(tmp_path, odd)) == values(read(tmp_path, plain))


def test_colours_inside_of_a_line_change_nothing(tmp_path):
    line = step_line(7).replace("loss: ", "\x1b[1;31mloss:\x1b[0m ")
    assert curve(read(tmp_path, line)) == [("a1", 7, 1.5)]


@pytest.mark.parametrize(
    ("printed", "value"),
    [("nan", math.nan), ("NaN", math.nan), ("inf", math.inf), ("-inf", -math.inf)],
)
def test_what_is_not_finite_is_a_value(tmp_path, printed, value):
    ((_, _, found),) = curve(read(tmp_path, step_line(1, printed)))
    assert repr(found) == repr(value)


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-11-30T09:00:00Z loss", 9),
        ("2026-11-30 09:00:00.250+08:00 loss", 1),
        ("[2026/11/30 09:00:00,250 -0330] loss", 12.5),
        ("2026-11-30 09:00:00 UTC loss", 9),
    ],
)
def test_times_of_any_zone_are_one_time(text, hour):
    midnight = datetime(2026, 11, 30, tzinfo=timezone.utc).timestamp()
    time_s, has_zone = time_of(text)
    assert has_zone
    assert time_s // 1 == midnight + hour * 3600


def test_times_without_a_zone_are_said_to_be_local(tmp_path):
    rank = read(tmp_path, step_line(1))
    local = datetime(2026, 11, 30, 9, 4, 51, 175000).astimezone()
    assert rank.records[0].wall_time_s == pytest.approx(local.timestamp())
    assert any("local time" in note for note in rank.notes)


@pytest.mark.parametrize("text", ["2026-13-30 09:00:00", "0000-00-00 99:99:99", "no"])
def test_what_is_no_time_is_none(text):
    assert time_of(text) == (None, False)


def test_a_log_without_times_says_so(tmp_path):
    rank = read(tmp_path, "epoch: 1 step: 1, loss is 0.5\n")
    assert any("no times" in note for note in rank.notes)
    assert rank.records[0].wall_time_s == (tmp_path / "train.log").stat().st_mtime


def test_the_printed_precision_is_stated(tmp_path):
    rank = read(tmp_path, [step_line(1, "1.659948"), step_line(2, "1.5")])
    assert rank.rounding == {"loss": Rounding(7, place=6)}
    assert any("loss ± 5e-07" in note for note in rank.notes)


@pytest.mark.parametrize(
    ("texts", "rounding"),
    [
        (["7.251911E+00", "6.100000E-01"], Rounding(7)),
        (["7.251911E+00", "0.0"], Rounding(7)),
        (["0.25", "0.0", "12"], Rounding(2, place=2)),
        (["1e-06", "0.0001"], None),
        (["1e-06", "9e-07"], None),
        (["4.5e-05", "2.13e-05"], None),
        (["0.5", "0.5"], None),
        (["0.1234567890123456", "0.5"], None),
    ],
)
def test_a_full_number_is_not_taken_for_a_rounded_one(tmp_path, texts, rounding):
    rank = read(tmp_path, [step_line(i, text) for i, text in enumerate(texts, 1)])
    assert rank.rounding.get("loss") == rounding


def test_a_restarted_training_in_one_log_is_two_attempts(tmp_path):
    lines = [step_line(step, "1.5") for step in (8, 9, 10)]
    again = [step_line(step, "1.25", "2026-11-30 10:00:00,0") for step in (9, 10, 11)]
    rank = read(tmp_path, [*lines, NOISE, *again])
    assert curve(rank) == [
        *(("a1", step, 1.5) for step in (8, 9, 10)),
        *(("a2", step, 1.25) for step in (9, 10, 11)),
    ]
    begins = [(e.attempt, e.step) for e in rank.events if e.name == "train_begin"]
    assert begins == [("a1", 7), ("a2", 8)]


def test_two_logs_one_after_the_other_are_two_attempts(tmp_path):
    lines = [step_line(step) for step in (1, 2, 3)]
    rank = read(tmp_path, [*lines, *lines])
    assert [attempt for attempt, _, _ in curve(rank)] == ["a1"] * 3 + ["a2"] * 3


def test_a_log_of_one_step_before_a_restart_is_an_attempt(tmp_path):
    rank = read(tmp_path, [step_line(100), step_line(1), step_line(2)])
    assert [place[:2] for place in curve(rank)] == [("a1", 100), ("a2", 1), ("a2", 2)]


def test_processes_that_print_into_one_log_are_one_curve(tmp_path):
    order = [1, 1, 2, 1, 2, 2, 3, 3, 4, 3, 4, 4]
    rank = read(tmp_path, [step_line(s, f"{i}.5") for i, s in enumerate(order)])
    assert curve(rank) == [
        ("a1", 1, 0.5),
        ("a1", 2, 2.5),
        ("a1", 3, 6.5),
        ("a1", 4, 8.5),
    ]
    assert any("8 values" in note for note in rank.notes)


@pytest.mark.parametrize(
    "order",
    [
        [10, 20, 30, 10, 40, 20, 50, 30],
        [10, 20, 30, 40, 10, 20, 50, 30, 60, 10, 70, 20, 30],
    ],
)
def test_processes_whose_lines_are_far_apart_are_one_attempt(tmp_path, order):
    rank = read(tmp_path, [line for s in order for line in (NOISE, step_line(s))])
    assert [(attempt, step) for attempt, step, _ in curve(rank)] == [
        ("a1", step) for step in range(10, max(order) + 1, 10)
    ]


def test_a_restart_that_prints_at_another_interval_is_an_attempt(tmp_path):
    order = [10, 20, 30, 7, 14, 21, 28, 35]
    rank = read(tmp_path, [line for s in order for line in (NOISE, step_line(s))])
    assert [a for a, _, _ in curve(rank)] == ["a1"] * 3 + ["a2"] * 5


@pytest.mark.parametrize(
    "mark",
    [
        "[rank{}]:",
        "[default{}]:",
        "[1,{}]<stdout>:",
        "[Rank {0} | Local Rank {0}] ",
        "train_parallel{}/log:",
        "./device_{}/train.log:",
    ],
)
def test_processes_that_mark_their_lines_are_ranks(tmp_path, mark):
    lines = [
        mark.format(rank) + step_line(step, f"{rank}.5")
        for step in (1, 2)
        for rank in (1, 0)
    ]
    path = tmp_path / "all.log"
    path.write_text("".join(lines))
    ranks = load_run(path).ranks
    assert sorted(ranks) == [0, 1]
    assert curve(ranks[1]) == [("a1", 1, 1.5), ("a1", 2, 1.5)]


def test_text_between_is_passed_over(tmp_path):
    odd = ["损失 \U0001f4c9\n", "\n", "\0\0\n"]
    lines = [*odd, step_line(1), NOISE, *odd, step_line(2), "{"]
    assert [step for _, step, _ in curve(read(tmp_path, lines))] == [1, 2]


def test_half_a_line_waits_for_its_rest(tmp_path):
    text = step_line(1, "1.5") + step_line(2, "1.659948")
    cut = text.index("1.659948") + 4
    assert curve(read(tmp_path, text[:cut])) == [("a1", 1, 1.5)]


WORDS = st.sampled_from(
    [
        "{ Epoch:[  1/  1], step:[    5/  100], ",
        "{ step:[    5/  100], consumed_samples: 1, ",
        " iteration        1/     400 |",
        " lm loss: ",
        "loss:[",
        '{"step": ',
        '{"current_steps": ',
        '"log_history": [',
        "epoch: 1 step: 5, loss is ",
        "Train epoch time: 0.0 ms, per step time: 0.000 ms",
        "1e999",
        "9" * 5000,
        "nan",
        "}",
        "\n",
        "\r",
        "\x1b[",
        "2026-99-99 99:99:99",
        "[" * 2000,
    ]
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("any")


LINES = st.sampled_from(
    [
        "{ Epoch:[%s/%s], step:[%s/%s], loss:[%s/%s], lr: [%s]\n",
        "{ step:[%s/%s], consumed_samples: %s, global_batch_size: %s, loss: %s }\n",
        "[2026-11-30 08:00] iteration %s/%s | lm loss: %s | global batch size: %s |\n",
        "iteration %s/%s | current time: %s | number of skipped iterations: %s |\n",
        "epoch: %s step: %s, loss is %s\nepoch time: %s ms, per step time: %s ms\n",
        '{"step": %s, "loss": {"ce": %s}, "timestamp": %s, "epoch": %s, "rank": %s}\n',
        '{"current_steps": %s, "total_steps": %s, "loss": %s, "epoch": %s}\n',
        '{"log_history": [{"step": %s, "epoch": %s, "eval_loss": %s}, {"step": %s}]}\n',
    ]
)
ODD = st.sampled_from(
    [
        *("0", "1", "2", "-1", "0.5", "1e3", "1e999", "-1e999", "nan", "NaN"),
        *("Infinity", "null", "true", '"2026-11-30 08:00:00"'),
        *("9" * 9, "9" * 15, "9" * 30, "9" * 5000),
    ]
)
FILLED = st.tuples(LINES, st.lists(ODD, min_size=7, max_size=7)).map(
    lambda drawn: drawn[0] % tuple(drawn[1][: drawn[0].count("%s")])
)
TEXTS = st.lists(FILLED | WORDS | st.text(max_size=8), max_size=12).map("".join)


@pytest.mark.parametrize("kind", FORMATS, ids=NAMES)
@given(text=TEXTS)
def test_any_text_never_raises(folder, kind, text):
    path = folder / "any.log"
    path.write_bytes(text.encode(errors="replace"))
    file = LogSource(path, kind)
    file.read_on()
    rows = {rank.rank: rank.history.rows() for rank in file.ranks.values()}
    if rows:
        table = to_pandas(rows)
        assert len(table) == sum(len(found.steps) for found in rows.values())
    assert all(note for rank in file.ranks.values() for note in rank.notes)


@pytest.mark.parametrize("kind", FORMATS, ids=NAMES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(share=st.floats(0.2, 1))
def test_a_log_cut_at_any_byte_is_its_begin(kind, share, tmp_path):
    name = BY_FORMAT[kind.name]
    data = sample(name)
    whole = values(read(tmp_path, data, name))
    cut = int(share * len(data))
    try:
        found = values(read(tmp_path, data[:cut], name))
    except ValueError:
        found = []
    for metric in {metric for _, metric, _ in whole}:
        before, after = (
            [item for item in items if item[1] == metric] for items in (found, whole)
        )
        assert before == after[: len(before)]
    assert len(found) >= len(whole) * (share - 0.6)
