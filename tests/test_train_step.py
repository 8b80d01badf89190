"""`MonitoredTrainStep` in real training, graph and PyNative mode."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn, ops
from mindspore.train import Model

from mswidget.collect.train_step import MonitoredTrainStep
from tests.training import MODE_NAMES, MODES, Regression, dataset, tensors


@pytest.fixture(params=MODES, ids=MODE_NAMES, autouse=True)
def mode(request):
    ms.set_context(mode=request.param)
    return request.param


def optimizer(network):
    return nn.Momentum(network.trainable_params(), learning_rate=0.05, momentum=0.9)


def weights(network):
    return network.dense.weight.asnumpy().copy()


def steps(train_step, count=4):
    train_step.set_train()
    outputs = [train_step(x, y) for x, y in tensors(count)]
    return [train_step.named(output) for output in outputs]


def test_it_trains_exactly_as_the_stock_cell():
    stock, ours = Regression(), Regression()
    cell = nn.TrainOneStepCell(stock, optimizer(stock)).set_train()
    losses = [cell(x, y).asnumpy() for x, y in tensors(4)]
    named = steps(MonitoredTrainStep(ours, optimizer(ours)))
    assert [row["loss"].asnumpy() for row in named] == losses
    np.testing.assert_array_equal(weights(ours), weights(stock))


def test_watched_parts_do_not_change_the_training():
    alone, watched = Regression(), Regression(returns="tuple")
    steps(MonitoredTrainStep(alone, optimizer(alone)))
    rows = steps(MonitoredTrainStep(watched, optimizer(watched), parts=["mae", "2mae"]))
    np.testing.assert_array_equal(weights(watched), weights(alone))
    assert list(rows[0]) == ["loss", "loss/mae", "loss/2mae", "grad_norm"]


def test_parts_move_from_step_to_step():
    network = Regression(returns="tuple")
    rows = steps(MonitoredTrainStep(network, optimizer(network)))
    first = [float(row["loss/1"].asnumpy()) for row in rows]
    second = [float(row["loss/2"].asnumpy()) for row in rows]
    assert len(set(first)) == 4
    assert second == [2 * value for value in first]


def test_the_gradient_norm_is_that_of_all_gradients():
    network = Regression()
    train_step = MonitoredTrainStep(network, optimizer(network))
    batch = next(tensors(1))
    grads = ms.grad(network, None, train_step.weights)(*batch)
    norm = np.sqrt(sum(np.sum(grad.asnumpy().astype("f8") ** 2) for grad in grads))
    found = train_step.named(train_step(*batch))["grad_norm"].asnumpy()
    np.testing.assert_allclose(found, norm, rtol=1e-6)


class Half(nn.Cell):
    """Its gradient of 300 in float16 has a square that float16 cannot hold."""

    def __init__(self):
        super().__init__()
        self.weight = ms.Parameter(ms.Tensor(1, ms.float16), name="weight")

    def construct(self, x):
        return ops.cast(self.weight * x, ms.float32)


def test_the_norm_of_float16_gradients_does_not_overflow():
    network = Half()
    train_step = MonitoredTrainStep(network, nn.SGD(network.trainable_params(), 1e-6))
    assert train_step(ms.Tensor(300, ms.float16))[-1].asnumpy() == 300


def test_model_trains_it(mode):
    network = Regression(returns="tuple")
    before = weights(network)
    train_step = MonitoredTrainStep(network, optimizer(network))
    Model(train_step).train(1, dataset(3))
    assert mode == ms.get_context("mode")
    assert (weights(network) != before).all()


def test_wrong_parts_are_told_at_the_first_step():
    network = Regression(returns="tuple")
    train_step = MonitoredTrainStep(network, optimizer(network), parts=["only"])
    with pytest.raises(ValueError, match="parts= must name all"):
        train_step(*next(tensors(1)))
