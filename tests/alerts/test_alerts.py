"""Alerts: raised once, kept in the run, its file and its page."""

import json
import logging

import mindspore as ms
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindspore import nn, ops
from mindspore.train import Model

import mswidget
from mswidget.alerts import engine
from mswidget.alerts.engine import CHECKS, Alerts
from mswidget.alerts.glance import Fault, Rule
from mswidget.alerts.inspector import QUIET, Inspector
from mswidget.alerts.rules.parts import FROZEN_VALUES
from mswidget.guard import Guard
from mswidget.records.alert import Alert, folded
from mswidget.records.history import History
from mswidget.records.record import Event, Record, from_line, to_line
from tests.training import MODE_NAMES, MODES, AtStep, Regression, dataset

FROZEN = 0.7312842011451721
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
ALERTS = st.builds(
    Alert,
    rule=TEXT,
    step=st.integers(1, 2**53),
    wall_time_s=st.floats(0, 4e9),
    rank=st.integers(0, 9999),
    attempt=st.just("a2"),
    severity=st.sampled_from(["info", "warning", "error"]),
    metric=TEXT,
    message=TEXT,
    advice=TEXT,
    epoch=st.none() | st.integers(1, 99),
    last_step=st.none() | st.integers(1, 2**53),
)


class Training:
    """Logs one metric to the alerts of a run, a tick a step."""

    def __init__(self, path, *rules):
        self.history = History()
        self.failures = []
        self.told = []
        inspector = Inspector(self.history, rules, Guard(self.failures.append), 0)
        file = path / "alerts_rank_0.jsonl"
        self.alerts = Alerts(inspector, file, self.told.append, pause_s=0)
        self.step = 0

    def log(self, **values):
        self.step += 1
        record = Record(self.step, 1e9 + self.step, 0, "a1", values)
        self.history.extend([record])
        self.alerts.take([record])
        self.alerts.tick()

    def steps(self):
        return [alert.step for alert in self.alerts.found]


@pytest.fixture
def training(tmp_path):
    rules = [rule("high", "x", high), rule("broken", "y", broken)]
    return Training(tmp_path, *rules)


def rule(name, metric, find):
    return Rule(name, (metric,), "error", "wait", find)


def high(glance):
    return Fault(glance.new > 1, lambda place: f"{glance.values[place]} is high")


def broken(glance):
    raise KeyError(glance.metric)


def frozen_run(path, steps=60, **kwargs):
    """A run whose part never moves."""
    with mswidget.start_run("run", log_dir=path, **kwargs) as run:
        for step in range(steps):
            run.log({"loss": 2.0 / (1 + step), "loss/ce": FROZEN})
    return run


@given(ALERTS)
def test_an_alert_and_its_line_say_the_same(alert):
    line = to_line(alert.to_event())
    assert Alert.from_event(from_line(line)) == alert


def test_an_alert_is_raised_once_while_it_lasts(training):
    for _ in range(3 * QUIET):
        training.log(x=2)
    assert training.steps() == [1]
    assert training.told == training.alerts.found
    assert training.told[0].last_step is None


def test_an_alert_that_has_passed_says_when(training, tmp_path):
    for value in [0, 2, 2, 2, 0, 0]:
        training.log(x=value)
    (alert,) = training.alerts.found
    assert (alert.step, alert.last_step) == (2, 4)
    assert len(training.told) == 1
    lines = (tmp_path / "alerts_rank_0.jsonl").read_text().splitlines()
    assert folded(map(from_line, lines)) == [alert]


def test_an_alert_that_cleared_is_raised_again(training):
    for value in [2] * 10 + [0] * QUIET + [2] * 10:
        training.log(x=value)
    assert training.steps() == [1, 11 + QUIET]


def test_what_comes_and_goes_is_raised_ever_more_rarely(training):
    for step in range(50 * QUIET):
        training.log(x=2 * (step % 2))
    pauses = np.diff(training.steps())
    assert len(pauses) == 5
    assert (pauses[1:] > 1.9 * pauses[:-1]).all()


