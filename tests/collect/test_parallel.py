"""MindSpore's own cells that add up losses, as far as a CPU runs them.

A CPU has no pipeline: `PipelineCell` itself computes there, but of a training in two
stages only the structure is looked at.
"""

import json

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn
from mindspore.parallel.nn import GradAccumulation, Pipeline
from mindspore.train import Model

from mswidget import MonitoredTrainStep, TrainMonitor
from mswidget.collect.parallel import find_share
from tests.training import MODE_NAMES, MODES, dataset

CELLS = {
    "PipelineCell": (lambda net: nn.PipelineCell(net, 2), 2),
    "Pipeline": (lambda net: Pipeline(net, 2), 2),
    "GradAccumulationCell": (lambda net: nn.GradAccumulationCell(net, 4), 4),
    "GradAccumulation": (lambda net: GradAccumulation(net, 4), 4),
    "MicroBatchInterleaved": (lambda net: nn.MicroBatchInterleaved(net, 2), 2),
    "two": (lambda net: nn.PipelineCell(nn.MicroBatchInterleaved(net, 2), 2), 4),
}


@pytest.fixture(autouse=True)
def _as_before():
    yield
    ms.reset_auto_parallel_context()


@pytest.fixture(params=MODES, ids=MODE_NAMES)
def mode(request):
    ms.set_context(mode=request.param)


def network():
    dense = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")
    return nn.WithLossCell(dense, nn.MSELoss())


def train(step, folder, **options):
    monitor = TrainMonitor("run", folder, watch=False, **options)
    Model(step).train(1, dataset(3), callbacks=[monitor])
    return monitor.run


def stock(net):
    # At a rate of 0 each step has the loss of its batch, whatever is trained on.
    return nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.0))


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("name", CELLS)
def test_a_loss_of_micro_batches_is_brought_to_that_of_the_batch(tmp_path, name):
    wrap, count = CELLS[name]
    plain = train(stock(network()), tmp_path / "plain").to_pandas()
    run = train(stock(wrap(network())), tmp_path / "wrapped")
    frame = run.to_pandas()
    np.testing.assert_allclose(frame["loss"], plain["loss"], rtol=1e-5)
    np.testing.assert_allclose(frame["loss_raw"], count * plain["loss"], rtol=1e-5)
    (notice,) = run.notices
    assert "MindSpore's cells add up the losses of micro-batches" in notice


def test_the_step_that_model_makes_and_ours_are_known_too(tmp_path):
    net = nn.GradAccumulationCell(network(), 4)
    ours = MonitoredTrainStep(net, nn.SGD(net.trainable_params(), 0.0))
    frame = train(ours, tmp_path).to_pandas()
    np.testing.assert_allclose(frame["loss_raw"], 4 * frame["loss"])
    made = Model(net, optimizer=nn.SGD(net.trainable_params(), 0.0)).train_network
    assert "GradAccu" in type(made).__name__
    assert share(made).divisors == {"gradient_accumulation_steps": 4}


class Divides(nn.TrainOneStepCell):
    """Brings the loss to that of the batch itself."""

    def construct(self, x, y):
        return super().construct(x, y) / 4


def test_a_step_that_may_divide_is_left_alone_and_told(tmp_path):
    net = nn.GradAccumulationCell(network(), 4)
    run = train(Divides(net, nn.SGD(net.trainable_params(), 0.0)), tmp_path)
    plain = train(stock(network()), tmp_path / "plain").to_pandas()
    frame = run.to_pandas()
    np.testing.assert_allclose(frame["loss"], plain["loss"], rtol=1e-5)
    assert "loss_raw" not in frame
    (notice,) = run.notices
    assert "loss may be 4 times that of a batch" in notice
    assert "whether Divides divides it" in notice


def share(step, rank=0, size=1):
    params = {"train_network": step, "list_callback": (), "device_number": size}
    return find_share(params, rank)


def test_two_stages_divide_on_the_ranks_that_have_the_loss():
    ms.set_auto_parallel_context(pipeline_stages=2)
    net = nn.PipelineCell(network(), 8)
    made = Model(net, optimizer=nn.SGD(net.trainable_params(), 0.1)).train_network
    assert share(made, rank=1, size=2).divisors == {"micro_batch_num": 8}
    assert "the last stage has the loss" in share(made, rank=0, size=2).why_no_loss


def test_the_divisor_stands_in_the_begin(tmp_path):
    run = train(stock(nn.PipelineCell(network(), 2)), tmp_path)
    lines = (run.path / "rank_0.jsonl").read_text(encoding="utf-8").splitlines()
    (begin,) = (x for x in map(json.loads, lines) if x.get("event") == "train_begin")
    assert begin["outputs"]["loss_divisors"] == {"micro_batch_num": 2}
