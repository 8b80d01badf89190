"""The table of a network's parameters."""

import math

import pytest
from mindspore import nn

from mswidget import start_run
from mswidget.collect.weights.parameters import find_parameters
from mswidget.records.history import History
from mswidget.records.parameters import (
    QUANTILES,
    Parameter,
    metric_name,
    parameters_table,
)
from mswidget.records.record import Record
from tests.training import Regression

WEIGHT = Parameter("块.0.weight", (2, 3), "float32", trainable=True)
BIAS = Parameter("bias", (3,), "bfloat16", trainable=False, unwatched="frozen")


def logged(**statistics):
    history = History()
    names = {f"weight_{n}/{WEIGHT.name}": value for n, value in statistics.items()}
    history.extend([Record(1, 0.0, 0, "a1", names)])
    return history


def test_facts_stand_before_the_first_statistics():
    table = parameters_table([WEIGHT, BIAS], History())
    assert table.index.tolist() == ["块.0.weight", "bias"]
    assert table["layer"].tolist() == ["块.0", "bias"]
    assert table["size"].tolist() == [6, 3]
    assert table["watched"].tolist() == [True, False]
    assert table["unwatched"].tolist() == ["", "frozen"]
    assert table.loc["bias"].notna().sum() == 7
    assert math.isnan(table.loc["bias", "weight_mean"])


def test_the_latest_statistics_stand_beside_them():
    table = parameters_table([WEIGHT, BIAS], logged(mean=0.5, std=math.inf))
    assert table.loc[WEIGHT.name, "weight_mean"] == 0.5
    assert table.loc[WEIGHT.name, "weight_std"] == math.inf
    assert math.isnan(table.loc["bias", "weight_mean"])


def test_every_quantile_has_a_column_and_a_metric():
    table = parameters_table([WEIGHT], History())
    for name in QUANTILES:
        assert {f"weight_{name}", f"grad_{name}"} <= set(table)
        assert metric_name("grad", name, "a.b") == f"grad_q/a.b/{name}"


def test_a_network_without_parameters_is_an_empty_table():
    table = parameters_table([], History())
    assert len(table) == 0
    assert {"layer", "weight_mean", "grad_max"} <= set(table)


def test_before_a_training_no_parameters_are_known(tmp_path):
    with start_run("run", log_dir=tmp_path, display=False) as run:
        assert len(run.parameters()) == 0


@pytest.mark.parametrize("kind", [nn.SGD, nn.Momentum, nn.Adam, nn.AdamWeightDecay])
def test_what_the_optimizer_keeps_is_none_of_the_networks(kind):
    network = Regression()
    rest = {"momentum": 0.9} if kind is nn.Momentum else {}
    optimizer = kind(network.trainable_params(), learning_rate=0.1, **rest)
    step = nn.TrainOneStepCell(network, optimizer)
    assert list(find_parameters(step, optimizer)) == ["dense.weight", "dense.bias"]
