"""The learning rate told for a step is the one that the step used."""

import math

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
import pytest
from mindspore import mint, nn, ops
from mindspore.experimental import optim
from mindspore.train import (
    Callback,
    LambdaCallback,
    LearningRateScheduler,
    LossMonitor,
    Model,
    ReduceLROnPlateau,
    TimeMonitor,
)

from mswidget import LearningRates, TrainMonitor
from mswidget.collect.rates.setters import may_be_set
from mswidget.collect.steps.offset import global_step
from mswidget.collect.train_step.networks import find_optimizer
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


class Counting(nn.learning_rate_schedule.LearningRateSchedule):
    """Changes when it is called."""

    def __init__(self):
        super().__init__()
        self.calls = ms.Parameter(ms.Tensor(0, ms.float32), name="calls")

    def construct(self, global_step):
        ops.assign_add(self.calls, ms.Tensor(1, ms.float32))
        return 0.1 + 0 * global_step


class Scaled(nn.learning_rate_schedule.LearningRateSchedule):
    """Has a parameter of the name under which an optimizer wraps a constant."""

    def __init__(self):
        super().__init__()
        self.learning_rate = ms.Parameter(ms.Tensor(0.5, ms.float32), name="rate")

    def construct(self, global_step):
        return self.learning_rate / (1 + global_step)


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


def cosine(i, low, high):
    return low + (high - low) * (1 + math.cos(math.pi * min(i, STEPS) / STEPS)) / 2


