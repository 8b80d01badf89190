"""Curves as figures of plotly.py."""

import json
import math

import numpy as np
import pytest

from mswidget import load_run, start_run
from mswidget.records.figure import MOST, figure
from mswidget.records.history import History
from mswidget.records.record import Record
from tests.page import history_of


def drawn(columns, **options):
    return figure("run", {0: history_of(columns).rows()}, **options)


def lines(found):
    """Return the traces that are no marks."""
    return [trace for trace in found.data if trace.text is None]


def titles(found):
    return [note.text for note in found.layout.annotations][:-1]


def test_a_run_live_and_read_back_has_the_same_figure(tmp_path):
    with start_run("run 名", log_dir=tmp_path, display=False) as run:
        for step in range(1, 4):
            run.log({"loss": 1 / step, "lr": 0.1})
        live = run.figure()
    saved = load_run(run.path).figure()
    assert live == saved
    assert list(live.data[0].y) == [1, 1 / 2, 1 / 3]
    assert titles(live) == ["loss", "learning rate"]
    assert live.layout.title.text == "run 名"


def test_every_extreme_of_a_long_curve_is_there():
    values = np.sin(np.arange(100_000.0))
    values[31_415], values[27_182] = 1e9, -1e9
    (line,) = lines(drawn({"loss": values.tolist()}))
    assert len(line.x) < 4000
    assert (max(line.y), min(line.y)) == (1e9, -1e9)
    assert line.x[list(line.y).index(1e9)] == 31_416


def test_what_is_not_finite_is_a_gap_and_a_mark_of_its_kind():
    line, marks = drawn({"loss": [math.nan, 1.0, math.inf, 2.0, -math.inf]}).data
    assert [math.isnan(y) for y in line.y] == [True, False, True, False, True]
    assert list(marks.x) == [1, 3, 5]
    assert list(marks.y) == [1.0, 1.0, 2.0]
    assert list(marks.text) == ["NaN", "Infinity", "-Infinity"]
    assert len(set(marks.marker.symbol)) == 3


def test_a_curve_without_any_finite_value_is_all_marks():
    _, marks = drawn({"loss": [math.nan, math.nan]}).data
    assert list(marks.y) == [0.0, 0.0]


def test_ranks_are_lines_of_their_own():
    one, two = history_of({"loss": [1.0, 2.0]}), history_of({"loss": [3.0, 4.0]})
    found = figure("run", {0: one.rows(), 5: two.rows()})
    assert [trace.name for trace in found.data] == ["rank 0", "rank 5"]
    assert len({trace.line.color for trace in found.data}) == 2
    assert [trace.showlegend for trace in found.data] == [True, True]


def test_an_attempt_goes_on_where_the_one_before_was_given_up():
    history = History()
    for attempt, steps in (("a1", range(1, 6)), ("a2", range(4, 8))):
        history.extend(Record(s, 1.7e9, 0, attempt, {"loss": s}) for s in steps)
    first, second = figure("run", {0: history.rows()}).data
    assert (list(first.x), list(second.x)) == ([1, 2, 3], [4, 5, 6, 7])
    assert (first.name, second.name) == ("a1", "a2")


@pytest.mark.parametrize("name", ["<b>x</b>", "a.b[0]/c", "损失 😀", "%{y}", "x" * 300])
def test_a_name_is_shown_as_it_is(name):
    found = drawn({name: [1.0, 2.0]})
    (title,) = titles(found)
    assert "<b>" not in title
    assert len(title) <= 60
    assert "%{y}" not in found.data[0].hovertemplate.removeprefix("step %{x}<br>%{y}")
    assert json.loads(found.to_json())["data"]


def test_titles_are_told_apart_and_seen():
    names = ["", "loss ", *("x" * 299 + end for end in "ab")]
    found = drawn({name: [1.0, 2.0] for name in names})
    first, second, *long = titles(found)
    assert {first, second} == {"&quot;&quot;", "loss␣"}
    assert len({*long}) == 2
    assert [line.name for line in lines(found)] == titles(found)


def test_metrics_are_chosen_by_name_or_pattern():
    columns = {name: [1.0, 2.0] for name in ("loss", "loss/a", "loss/b", "lr")}
    assert titles(drawn(columns, metrics=["lr", "loss/*"])) == [
        *("learning rate", "loss/a", "loss/b"),
    ]
    with pytest.raises(ValueError, match=r"'no-such'.*'loss'"):
        drawn(columns, metrics=["no-such"])


def test_of_very_many_metrics_the_first_are_drawn_and_it_says_so():
    found = drawn({f"own/{i}": [1.0, 2.0] for i in range(100)})
    assert len(found.data) == MOST
    assert "24 of 100 metrics" in found.layout.title.text
    assert (
        len(drawn({f"own/{i}": [1.0] for i in range(200)}, metrics=["*"]).data) == 200
    )


def test_a_run_without_values_is_an_empty_figure():
    assert len(figure("run", {0: History().rows()}).data) == 0


def test_a_rank_keeps_its_look_when_others_are_left_out():
    ranks = {rank: history_of({"loss": [1.0, 2.0]}).rows() for rank in (0, 3, 11)}
    together = {trace.name: trace.line for trace in figure("run", ranks).data}
    assert len({(line.color, line.dash) for line in together.values()}) == 3
    (line,) = figure("run", {11: ranks[11]}).data
    assert line.line == together["rank 11"]
