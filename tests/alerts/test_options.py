"""Rules of the user's own, and those that end a training."""

import time

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn
from mindspore.train import Model

import mswidget
from mswidget import Threshold, start_run
from mswidget.alerts.rule_table import RULES
from tests.training import AtStep, Regression, dataset

LONG_S = 20.0


def alerts_of(path, losses, *thresholds):
    with start_run("run", log_dir=path, display=False, alerts=thresholds) as run:
        for loss in losses:
            run.log({"loss": float(loss)})
    return run.alerts


def test_a_threshold_is_crossed_for_some_values_in_a_row(tmp_path):
    losses = [1, 7, 7, 1, 7, 7, 7, 7, 1]
    high = Threshold("loss", above=5, values=3, severity="error", advice="wait")
    (alert,) = alerts_of(tmp_path, losses, high).itertuples()
    assert (alert.rule, alert.step, alert.last_step) == ("threshold", 7, 8)
    assert (alert.severity, alert.advice) == ("error", "wait")
    assert alert.message == "loss is above 5 for 3 values: 7"


def test_two_thresholds_of_a_metric_are_told_apart(tmp_path):
    both = Threshold("loss", above=5), Threshold("loss", below=-5)
    found = alerts_of(tmp_path, [1, 7, 7, -7, -7], *both)
    assert found["message"].tolist() == ["loss is above 5: 7", "loss is below -5: -7"]
    assert found["step"].tolist() == [2, 4]


def test_a_threshold_may_be_of_many_metrics(tmp_path):
    hot = Threshold("npu_temperature*", above=90)
    with start_run("run", log_dir=tmp_path, display=False, alerts=[hot]) as run:
        run.log({"npu_temperature_c": 95.0, "loss": 95.0})
    assert run.alerts["metric"].tolist() == ["npu_temperature_c"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "needs above= or below="),
        ({"above": np.nan}, "a finite number"),
        ({"above": 1, "values": 0}, "values=0: expected how many in a row"),
        ({"above": 1, "severity": "fatal"}, "expected info, warning, error"),
    ],
)
def test_a_threshold_that_makes_no_sense_is_refused(options, says):
    with pytest.raises(ValueError, match=says):
        Threshold("loss", **options)


def test_a_rule_that_does_not_exist_ends_nothing(tmp_path):
    with pytest.raises(ValueError, match=r"no rule 'nan'\. .*: nonfinite,"):
        start_run("run", log_dir=tmp_path, stop_on=["nan"])
    with pytest.raises(ValueError, match="Did you mean 'diverged'"):
        start_run("run", log_dir=tmp_path, stop_on=["divergd"])
    with pytest.raises(TypeError, match="stop_on must be a list; found a str"):
        start_run("run", log_dir=tmp_path, stop_on="nonfinite")
    with pytest.raises(TypeError, match=r"such as Threshold\('loss', above=10\)"):
        start_run("run", log_dir=tmp_path, alerts=["loss > 10"])


def test_a_loop_ends_by_what_a_rule_finds(tmp_path):
    with start_run(
        "run", log_dir=tmp_path, display=False, stop_on=["nonfinite"]
    ) as run:
        until_s = time.monotonic() + LONG_S
        while not run.stop_requested and time.monotonic() < until_s:
            run.log({"loss": np.nan})
            time.sleep(0.001)
    assert run.phase == "stopped"
    assert run.notices == ["stop_on='nonfinite' ends the training: loss is NaN"]


def test_other_rules_end_nothing(tmp_path):
    with start_run("run", log_dir=tmp_path, display=False, stop_on=["diverged"]) as run:
        run.log({"loss": np.nan})
    assert run.alerts["rule"].tolist() == ["nonfinite"]
    assert (run.phase, run.stop_requested) == ("finished", False)


def test_a_training_whose_rate_is_far_too_high_is_ended(tmp_path):
    ms.set_context(mode=ms.GRAPH_MODE)
    network = Regression()
    step = nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), 30.0))
    monitor = mswidget.TrainMonitor(
        "run", tmp_path, stop_on=["nonfinite", "diverged"], display=False
    )
    slow = [AtStep(n, lambda _context: time.sleep(0.1)) for n in range(100, 130)]
    Model(step).train(1, dataset(4000), callbacks=[monitor, *slow])
    assert monitor.run.step < 4000
    assert monitor.run.phase == "stopped"
    assert set(monitor.run.alerts["rule"]) & {"nonfinite", "diverged"}


def test_a_checkpoint_is_saved_before_the_end(tmp_path):
    ms.set_context(mode=ms.GRAPH_MODE)
    network = Regression()
    step = nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), 0.01))
    low = Threshold("loss", below=1e9)
    monitor = mswidget.TrainMonitor(
        "run",
        tmp_path,
        alerts=[low],
        stop_on=["threshold"],
        save_on=["threshold"],
        display=False,
    )
    slow = [AtStep(n, lambda _context: time.sleep(0.1)) for n in range(10, 60)]
    Model(step).train(1, dataset(4000), callbacks=[monitor, *slow])
    assert monitor.run.phase == "stopped"
    last = monitor.run.step
    assert last < 4000
    assert [f.name for f in (monitor.run.path / "checkpoint").iterdir()] == [
        f"step_{last}.ckpt"
    ]


def test_a_loop_that_offers_no_checkpoint_is_told_so(tmp_path):
    options = {"alerts": [Threshold("loss", above=1)], "save_on": ["threshold"]}
    with start_run("run", log_dir=tmp_path, display=False, **options) as run:
        run.log({"loss": 2.0})
        until_s = time.monotonic() + LONG_S
        while not run.notices and time.monotonic() < until_s:
            time.sleep(0.01)
    (notice,) = run.notices
    assert notice.startswith("save_on='threshold' saves nothing: no training goes on")


def test_all_rules_can_end_a_training(tmp_path):
    names = [rule.name for rule in RULES]
    with start_run("run", log_dir=tmp_path, display=False, stop_on=names):
        pass