FORMULAS = {
    "constant": lambda i: 0.125,  # noqa: ARG005 - the same at each step
    "cosine": lambda i: cosine(i, 0.01, 0.5),
    "exponential": lambda i: 0.5 * 0.5 ** (i / 2),
    "stairs of exponential": lambda i: 0.5 * 0.5 ** (i // 2),
    "polynomial": lambda i: 0.49 * (1 - i / STEPS) ** 0.5 + 0.01,
    "warm-up": lambda i: 0.5 * min(i, 4) / 4,
}


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("kind", FORMULAS)
def test_every_step_shows_what_the_formula_says(kind):
    network = Unit()
    optimizer = nn.SGD(network.trainable_params(), SCHEDULES[kind]())
    rates = LearningRates(optimizer, pytest.fail)
    told = [rates(step)["lr"] for step in range(1, STEPS + 1)]
    np.testing.assert_allclose(told, [*map(FORMULAS[kind], range(STEPS))], atol=1e-6)


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("first", [0.25, [0.5, 0.4, 0.3, 0.2, 0.1, 0.05]])
def test_each_group_shows_its_own_rate(first):
    told, used = told_and_used(
        lambda a, b: nn.SGD([{"params": [a], "lr": first}, {"params": [b]}], 0.125)
    )
    groups = [[row["lr/0:a"], row["lr/1:b"]] for row in told]
    np.testing.assert_allclose(groups, used, atol=1e-6)


def test_a_group_with_a_schedule_shows_it():
    told, used = told_and_used(
        lambda a, b: nn.SGD(
            [{"params": [b], "lr": nn.WarmUpLR(0.5, 4)}, {"params": [a]}], 0.125
        )
    )
    found = [[row["lr/1:a"], row["lr/0:b"]] for row in told]
    np.testing.assert_allclose(found, used, atol=1e-6)


def test_groups_that_differ_in_weight_decay_only_have_one_rate():
    told, _ = told_and_used(
        lambda a, b: nn.SGD(
            [{"params": [a], "weight_decay": 0.1}, {"params": [b]}], 0.125
        )
    )
    assert told[0] == {"lr": 0.125}


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("schedule", [Stairs, Previous])
def test_a_schedule_for_single_steps_is_right_at_each_and_says_so(schedule):
    told_once = []
    told, used = told_and_used(
        lambda a, b: nn.SGD([a, b], schedule()), report=told_once.append
    )
    seen = [row["lr"].asnumpy().item() for row in told]
    np.testing.assert_allclose(seen, used[:, 0], atol=1e-6)
    (text,) = told_once
    assert f"{schedule.__name__} cannot be computed ahead" in text


@pytest.mark.usefixtures("mode")
def test_a_schedule_with_a_parameter_is_still_a_schedule():
    told, used = told_and_used(lambda a, b: nn.SGD([a, b], Scaled()))
    np.testing.assert_allclose([row["lr"] for row in told], used[:, 0], atol=1e-6)


@pytest.mark.usefixtures("mode")
def test_a_schedule_that_changes_when_asked_is_left_alone():
    schedule, told_once = Counting(), []
    optimizer = nn.SGD([Unit().a], schedule)
    rates = LearningRates(optimizer, told_once.append)
    assert [rates(step) for step in (1, 2, 3)] == [{}, {}, {}]
    assert schedule.calls.asnumpy() == 0
    assert "left out" in told_once[0]


@pytest.mark.parametrize("kind", ["cosine", "exponential", "polynomial", "warm-up"])
def test_a_built_in_schedule_is_never_launched_step_by_step(kind, monkeypatch):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    schedule, calls = SCHEDULES[kind](), []
    construct = type(schedule).construct
    monkeypatch.setattr(
        type(schedule),
        "construct",
        lambda self, step: calls.append(1) or construct(self, step),
    )
    rates = LearningRates(nn.SGD([Unit().a], schedule), pytest.fail)
    for step in range(1, 2001):
        rates.at(step)
    assert len(calls) < 20


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
    rates = LearningRates(optimizer, pytest.fail)
    assert global_step(optimizer) == 2
    assert rates(1)["lr"] == pytest.approx(0.3)
    assert rates(3) == {}


def test_without_a_number_the_optimizer_is_asked_for_it():
    network = Unit()
    optimizer = nn.SGD(network.trainable_params(), [0.1, 0.2, 0.3, 0.4])
    rates = LearningRates(optimizer, pytest.fail)
    step = nn.TrainOneStepCell(network, optimizer)
    told = []
    for _ in range(3):
        step(ms.Tensor(1, ms.float32))
        told.append(rates()["lr"])
    assert told == pytest.approx([0.1, 0.2, 0.3])


class Steps(Callback):
    """Tells by how much each step moved a weight: the rate that it used."""

    def __init__(self, network):
        super().__init__()
        self.network = network
        self.used = []

    def on_train_step_begin(self, run_context):  # noqa: ARG002 - MindSpore's
        self.before = self.network.a.asnumpy().copy()

    def on_train_step_end(self, run_context):  # noqa: ARG002 - MindSpore's
        self.used.append((self.before - self.network.a.asnumpy()).item())


class SetsAtBegin(Callback):
    """Sets the rate of the step that begins."""

    def on_train_step_begin(self, run_context):
        params = run_context.original_args()
        rate = ms.Tensor(0.5 / params.cur_step_num, ms.float32)
        ops.assign(params.optimizer.learning_rate, rate)


def halve(rate, step):  # noqa: ARG001 - MindSpore's
    return rate / 2


SETTERS = {
    "at a step's end": lambda: LearningRateScheduler(halve),
    "at an epoch's end": lambda: ReduceLROnPlateau(
        "loss", factor=0.5, patience=0, mode="max"
    ),
    "at a step's begin": SetsAtBegin,
}


def train_set(tmp_path, order, setter):
    """Train with callbacks in this order; return the rates shown and used."""
    network = Unit()
    optimizer = nn.SGD(network.trainable_params(), 0.5)
    steps, monitor = Steps(network), TrainMonitor("run", tmp_path)
    found = {"monitor": monitor, "setter": setter}
    callbacks = [*(found[name] for name in order), steps]
    data = ds.NumpySlicesDataset(np.ones(3, np.float32), shuffle=False)
    Model(network, optimizer=optimizer).train(4, data, callbacks=callbacks)
    return monitor.run.to_pandas()["lr"].tolist(), steps.used


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("order", [("monitor", "setter"), ("setter", "monitor")])
@pytest.mark.parametrize("kind", SETTERS)
def test_a_callback_that_sets_the_rate_is_seen_in_time(tmp_path, kind, order):
    told, used = train_set(tmp_path, order, SETTERS[kind]())
    np.testing.assert_allclose(told, used, rtol=1e-5)
    assert len(set(told)) > 1


def scheduled(kind, lr_scheduler):
    """Train a loop with an optimizer of ``param_groups``; rates told and used."""
    network = Unit()
    groups = [{"params": [network.a], "lr": 0.25}, {"params": [network.b]}]
    optimizer = kind(groups, lr=0.5)
    scheduler = lr_scheduler(optimizer)
    told, used, notices = [], [], []
    rates = LearningRates(optimizer, notices.append)
    step = ms.value_and_grad(network, None, optimizer.parameters)
    for number in range(1, STEPS + 1):
        before = network.a.item(), network.b.item()
        optimizer(step(ms.Tensor(1, ms.float32))[1])
        told.append([*rates(number).values()])
        used.append([before[0] - network.a.item(), before[1] - network.b.item()])
        scheduler.step()
    return told, used, notices


@pytest.mark.parametrize(
    "lr_scheduler",
    [
        lambda optimizer: optim.lr_scheduler.StepLR(optimizer, 2, 0.5),
        lambda optimizer: optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS),
        lambda optimizer: optim.lr_scheduler.LambdaLR(
            optimizer, [lambda epoch: 0.5**epoch] * 2
        ),
    ],
)
def test_a_loop_with_an_experimental_optimizer_shows_the_rate_used(lr_scheduler):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    told, used, notices = scheduled(optim.SGD, lr_scheduler)
    np.testing.assert_allclose(told, used, atol=1e-6)
    assert notices == []


