"""`MonitoredTrainStep` in real training, graph and PyNative mode."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn, ops
from mindspore.common.api import _pynative_executor
from mindspore.train import Model

from mswidget import MonitoredTrainStep, TrainMonitor
from tests.training import MODE_NAMES, MODES, Regression, dataset, tensors


@pytest.fixture(params=MODES, ids=MODE_NAMES, autouse=True)
def mode(request):
    ms.set_context(mode=request.param)
    yield request.param
    # An error inside a gradient leaves MindSpore recording, for all that follows.
    _pynative_executor.clear_res()


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


def test_nested_parts_are_named_by_their_path_and_move(mode):
    ms.set_context(mode=mode)
    network = Regression(returns="aux")
    rows = steps(MonitoredTrainStep(network, optimizer(network), parts=["more"]))
    assert list(rows[0]) == ["loss", "loss/more/mae", "grad_norm"]
    assert len({float(row["loss/more/mae"].asnumpy()) for row in rows}) == 4


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


class Deep(nn.Cell):
    """Two blocks of two layers, and a head."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.SequentialCell(
            [nn.SequentialCell(nn.Dense(3, 3), nn.Dense(3, 3)) for _ in range(2)]
        )
        self.head = nn.Dense(3, 1)
        for index, weight in enumerate(self.trainable_params()):
            values = np.random.default_rng(index).normal(size=weight.shape)
            weight.set_data(ms.Tensor(values, ms.float32))

    def construct(self, x, y):
        return ops.square(self.head(self.blocks(x)) - y).mean()


def stock_gradients(network, batch):
    """Return what MindSpore's own step says its gradients are."""
    step = nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), 0.0))
    step.return_grad, step.weights_name = True, [w.name for w in step.weights]
    _, grads = step.set_train()(*batch)
    return {name: grad.asnumpy().astype("f8") for name, grad in grads.items()}


def norm(arrays):
    return np.sqrt(sum(np.sum(array**2) for array in arrays))


def read(values):
    return {name: float(value.asnumpy()) for name, value in values.items()}


def test_its_gradients_are_those_of_the_stock_cell():
    batch = next(tensors(1))
    grads = stock_gradients(Deep(), batch)
    network = Deep()
    step = MonitoredTrainStep(network, nn.SGD(network.trainable_params(), 1.0))
    step.kept = tuple(range(len(step.weights)))
    *_, kept = step.set_train()(*batch)
    for name, grad in zip(grads, kept, strict=True):
        np.testing.assert_array_equal(grad.asnumpy(), grads[name].astype("f4"))


@pytest.mark.parametrize(
    ("layers", "groups"),
    [
        (1, {"blocks": "blocks.", "head": "head."}),
        (2, {"blocks.0": "blocks.0.", "blocks.1": "blocks.1.", "head": "head."}),
        (["*.weight", "head.*"], {"*.weight": "weight", "head.*": "head."}),
    ],
)
def test_layers_have_their_own_norms(layers, groups):
    network, batch = Deep(), next(tensors(1))
    step = MonitoredTrainStep(network, optimizer(network), layers=layers)
    grads = stock_gradients(Deep(), batch)
    found = read(step.named(step(*batch)))
    expected = {
        f"grad_norm/{group}": norm(g for name, g in grads.items() if part in name)
        for group, part in groups.items()
    }
    expected["grad_norm"] = norm(grads.values())
    assert {name: found[name] for name in expected} == pytest.approx(expected, 1e-6)
    assert set(found) == {"loss", *expected}


def test_by_default_each_layer_of_a_small_network_has_its_norm():
    network = Deep()
    (row,) = steps(MonitoredTrainStep(network, optimizer(network)), 1)
    layers = ["blocks.0.0", "blocks.0.1", "blocks.1.0", "blocks.1.1", "head"]
    assert list(row) == ["loss", "grad_norm", *(f"grad_norm/{n}" for n in layers)]


def test_clipping_trains_on_gradients_of_the_norm_that_it_tells():
    network, batch = Deep(), next(tensors(1))
    before = {w.name: w.asnumpy().copy() for w in network.trainable_params()}
    sgd = nn.SGD(network.trainable_params(), 1.0)
    step = MonitoredTrainStep(network, sgd, clip_norm=0.5)
    found = read(step.named(step(*batch)))
    moved = norm(before[w.name] - w.asnumpy() for w in network.trainable_params())
    assert found["grad_norm"] == pytest.approx(
        norm(stock_gradients(Deep(), batch).values()), 1e-6
    )
    assert found["grad_norm_clipped"] == pytest.approx(0.5, 1e-6)
    assert moved == pytest.approx(0.5, 1e-5)


def test_small_gradients_are_not_clipped():
    alone, clipped = Regression(), Regression()
    steps(MonitoredTrainStep(alone, optimizer(alone)))
    rows = steps(MonitoredTrainStep(clipped, optimizer(clipped), clip_norm=1e3))
    np.testing.assert_array_equal(weights(clipped), weights(alone))
    for row in map(read, rows):
        assert row["grad_norm_clipped"] == row["grad_norm"]


def test_an_infinite_norm_is_shown_when_clipping():
    network = Regression()
    step = MonitoredTrainStep(network, optimizer(network), clip_norm=1.0)
    x, y = next(tensors(1))
    found = read(step.named(step(x * np.inf, y)))
    assert not np.isfinite(found["grad_norm"])
    assert not np.isfinite(found["grad_norm_clipped"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"layers": ["*.attention.*"]}, "matches none of the parameters, which are"),
        ({"layers": -1}, "expected a depth such as 2"),
        ({"layers": True}, "expected a depth such as 2"),
        ({"clip_norm": 0}, "a number above 0"),
        ({"clip_norm": float("nan")}, "a number above 0"),
    ],
)
def test_what_makes_no_sense_is_told_at_once(options, words):
    network = Regression()
    with pytest.raises(ValueError, match=words):
        MonitoredTrainStep(network, optimizer(network), **options)


def test_a_monitor_logs_the_norms_of_layers(tmp_path):
    network = Deep()
    step = MonitoredTrainStep(network, optimizer(network), layers=1, clip_norm=1.0)
    monitor = TrainMonitor("run", tmp_path, display=False)
    Model(step).train(2, dataset(3), callbacks=[monitor])
    frame = monitor.run.to_pandas(["grad_norm*"])
    layers = np.hypot(frame["grad_norm/blocks"], frame["grad_norm/head"])
    np.testing.assert_allclose(layers, frame["grad_norm"], rtol=1e-6)
    clipped = np.minimum(frame["grad_norm"], 1)
    np.testing.assert_allclose(frame["grad_norm_clipped"], clipped, rtol=1e-6)
    assert monitor.run.notices == []


def test_model_trains_it(mode):
    network = Regression(returns="tuple")
    before = weights(network)
    train_step = MonitoredTrainStep(network, optimizer(network))
    Model(train_step).train(1, dataset(3))
    assert mode == ms.get_context("mode")
    assert (weights(network) != before).all()


def test_a_dict_is_refused_for_its_sum_would_be_trained_on(mode):
    ms.set_context(mode=mode)
    network = Regression(returns="dict")
    train_step = MonitoredTrainStep(network, optimizer(network))
    with pytest.raises(TypeError, match="return a tuple, the loss first"):
        train_step(*next(tensors(1)))


def test_wrong_parts_are_told_at_the_first_step():
    network = Regression(returns="tuple")
    train_step = MonitoredTrainStep(network, optimizer(network), parts=["only"])
    with pytest.raises(ValueError, match="parts= must name all"):
        train_step(*next(tensors(1)))
