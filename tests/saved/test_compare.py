"""Runs side by side: settings, final and best values, the distance to a baseline."""

import json
import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget import load_run
from mswidget.importers.formats.found import Number
from mswidget.importers.formats.printed import Printed
from mswidget.records.history import History
from mswidget.records.rank import Rank
from mswidget.records.record import Event, Record, to_line
from mswidget.records.rounding import Rounding
from mswidget.saved.compare import Comparison
from mswidget.saved.finder import Contents
from mswidget.saved.run import SavedRun

NUMBER = st.floats(allow_nan=True, allow_infinity=True)
FINITE = st.floats(-1e9, 1e9)
FLOATS = (np.float32, np.float64)
CURVE = st.lists(NUMBER, min_size=1, max_size=20)


def run(name, values, *, metric="loss", first=1, every=1, facts=None, rounding=None):
    history = History()
    steps = range(first, first + every * len(values), every)
    history.extend(
        Record(step, 100.0 + step, 0, "a1", {metric: value}, (step - 1) // 10 + 1)
        for step, value in zip(steps, values, strict=True)
    )
    return known(name, history, facts, rounding)


def known(name, history, facts=None, rounding=None):
    """Return a run of one rank, of which so much is known."""
    said = [Event("train_begin", 0, 100.0, 0, "a1", fields=facts)] if facts else []
    rank = Rank(0, history, said, rounding=rounding or {})
    path = Path(name)
    source = SimpleNamespace(path=path, rank=0, ranks={0: rank})
    found = SavedRun(path)
    found.add(path, Contents([source]))
    return found


def errors(mine, base, **options):
    table = Comparison([mine, base], base.name, **options).errors
    return table.loc[("loss", mine.name)]


def write(folder, *items, rank=0, facts=None):
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"rank_{rank}.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(map(to_line, items))
    if facts is not None:
        (folder / "run.json").write_text(json.dumps(facts))


def record(step, **values):
    return Record(step, 100.0 + step, 0, "a1", values)


def begin(**fields):
    return Event("train_begin", 0, 100.0, 0, "a1", fields=fields)


# --- settings ---


def settings(*facts):
    runs = [run(f"r{n}", [1.0], facts=found) for n, found in enumerate(facts)]
    table = Comparison(runs).settings
    return {name: row.tolist() for name, row in table.iterrows()}


def test_only_settings_that_differ_are_told():
    one = {"config": {"optimizer": {"type": "Adam", "eps": 1e-8}}, "rank_size": 1}
    two = {"config": {"optimizer": {"type": "SGD", "eps": 1e-8}}, "rank_size": 8}
    assert settings(one, two) == {
        "rank_size": [1, 8],
        "optimizer.type": ["Adam", "SGD"],
    }


def test_a_setting_that_one_run_lacks_is_none_there():
    groups = {"config": {"groups": [{"lr": 0.1}, {"lr": 0.2}], "given": {"层": [1, 2]}}}
    found = {"groups.0.lr": [0.1, None], "groups.1.lr": [0.2, None]}
    assert settings(groups, {}) == {**found, "given.层": [[1, 2], None]}


def test_what_differs_by_its_nature_is_no_setting():
    facts = [{"name": n, "job": n, "start": n, "seed": 1} for n in "ab"]
    assert settings(*facts) == {}


def test_true_is_not_one_and_nothing_is_none():
    assert settings({"a": True, "b": None}, {"a": 1}) == {"a": [True, 1]}


# --- values ---


def values(metric, *curves):
    runs = [run(f"r{n}", c, metric=metric) for n, c in enumerate(curves)]
    return Comparison(runs).values.loc[metric]


def test_final_and_best_follow_the_metrics_direction():
    table = values("loss", [3.0, 1.0, 2.0], [4.0, 4.0])
    assert table["final"].tolist() == [2.0, 4.0]
    assert table["final_step"].tolist() == [3, 2]
    assert table["best"].tolist() == [1.0, 4.0]
    assert table["best_step"].tolist() == [2, 1]
    assert values("samples_per_s", [3.0, 9.0, 2.0])["best"].tolist() == [9.0]


def test_without_a_direction_nothing_is_best():
    table = values("lr", [3.0, 1.0])
    assert table["best"].isna().all()
    assert (table["final"].tolist(), table["better"].tolist()) == ([1.0], [""])


def test_what_is_not_finite_is_counted_and_never_best():
    table = values("loss", [math.nan, -math.inf, 2.0, math.nan], [math.nan])
    assert table["best"].tolist()[0] == 2.0
    assert table["nonfinite"].tolist() == [3, 1]
    assert table["final"].isna().all()
    assert table["best_step"].isna().tolist() == [False, True]


def test_a_metric_of_one_run_alone_has_one_row():
    runs = [run("a", [1.0]), run("b", [1.0], metric="eval/准确率")]
    assert Comparison(runs).values.index.tolist() == [
        ("loss", "a"),
        ("eval/准确率", "b"),
    ]


# --- distance to a baseline ---


@given(CURVE, CURVE)
def test_by_step_exactly_the_common_steps_are_compared(mine, base):
    found = Comparison([run("a", mine), run("b", base, every=2)], "b").differences()
    steps = [s for s in range(1, len(mine) + 1) if s % 2 and s <= 2 * len(base)]
    assert found["step"].tolist() == found["x"].tolist() == steps
    pairs = [(mine[s - 1], base[(s - 1) // 2]) for s in steps]
    # Of two numbers at the ends of float64 the distance is beyond it, and inf.
    expected = [
        a - b if all(map(math.isfinite, (a, b))) else math.nan for a, b in pairs
    ]
    np.testing.assert_array_equal(found["absolute"], expected)


@given(CURVE)
def test_a_run_is_never_away_from_itself(held):
    found = errors(run("a", held), run("b", held), tolerance=0.0)
    assert found.isna()["first_step_beyond"]
    assert (found["nonfinite_apart"], found["points"]) == (0, len(held))
    assert found[["mean_absolute", "max_absolute"]].dropna().eq(0).all()


def test_mean_and_largest_error_and_where():
    found = errors(run("a", [1.0, 2.5, 5.0, 8.0]), run("b", [1.0, 2.0, 4.0]))
    assert found["points"] == 3
    assert (found["mean_absolute"], found["max_absolute"]) == (0.5, 1.0)
    assert (found["max_relative"], found["max_absolute_step"]) == (0.25, 3)
    assert found["mean_relative"] == pytest.approx(0.5 / 3)


def test_the_first_step_beyond_the_tolerance_is_told():
    base, mine = [100.0] * 5, [100.0, 100.9, 99.1, 101.1, 100.0]
    assert errors(run("a", mine), run("b", base))["first_step_beyond"] == 4
    assert (
        errors(run("a", mine), run("b", base), tolerance=0.0)["first_step_beyond"] == 2
    )
    assert errors(run("a", mine), run("b", base), tolerance=0.1).isna()[
        "first_step_beyond"
    ]


@pytest.mark.parametrize(
    ("mine", "base"),
    [(math.nan, 1.0), (1.0, math.nan), (math.inf, -math.inf), (math.nan, math.inf)],
)
def test_a_value_that_is_not_finite_in_one_run_alone_is_beyond(mine, base):
    found = errors(run("a", [1.0, mine]), run("b", [1.0, base]))
    assert (found["first_step_beyond"], found["nonfinite_apart"]) == (2, 1)


def test_where_the_baseline_is_zero_nothing_is_relative():
    table = Comparison([run("a", [0.0, 1.0]), run("b", [0.0, 0.0])], "b")
    assert table.differences()["relative"].isna().all()
    assert table.errors["first_step_beyond"].tolist() == [2]


def printed(name, held, form):
    """Return the run that a log of these values gives, and what it knows of digits."""
    log, texts = Printed(), [Number(format(value, form)) for value in held]
    for text in texts:
        log.see("loss", text)
    return run(name, [float(text) for text in texts], rounding=log.rounding())


@given(
    st.lists(FINITE, min_size=1, max_size=10),
    st.sampled_from([".2f", ".6f", ".3e", ".6E"]),
)
def test_rounding_of_a_printed_log_is_no_difference(held, form):
    held = [1.23456789, 98.7654321, *held]
    log, exact = printed("log", held, form), run("exact", held)
    for mine, base in ((log, exact), (exact, log), (log, printed("2", held, ".3f"))):
        assert errors(mine, base, tolerance=0.0).isna()["first_step_beyond"]


def test_more_than_rounding_is_a_difference():
    exact, log = run("a", [1.5, 1.23549]), printed("log", [1.5, 1.236], ".3f")
    found = errors(exact, log, tolerance=0.0)
    assert (found["first_step_beyond"], found["rounding"]) == (2, 0.0005)


def test_a_zero_does_not_blur_the_other_values_of_its_column():
    held = [0.0, 1e-6, 2e-6, 3e-6]
    late = printed("late", [0.0, 1e-6, 2e-6, 3.1e-6], ".6E")
    found = errors(late, printed("base", held, ".6E"), tolerance=0.0)
    assert (found["first_step_beyond"], found["rounding"]) == (4, pytest.approx(1e-12))


def test_each_value_is_rounded_by_its_own_size():
    base, mine = [123.456, 1.23456e-4, 5.0], [123.456, 1.2345e-4, 5.0]
    log = printed("log", base, ".6g")
    assert errors(log, run("full", base), tolerance=0.0).isna()["first_step_beyond"]
    assert errors(log, run("off", mine), tolerance=0.0)["first_step_beyond"] == 2


def test_between_printed_values_the_line_is_as_exact_as_they_are():
    facts = {"steps_per_epoch": 1}
    log, full = History(), run("full", [1.0, 1.5, 2.04], facts=facts)
    log.extend(record(step, loss=float(step // 2 + 1)) for step in (1, 3))
    coarse = known("log", log, facts, {"loss": Rounding(2, place=1)})
    found = errors(full, coarse, align="epoch", tolerance=0.0)
    assert found.isna()["first_step_beyond"]
    assert found["rounding"] == pytest.approx(0.05)


@pytest.mark.parametrize("form", [None, ".6E", ".8f"])
def test_a_learning_rate_that_is_off_by_one_is_told_at_once(form):
    steps = np.arange(1, 2001)
    late = np.where(steps < 500, steps, steps - 1)
    rates = [1e-4 * (1 - at / 2000) for at in (late, steps)]
    if form:
        rates = [[float(format(rate, form)) for rate in held] for held in rates]
    mine, base = (run(n, r, metric="lr") for n, r in zip("ab", rates, strict=True))
    found = Comparison([mine, base], "b").errors.loc[("lr", "a")]
    assert found["first_step_beyond"] in (500, 501)
    loose = Comparison([mine, base], "b", tolerance=0.1).errors
    assert loose["first_step_beyond"].tolist()[0] >= 1990


def test_a_learning_rate_of_float32_is_that_of_float64():
    share = np.arange(1000) / 999
    rates = [1e-4 * (1 + np.cos(t(np.pi) * share.astype(t))) / 2 for t in FLOATS]
    runs = [run(n, r, metric="lr") for n, r in zip("ab", rates, strict=True)]
    assert Comparison(runs, "b").errors["first_step_beyond"].isna().all()


def test_attempts_are_compared_by_their_latest_values():
    history = History()
    history.extend(record(step, loss=9.0) for step in (1, 2, 3))
    history.extend(Record(s, 200.0 + s, 0, "a2", {"loss": 1.0}) for s in (2, 3))
    found = errors(known("a", history), run("b", [9.0, 1.0, 1.0]))
    assert found["max_absolute"] == 0.0


# --- alignment ---


def test_by_samples_a_smaller_batch_takes_more_steps():
    large = run("large", [4.0, 2.0], facts={"batch_size": 8})
    data = {"config": {"data": {"batch_size": 4}}}
    small = run("small", [9.0, 4.0, 3.0, 2.0, 1.0], facts=data)
    found = Comparison([large, small], "large", align="samples").differences()
    assert found["x"].tolist() == [8, 12, 16]
    assert found["step"].tolist() == [2, 3, 4]
    assert found["baseline"].tolist() == [4.0, 3.0, 2.0]
    assert found["absolute"].tolist() == [0.0, 0.0, 0.0]


def test_by_epoch_runs_of_other_lengths_meet():
    short = run("short", [2.0, 1.0], facts={"steps_per_epoch": 1})
    long = run("long", [9.0, 2.0, 1.5, 1.0], facts={"steps_per_epoch": 2})
    found = Comparison([short, long], "short", align="epoch").differences()
    assert found["x"].tolist() == [1.0, 1.5, 2.0]
    assert found["absolute"].tolist() == [0.0, 0.0, 0.0]


def test_the_length_of_an_epoch_is_seen_where_it_is_not_said():
    told = run("told", [1.0] * 25, facts={"steps_per_epoch": 10})
    seen = run("seen", [1.0] * 25)
    found = Comparison([seen, told], "told", align="epoch").differences()
    assert found["x"].tolist() == [step / 10 for step in range(1, 26)]


def test_by_time_counts_from_each_runs_begin():
    base, later = run("base", [1.0, 2.0, 3.0]), History()
    later.extend(Record(s, 9e5 + s / 2, 0, "a1", {"loss": 0.0}) for s in (1, 2, 3))
    runs = [base, known("later", later)]
    found = Comparison(runs, "base", align="time").differences()
    assert found["x"].tolist() == [0.0, 0.5, 1.0]
    assert found["baseline"].tolist() == [1.0, 1.5, 2.0]


def test_by_tokens_the_rates_tell_how_many_a_sample_has():
    history = History()
    rates = {"samples_per_s": 2.0, "tokens_per_s": 1024.0}
    history.extend(record(step, loss=1.0, **rates) for step in (1, 2))
    rated = known("a", history, {"batch_size": 4})
    told = run("b", [1.0, 1.0], facts={"tokens_per_step": 2048})
    found = Comparison([rated, told], "b", align="tokens").differences()
    assert found["x"].tolist() == [2048.0, 4096.0]


def test_what_cannot_be_aligned_is_said():
    runs = [run("a", [1.0], facts={"batch_size": 2}), run("b", [1.0])]
    table = Comparison(runs, "a", align="samples")
    assert table.notes == ["b is left out: how many samples a step has is not known"]
    assert (len(table.differences()), len(table.errors)) == (0, 0)


@given(CURVE, CURVE, st.sampled_from(["epoch", "time", "samples"]))
def test_between_two_values_that_are_not_finite_there_is_no_line(mine, base, align):
    facts = {"batch_size": 1, "steps_per_epoch": 1}
    runs = [run("a", mine, facts=facts), run("b", base, every=2, facts=facts)]
    found = Comparison(runs, "b", align=align).differences()
    at = found["step"].to_numpy() - 1
    finite = np.isfinite(base)
    sound = finite[at // 2] & finite[(at + 1) // 2] & np.isfinite(mine)[at]
    assert not np.isfinite(found["absolute"].to_numpy()[~sound]).any()


def test_without_a_baseline_there_are_no_differences():
    table = Comparison([run("a", [1.0]), run("b", [2.0])])
    assert (len(table.errors), len(table.differences())) == (0, 0)
    whole = Comparison([run("a", [1.0]), run("b", [2.0])], "a")
    assert table.errors.dtypes.equals(whole.errors.dtypes)
    assert [*table.differences()] == [*whole.differences()]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"baseline": "c"}, r"baseline='c': expected one of \['a', 'b'\]"),
        ({"align": "wall"}, "align='wall': expected one of 'step', 'epoch', 'time'"),
    ],
)
def test_a_wrong_option_is_told(options, words):
    with pytest.raises(ValueError, match=words):
        Comparison([run("a", [1.0]), run("b", [1.0])], **options)


# --- saved runs ---


def test_saved_runs_are_compared_by_the_rank_that_has_the_loss(tmp_path):
    why = begin(outputs={"loss_invalid_because": "stage 0 of 2"}, offset=0)
    write(tmp_path / "a", why, record(1, lr=0.1), facts={"rank_size": 2})
    write(tmp_path / "a", begin(offset=7), record(1, loss=2.0), rank=1)
    write(tmp_path / "b", begin(offset=0), record(1, loss=3.0), facts={"rank_size": 1})
    table = Comparison([load_run(tmp_path / n) for n in "ab"], "b")
    assert table.values["final"].to_dict() == {("loss", "a"): 2.0, ("loss", "b"): 3.0}
    assert table.settings.loc["offset"].tolist() == [7, 0]
    assert table.settings.loc["rank_size"].tolist() == [2, 1]
    assert table.errors["max_absolute"].tolist() == [1.0]


def test_a_printed_log_is_compared_with_what_its_digits_allow(tmp_path):
    write(tmp_path / "exact", record(1, loss=1.65994812), record(2, loss=1.25))
    line = "epoch: 1 step: {}, loss is {:.6f}\n"
    log = tmp_path / "train.log"
    log.write_text(line.format(1, 1.65994812) + line.format(2, 1.25))
    runs = [load_run(log), load_run(tmp_path / "exact")]
    table = Comparison(runs, "exact", tolerance=0.0).errors
    assert table["first_step_beyond"].isna().all()
    assert table["rounding"].tolist() == [5e-7]


def test_a_run_that_logged_nothing_is_compared_too(tmp_path):
    write(tmp_path / "a")
    write(tmp_path / "b", record(1, loss=1.0))
    table = Comparison([load_run(tmp_path / n) for n in "ab"], "a")
    assert table.values.index.tolist() == [("loss", "b")]
    assert len(table.errors) == 0