def test_mint_sgd_goes_on_with_its_first_rate_and_the_user_is_told():
    """Read in its source, MindSpore 2.10; on a CPU it moves no weight at all."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    told, _, notices = scheduled(
        mint.optim.SGD, lambda optimizer: optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
    )
    assert told == [[0.25, 0.5]] * STEPS
    assert len(notices) == 2
    assert "heeds no scheduler" in notices[0]


def test_mint_adam_shows_what_its_scheduler_sets():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    told, _, notices = scheduled(
        mint.optim.Adam, lambda optimizer: optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
    )
    expected = [[0.25 * 0.5 ** (i // 2), 0.5 * 0.5 ** (i // 2)] for i in range(STEPS)]
    np.testing.assert_allclose(told, expected)
    assert notices == []


def test_groups_of_an_experimental_optimizer_have_names():
    network = Unit()
    groups = [{"params": [network.a], "lr": 0.25}, {"params": [network.b]}]
    rates = LearningRates(optim.SGD(groups, lr=0.5), pytest.fail)
    assert rates(1) == {"lr/0:a": 0.25, "lr/1:b": 0.5}


def test_without_an_optimizer_there_is_no_learning_rate():
    assert LearningRates(None, pytest.fail)(1) == {}


def test_the_optimizer_of_a_train_step_is_found():
    network = Unit()
    optimizer = nn.SGD(network.trainable_params(), 0.1)
    step = nn.TrainOneStepCell(network, optimizer)
    assert find_optimizer(None, step) is optimizer
    assert find_optimizer(None, network) is None
    assert find_optimizer(optimizer, network) is optimizer


def test_only_callbacks_that_may_set_the_rate_make_it_watched():
    stock = [LossMonitor(), TimeMonitor()]
    assert not may_be_set(stock)
    assert may_be_set([*stock, AtStep(1, print)])
    assert may_be_set([*stock, LearningRateScheduler(print)])
    assert may_be_set([*stock, LambdaCallback()])


def test_what_cannot_be_known_is_told(tmp_path):
    """A callback of the user's stands on either side, and both may set the rate."""
    network = Unit()
    optimizer = nn.SGD(network.trainable_params(), 0.5)
    monitor = TrainMonitor("run", tmp_path)
    callbacks = [AtStep(1, lambda _: None), monitor, SetsAtBegin()]
    data = ds.NumpySlicesDataset(np.ones(3, np.float32), shuffle=False)
    Model(network, optimizer=optimizer).train(1, data, callbacks=callbacks)
    assert "put TrainMonitor last" in monitor.run.notices[0]


