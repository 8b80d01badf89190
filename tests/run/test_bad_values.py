"""Logged values that are no numbers are counted, told and marked."""

import pytest

from mswidget import load_run, start_run
from mswidget.records.values import BadValueError
from mswidget.run.bad_values import BadValues
from mswidget.watching.watch import Watch


@pytest.fixture
def marked():
    return []


@pytest.fixture
def bad(marked):
    return BadValues(lambda step, metric, _found: marked.append((step, metric)))


@pytest.mark.parametrize(
    ("count", "words"),
    [(1, "once"), (2, "2 times"), (10, "10 times"), (12_345, "12,345 times")],
)
def test_their_number_is_right(bad, count, words):
    for step in range(1, count + 1):
        bad.sift(step, {"loss": BadValueError("text", repr(f"at {step}"))})
    (sentence,) = bad.sentences()
    assert sentence.startswith(f"loss: no number {words}")
    assert "or more" not in sentence
    assert sentence.endswith("first at step 1: text 'at 1'")


def test_the_first_of_each_kind_has_a_mark_and_others_while_they_are_few(bad, marked):
    for step in range(1, 1001):
        bad.sift(step, {"loss": BadValueError("None")})
    bad.sift(1001, {"lr": BadValueError("None")})
    bad.sift(1002, {"loss": BadValueError("text", "'a'")})
    bad.sift(1003, {"loss": BadValueError("text", "'b'")})
    assert marked[:100] == [(step, "loss") for step in range(1, 101)]
    assert marked[100:] == [(1001, "lr"), (1002, "loss")]
    assert len(bad.sentences()) == len(bad.fresh()) == 3


def test_a_name_that_is_not_seen_is_shown(bad):
    bad.sift(1, {"": BadValueError("None"), "loss ": BadValueError("None")})
    texts = [*bad.sentences(), *bad.fresh()]
    assert [text.split(": ")[0] for text in texts] == 2 * ['""', "loss␣"]


def test_of_very_many_kinds_the_rest_is_counted(bad, marked):
    for step in range(3):
        for metric in range(100):
            bad.sift(step, {f"m{metric}": BadValueError("None")})
    *told, rest = bad.sentences()
    assert [text.partition(":")[0] for text in told] == [f"m{i}" for i in range(20)]
    assert rest == "240 values of other metrics or kinds were no numbers either"
    assert len(bad.fresh()) == 20
    assert bad.fresh() == []
    assert len(marked) == 100


def test_the_mark_stands_at_its_step_live_and_later(tmp_path):
    with start_run("run", log_dir=tmp_path, display=False) as run:
        run.log({"loss": 1.0, "lr": 0.1}, step=1)
        run.log({"loss": 2.0, "lr": "text"}, step=2)
        run.log({"loss": None, "lr": 0.1}, step=3)
    live = [m for m in run._head()["marks"] if m["kind"] == "no_number"]
    assert [(m["step"], m["metric"], m["text"]) for m in live] == [
        (2, "lr", "lr: no number"),
        (3, "loss", "loss: no number"),
    ]
    head = Watch([tmp_path]).head()
    later = [m for m in head["marks"] if m["kind"] == "no_number"]
    assert [{**mark, "track": ""} for mark in later] == live
    assert head["status"]["phase"] == "finished"
    events = load_run(run.path).ranks[0].events
    assert [e.fields for e in events if e.name == "no_number"] == [
        {"metric": "lr", "found": "text 'text'"},
        {"metric": "loss", "found": "None"},
    ]
