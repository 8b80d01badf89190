"""The learning rate told for a step is the one that the step used."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn, ops
from mindspore.experimental import optim

from mswidget.collect.learning_rate import LearningRates, global_step, may_be_set
from mswidget.collect.networks import find_optimizer
from tests.training import MODE_NAMES, MODES, AtStep

STEPS = 6


class Unit(nn.Cell):
    """Every gradient is 1, so SGD moves each weight by just the learning rate."""

    def __init__(self):
        super().__init__()
        self.a = ms.Parameter(ms.Tensor(0, ms.float32), name="a")
        self.b = ms.Parameter(ms.Tensor(0, ms.float32), name="b")

    def construct(self, x):
        return (self.a + self.b) * x


class Stairs(nn.learning_rate_schedule.LearningRateSchedule):
    """Branches in Python, so it takes one step at a time."""

    def construct(self, global_step):
        if global_step < 3:
            return ms.Tensor(0.5, ms.float32)
        return ms.Tensor(0.25, ms.float32)


class Previous(nn.learning_rate_schedule.LearningRateSchedule):
    """Takes a whole table without an error, and computes it wrongly."""

    def construct(self, global_step):
        return 0.1 * (global_step.max() + 1).astype(ms.float32) + 0 * global_step


@pytest.fixture(params=MODES, ids=MODE_NAMES)
def mode(request):
    ms.set_context(mode=request.param)


def told_and_used(make_optimizer, *, report=None, set_rate=None):
    """Train, and return for each step the rates told before it and seen after it."""
    network = Unit()
    optimizer = make_optimizer(network.a, network.b)
    step = nn.TrainOneStepCell(network, optimizer).set_train()
    rates = LearningRates(optimizer, report or pytest.fail, watch=bool(set_rate))
    rates.sync(0)
    told, used = [], []
    for number in range(1, STEPS + 1):
        if set_rate:
            set_rate(optimizer, number)
        told.append(rates.at(number))
        before = network.a.item(), network.b.item()
        step(ms.Tensor(1, ms.float32))
        used.append((before[0] - network.a.item(), before[1] - network.b.item()))
    return told, np.array(used)


SCHEDULES = {
    "constant": lambda: 0.125,
    "list": lambda: nn.cosine_decay_lr(0.01, 0.5, STEPS, STEPS, 1),
    "cosine": lambda: nn.CosineDecayLR(0.01, 0.5, STEPS),
    "exponential": lambda: nn.ExponentialDecayLR(0.5, 0.5, 2),
    "stairs of exponential": lambda: nn.ExponentialDecayLR(0.5, 0.5, 2, is_stair=True),
    "polynomial": lambda: nn.PolynomialDecayLR(0.5, 0.01, STEPS, 0.5),
    "warm-up": lambda: nn.WarmUpLR(0.5, 4),
}


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("kind", SCHEDULES)
def test_every_step_shows_the_rate_that_it_used(kind):
    rate = SCHEDULES[kind]()
    told, used = told_and_used(lambda a, b: nn.SGD([a, b], rate))
    np.testing.assert_allclose([row["lr"] for row in told], used[:, 0], atol=1e-6)


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("first", [0.25, [0.5, 0.4, 0.3, 0.2, 0.1, 0.05]])
def test_each_group_shows_its_own_rate(first):
    told, used = told_and_used(
        lambda a, b: nn.SGD([{"params": [a], "lr": first}, {"params": [b]}], 0.125)
    )
    groups = [[row["lr/0"], row["lr/1"]] for row in told]
    np.testing.assert_allclose(groups, used, atol=1e-6)


def test_a_group_with_a_schedule_shows_it():
    groups = [{"lr": nn.WarmUpLR(0.5, 4)}, {}]
    told, used = told_and_used(
        lambda *parameters: nn.SGD(
            [
                {**group, "params": [parameter]}
                for group, parameter in zip(groups, parameters, strict=True)
            ],
            0.125,
        )
    )
    found = [[row["lr/0"], row["lr/1"]] for row in told]
    np.testing.assert_allclose(found, used, atol=1e-6)


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("schedule", [Stairs, Previous])
def test_a_schedule_for_single_steps_tells_true_values_and_says_so(schedule):
    told_once = []
    told, used = told_and_used(
        lambda a, b: nn.SGD([a, b], schedule()), report=told_once.append
    )
    seen = {i: row["lr"] for i, row in enumerate(told) if row}
    assert 0 in seen
    np.testing.assert_allclose(list(seen.values()), used[list(seen), 0], atol=1e-6)
    assert len(told_once) == 1
    assert schedule.__name__ in told_once[0]


@pytest.mark.usefixtures("mode")
def test_a_constant_that_a_callback_sets_is_seen_in_the_same_step():
    told, used = told_and_used(
        lambda a, b: nn.SGD([a, b], 0.5),
        set_rate=lambda optimizer, number: ops.assign(
            optimizer.learning_rate, ms.Tensor(0.5 / number, ms.float32)
        ),
    )
    assert told[3]["lr"] == 0.125
    np.testing.assert_allclose([row["lr"] for row in told], used[:, 0], atol=1e-6)


def test_an_optimizer_that_has_trained_before_goes_on_in_its_table():
    network = Unit()
    optimizer = nn.SGD(network.trainable_params(), [0.1, 0.2, 0.3, 0.4])
    step = nn.TrainOneStepCell(network, optimizer)
    for _ in range(2):
        step(ms.Tensor(1, ms.float32))
    rates = LearningRates(optimizer, pytest.fail, watch=False)
    rates.sync(0)
    assert global_step(optimizer) == 2
    assert rates.at(1)["lr"] == pytest.approx(0.3)
    assert rates.at(3) == {}


def test_param_groups_of_experimental_optimizers_are_read():
    network = Unit()
    groups = [{"params": [network.a], "lr": 0.25}, {"params": [network.b]}]
    rates = LearningRates(optim.SGD(groups, lr=0.5), pytest.fail, watch=True)
    assert rates.at(1) == {"lr/0": 0.25, "lr/1": 0.5}


def test_without_an_optimizer_there_is_no_learning_rate():
    assert LearningRates(None, pytest.fail, watch=True).at(1) == {}


def test_the_optimizer_of_a_train_step_is_found():
    network = Unit()
    optimizer = nn.SGD(network.trainable_params(), 0.1)
    step = nn.TrainOneStepCell(network, optimizer)
    assert find_optimizer(None, step) is optimizer
    assert find_optimizer(None, network) is None
    assert find_optimizer(optimizer, network) is optimizer


def test_only_callbacks_that_may_set_the_rate_make_it_watched():
    stock = [ms.train.LossMonitor(), ms.train.TimeMonitor()]
    assert not may_be_set(stock)
    assert may_be_set([*stock, AtStep(1, print)])
    assert may_be_set([*stock, ms.train.LearningRateScheduler(print)])