@pytest.mark.usefixtures("mode")
def test_a_training_shows_a_branching_schedule_at_each_step(tmp_path):
    network = Unit()
    optimizer = nn.SGD(network.trainable_params(), Stairs())
    monitor = TrainMonitor("run", tmp_path, watch=False)
    data = ds.NumpySlicesDataset(np.ones(3, np.float32), shuffle=False)
    Model(network, optimizer=optimizer).train(2, data, callbacks=[monitor])
    assert monitor.run.to_pandas()["lr"].tolist() == [0.5] * 3 + [0.25] * 3


class Breaking(Unit):
    """Fails in its third step."""

    def construct(self, x):
        self.count = getattr(self, "count", 0) + 1
        if self.count == 3:
            raise OSError("disk")
        return super().construct(x)


def test_the_last_step_before_one_that_failed_has_its_rate(tmp_path):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    network = Breaking()
    optimizer = nn.SGD(network.trainable_params(), [0.5, 0.25, 0.125])
    monitor = TrainMonitor("run", tmp_path, log_interval=10)
    data = ds.NumpySlicesDataset(np.ones(3, np.float32), shuffle=False)
    with pytest.raises(OSError, match="disk"):
        Model(network, optimizer=optimizer).train(1, data, callbacks=[monitor])
    assert monitor.run.to_pandas()["lr"].to_dict() == {2: 0.25}


@pytest.mark.parametrize("kind", ["list", "cosine", "constant"])
def test_before_the_first_update_no_schedule_has_a_rate(kind):
    rates = LearningRates(nn.SGD([Unit().a], SCHEDULES[kind]()), pytest.fail)
    assert rates() == ({"lr": 0.125} if kind == "constant" else {})


class LossScaled(nn.TrainOneStepWithLossScaleCell):
    """Stands for its base, which cannot run on a CPU: it skips what overflows."""

    def __init__(self, network, optimizer, overflows):
        super().__init__(network, optimizer, ms.Tensor(1024, ms.float32))
        self.overflows = iter(overflows)
        self.used = []

    def construct(self, x):
        before, overflow = self.network.a.item(), next(self.overflows)
        if not overflow:
            self.optimizer((ms.Tensor(1.0), ms.Tensor(1.0)))
        self.used.append(before - self.network.a.item())
        return x, ms.Tensor(overflow, ms.bool_), self.scale_sense


@pytest.mark.parametrize("kind", ["list", "cosine", "constant"])
def test_after_skipped_updates_the_rate_is_still_right(tmp_path, kind):
    """The optimizer does not count an update that overflowed."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    overflows = [True, True, False, True, False, False]
    network = Unit()
    optimizer = nn.SGD(network.trainable_params(), SCHEDULES[kind]())
    step = LossScaled(network, optimizer, overflows)
    monitor = TrainMonitor("run", tmp_path, watch=False)
    data = ds.NumpySlicesDataset(np.ones(3, np.float32), shuffle=False)
    Model(step).train(2, data, callbacks=[monitor])
    frame = monitor.run.to_pandas()
    trained = frame["overflow"] == 0
    np.testing.assert_allclose(
        frame["lr"][trained], np.array(step.used)[trained], atol=1e-6
    )
    # What a skipped step would have used, the next one does.
    assert frame["lr"][1] == frame["lr"][2] == frame["lr"][3]


@pytest.mark.parametrize("overflow", [False, True], ids=["trained", "skipped"])
def test_a_last_step_that_may_have_been_skipped_shows_no_wrong_rate(tmp_path, overflow):
    """The optimizer's count was read again before the step's rate was asked for."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    network = Unit()
    optimizer = nn.SGD(network.trainable_params(), SCHEDULES["exponential"]())
    step = LossScaled(network, optimizer, [False, False, overflow])
    monitor = TrainMonitor("run", tmp_path, watch=False, log_interval=2)
    fails = LambdaCallback(
        on_train_step_begin=lambda context: (
            1 / (4 - context.original_args().cur_step_num)
        )
    )
    data = ds.NumpySlicesDataset(np.ones(3, np.float32), shuffle=False)
    with pytest.raises(ZeroDivisionError):
        Model(step).train(2, data, callbacks=[monitor, fails])
    frame = monitor.run.to_pandas()
    assert frame.index.tolist() == [2, 3]
    assert math.isnan(frame["lr"][3])