def test_a_broken_rule_is_told_once_and_the_others_go_on(training):
    for value in (0, 0, 2):
        training.log(x=value, y=0.0)
    assert [alert.rule for alert in training.told] == ["high"]
    (failure,) = training.failures
    assert "the alert rule broken failed" in failure


def test_many_metrics_are_checked_a_few_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "_TICK_S", 60.0)  # however busy the machine is
    asked = []
    training = Training(
        tmp_path, rule("asked", "*", lambda glance: asked.append(glance.metric))
    )
    for _ in range(10):
        training.log(**{f"m{i}": 0.0 for i in range(5 * CHECKS)})
    assert len(asked) == 10 * CHECKS
    assert len(set(asked[: 5 * CHECKS])) == 5 * CHECKS


def test_an_alert_that_cannot_be_written_waits_until_it_can(training, tmp_path):
    file = tmp_path / "alerts_rank_0.jsonl"
    file.mkdir()
    training.log(x=2)
    assert str(file) in training.alerts.trouble
    file.rmdir()
    training.log(x=2)
    assert training.alerts.trouble == ""
    assert len(file.read_text().splitlines()) == 1


def test_an_alert_is_in_the_run_and_in_its_file(tmp_path):
    run = frozen_run(tmp_path)
    (alert,) = run.alerts.to_dict("records")
    known = alert["rule"], alert["metric"], alert["ranks"], alert["severity"]
    assert known == ("frozen_part", "loss/ce", [0], "error")
    line = json.loads((run.path / "alerts_rank_0.jsonl").read_text())
    assert line["message"] == alert["message"]
    pd.testing.assert_frame_equal(mswidget.load_run(run.path).alerts, run.alerts)


def test_alerts_of_all_attempts_are_read_back(tmp_path):
    frozen_run(tmp_path)
    run = frozen_run(tmp_path, resume=True)
    saved = mswidget.load_run(run.path)
    assert saved.alerts["attempt"].tolist() == ["a1", "a2"]
    assert saved.alerts["step"].tolist()[1:] == run.alerts["step"].tolist()


def test_a_training_without_alerts_has_no_file_of_them(tmp_path):
    with mswidget.start_run("run", log_dir=tmp_path) as run:
        run.log({"loss": 1.0})
    for alerts in (run.alerts, mswidget.load_run(run.path).alerts):
        assert alerts.empty
        assert alerts.dtypes.equals(frozen_run(tmp_path).alerts.dtypes)
    assert not list(run.path.glob("alerts*"))


def test_garbage_among_alerts_is_reported(tmp_path):
    run = frozen_run(tmp_path)
    with (run.path / "alerts_rank_0.jsonl").open("a") as file:
        file.write('garbage\n{"half')
    saved = mswidget.load_run(run.path)
    assert saved.alerts["message"].tolist() == run.alerts["message"].tolist()
    assert saved.ranks[0].skipped[0].startswith("alerts_rank_0.jsonl:2: ")


def test_alerts_of_one_ranks_file_are_read_back(tmp_path):
    run = frozen_run(tmp_path)
    saved = mswidget.load_run(run.path / "rank_0.jsonl")
    pd.testing.assert_frame_equal(saved.alerts, run.alerts)


def test_an_alert_is_told_marked_and_listed_on_the_page(tmp_path, caplog):
    with caplog.at_level(logging.WARNING, "mswidget"):
        run = frozen_run(tmp_path)
    assert "loss/ce is 0.731284 to the last bit" in caplog.text
    head = run._head()
    assert head["alert_count"] == 1
    assert head["alerts"][0]["message"] == run.alerts["message"][0]
    (mark,) = (mark for mark in head["marks"] if mark["kind"] == "alert")
    assert (mark["metric"], mark["text"]) == ("loss/ce", "frozen part")
    assert mark["step"] == run.alerts["step"][0] >= FROZEN_VALUES


def test_the_page_gets_the_newest_of_very_many_alerts(tmp_path):
    with mswidget.start_run("run", log_dir=tmp_path) as run:
        for step in range(1000):
            run.event("alert", step, rule="mine", message=f"number {step}")
    head = run._head()
    assert head["alert_count"] == len(run.alerts) == 1000
    assert [a["step"] for a in head["alerts"]] == list(range(800, 1000))


