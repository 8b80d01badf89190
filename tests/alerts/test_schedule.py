"""A learning rate that cannot do what its schedule says."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn
from mindspore.train import Model

import mswidget
from mswidget.alerts.check import RankCheck
from mswidget.records.rank import Rank
from mswidget.records.record import Event
from tests.page import history_of
from tests.training import Regression, dataset

STEPS = 40
WARM_UP = np.minimum(np.arange(1, 201) / 100, 1) * 0.01


def trained(path, rate):
    ms.set_context(mode=ms.GRAPH_MODE)
    network = Regression()
    step = nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), rate))
    monitor = mswidget.TrainMonitor("run", path, display=False)
    Model(step).train(1, dataset(STEPS), callbacks=[monitor])
    found = monitor.run.alerts
    return found[found["rule"] == "lr_schedule"]["message"].tolist()


@pytest.mark.parametrize(
    "rate", [WARM_UP.tolist(), nn.WarmUpLR(0.01, 100)], ids=["list", "schedule"]
)
def test_a_warm_up_that_is_longer_than_the_run_is_told(tmp_path, rate):
    (message,) = trained(tmp_path, rate)
    assert message == "lr: it rises until step 100, and the run ends at step 40"


@pytest.mark.parametrize(
    "rate",
    [
        0.01,
        WARM_UP[80:].tolist(),
        np.linspace(0.01, 0, STEPS).tolist(),
        [0.01] * STEPS,
        nn.WarmUpLR(0.01, STEPS),
        nn.CosineDecayLR(0.0, 0.01, STEPS),
    ],
    ids=["constant", "short warm-up", "falling", "flat", "warm-up", "cosine"],
)
def test_a_schedule_that_fits_is_no_alert(tmp_path, rate):
    assert trained(tmp_path, rate) == []


def checked(lr, **schedule):
    """Return what is said of a rate whose list is described so."""
    facts = {"config": {"learning_rate": {"lr": {"kind": "list", **schedule}}}}
    begin = Event("train_begin", 0, 0.0, 0, "a1", None, {**facts, "total_steps": 300})
    check = RankCheck(0)
    check.read(Rank(0, history_of({"lr": lr}), [begin]))
    return [alert.message for alert in check.alerts if alert.rule == "lr_schedule"]


def test_a_list_that_is_too_short_is_told_at_once():
    (message,) = checked([0.1], steps=100, first=0.1, max=0.1, last=0.01, max_step=1)
    assert message == "lr: its list has 100 rates, and the run makes 300 steps"


def test_a_list_that_nobody_follows_is_told_at_its_end():
    schedule = {"steps": 300, "first": 0.0, "max": 0.1, "last": 0.01, "max_step": 30}
    assert checked([0.1] * 299, **schedule) == []
    (message,) = checked([0.1] * 300, **schedule)
    assert message == "lr: it has been 0.1 for 300 values, unlike its list"
    assert checked([0.1] * 299 + [0.01], **schedule) == []