def test_an_alert_that_was_logged_is_one_like_any_other(tmp_path):
    with mswidget.start_run("run", log_dir=tmp_path) as run:
        run.log({"loss": 1.0})
        run.event("alert", rule="我的", severity="error", message="<b>no</b>")
    (alert,) = run.alerts.itertuples()
    assert (alert.rule, alert.step, alert.severity) == ("我的", 1, "error")
    assert [mark["kind"] for mark in run._head()["marks"]].count("alert") == 1


@pytest.mark.parametrize(
    ("fields", "told", "listed", "marked"),
    [
        ({"message": "too good"}, "too good", "too good", "alert"),
        ({"advice": "look"}, "alert; look", "alert", "alert"),
        ({"rule": "my_own"}, "my own", "my own", "my own"),
        ({}, "alert", "alert", "alert"),
        ({"message": "a", "advice": "b", "rule": "c"}, "a; b", "a", "c"),
    ],
)
def test_what_an_alert_leaves_out_leaves_no_gap(
    tmp_path, caplog, fields, told, listed, marked
):
    with mswidget.start_run("r", log_dir=tmp_path, display=False) as run:
        run.log({"loss": 0.5})
        run.event("alert", **fields)
    assert f"r: {told}" in caplog.messages
    head = run._head()
    assert [alert["message"] for alert in head["alerts"]] == [listed]
    assert [m["text"] for m in head["marks"] if m["kind"] == "alert"] == [marked]


def test_an_alert_known_before_the_first_step_stands_at_it():
    event = Event("alert", 0, 1e9, 0, "a1", fields={"severity": "unheard of"})
    alert = Alert.from_event(event)
    assert (alert.step, alert.severity, alert.message) == (1, "warning", "")


class DictAux(nn.Cell):
    """A train step whose aux is a dict; MindSpore freezes it in graph mode."""

    def __init__(self):
        super().__init__()
        network = Regression(returns="aux")
        self.optimizer = nn.SGD(network.trainable_params(), 0.05)
        weights = self.optimizer.parameters
        self.step = ms.value_and_grad(network, None, weights, has_aux=True)

    def construct(self, x, y):
        (loss, parts), grads = self.step(x, y)
        self.optimizer(grads)
        return {"loss": loss, "mae": parts["mae"]}


class Gated(nn.Cell):
    """Two layers, of which one can be cut off."""

    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Dense(3, 1), nn.Dense(3, 1)
        self.gate = ms.Parameter(ms.Tensor(1.0), requires_grad=False)

    def construct(self, x, y):
        return ops.square(self.gate * self.body(x) + self.head(x) - y).mean()


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
def test_a_part_that_mindspore_froze_raises_an_alert(mode, tmp_path):
    ms.set_context(mode=mode)
    monitor = mswidget.TrainMonitor("run", tmp_path)
    Model(DictAux()).train(1, dataset(40), callbacks=[monitor])
    part = monitor.run.to_pandas()["loss/mae"]
    frozen = len(set(part)) == 1  # in pynative mode it is right
    assert frozen == (mode == ms.GRAPH_MODE)
    found = [(alert.rule, alert.metric) for alert in monitor.run.alerts.itertuples()]
    assert found == [("frozen_part", "loss/mae")] * frozen


def test_a_layer_that_is_cut_off_raises_an_alert(tmp_path):
    ms.set_context(mode=ms.GRAPH_MODE)
    network = Gated()
    optimizer = nn.SGD(network.trainable_params(), 0.01)
    step = mswidget.MonitoredTrainStep(network, optimizer, layers=1)
    cut = AtStep(20, lambda _context: network.gate.set_data(ms.Tensor(0.0)))
    monitor = mswidget.TrainMonitor("run", tmp_path)
    Model(step).train(1, dataset(60), callbacks=[monitor, cut])
    found = [(alert.rule, alert.metric) for alert in monitor.run.alerts.itertuples()]
    assert found == [("dead_gradient", "grad_norm/body")]
