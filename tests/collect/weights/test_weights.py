"""Statistics of weights and gradients in real trainings."""

import math

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn
from mindspore.train import Callback, Model, RunContext

import mswidget.collect.weights.watched_parameters
from mswidget import (
    MonitoredTrainStep,
    TrainMonitor,
    WeightWatcher,
    load_run,
    start_run,
)
from mswidget.collect.train_step.gradients import Gradients
from tests.training import MODE_NAMES, MODES, Regression, dataset, tensors

WEIGHT, BIAS = "dense.weight", "dense.bias"


@pytest.fixture(autouse=True)
def _pynative():
    ms.set_context(mode=ms.PYNATIVE_MODE)


both_modes = pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)


def sgd(network):
    return nn.SGD(network.trainable_params(), 0.05)


def train(tmp_path, steps, *, step=None, network=None, callbacks=(), **options):
    """Train so many steps; return the run and its table."""
    network = network or Regression()
    step = step or nn.TrainOneStepCell(network, sgd(network))
    monitor = TrainMonitor("run", tmp_path, **options)
    Model(step).train(1, dataset(steps), callbacks=[monitor, *callbacks])
    return monitor.run, monitor.run.to_pandas()


class Weights(Callback):
    """Keeps the weights after each step."""

    def __init__(self, network):
        super().__init__()
        self.network = network
        self.after = [self.copy()]

    def copy(self):
        arrays = {p.name: p.asnumpy() for p in self.network.get_parameters()}
        return {name: array.astype("f8") for name, array in arrays.items()}

    def on_train_step_end(self, run_context):  # noqa: ARG002 - MindSpore's
        self.after.append(self.copy())


@both_modes
def test_weights_are_told_as_they_are_every_kth_step(mode, tmp_path):
    ms.set_context(mode=mode)
    network = Regression()
    seen = Weights(network)
    run, frame = train(tmp_path, 7, network=network, callbacks=[seen], watch_interval=3)
    column = frame[f"weight_mean/{WEIGHT}"].dropna()
    assert column.index.tolist() == [1, 3, 6]
    for step in (1, 3, 6):
        before, after = seen.after[step - 1][WEIGHT], seen.after[step][WEIGHT]
        moved = np.linalg.norm(after - before) / np.linalg.norm(before)
        row = frame.loc[step]
        assert row[f"weight_mean/{WEIGHT}"] == pytest.approx(after.mean())
        assert row[f"weight_std/{WEIGHT}"] == pytest.approx(after.std())
        assert row[f"weight_q/{WEIGHT}/p25"] == pytest.approx(np.quantile(after, 0.25))
        assert row[f"update_ratio/{WEIGHT}"] == pytest.approx(moved, 1e-6)
    assert run.notices == []


def test_the_file_holds_them_too(tmp_path):
    run, frame = train(tmp_path, 4, watch_interval=2)
    saved = load_run(run.path).to_pandas()
    name = f"weight_absmax/{WEIGHT}"
    assert saved[name].dropna().tolist() == frame[name].dropna().tolist()


def test_nothing_is_read_in_the_other_steps(tmp_path, monkeypatch):
    reads = []
    whole = ms.Parameter.asnumpy

    def asnumpy(parameter):
        if parameter.name in {WEIGHT, BIAS}:
            reads.append(parameter.name)
        return whole(parameter)

    monkeypatch.setattr(ms.Parameter, "asnumpy", asnumpy)
    train(tmp_path, 9, watch_interval=4)
    # Both parameters, before and after each of the steps 1, 4 and 8; the smallest
    # once more, first, to wait for the device.
    assert len(reads) == 3 * 2 * 3


@both_modes
def test_statistics_take_a_hundredth_of_the_time_at_most(mode, tmp_path):
    ms.set_context(mode=mode)
    _, frame = train(tmp_path, 200)
    sampled = frame[frame["watch_time_ms"].notna()]
    assert sampled.index[0] == 1
    assert all(step % 50 == 0 for step in sampled.index[1:])
    apart_ms = 1e3 * sampled["wall_time"].diff().dt.total_seconds()[1:]
    spent_ms = sampled["watch_time_ms"][:-1]
    assert (apart_ms.to_numpy() > 98 * spent_ms.to_numpy()).all()


def test_a_zero_start_has_no_update_ratio_and_a_share_of_zeros(tmp_path):
    network = Regression()
    _, frame = train(tmp_path, 2, network=network, watch_interval=2)
    assert math.isnan(frame.loc[1, f"update_ratio/{BIAS}"])
    assert frame.loc[2, f"update_ratio/{BIAS}"] > 0
    assert frame.loc[1, f"weight_zeros/{BIAS}"] == 0


@both_modes
def test_weights_that_turn_nan_are_shown_and_counted(mode, tmp_path):
    ms.set_context(mode=mode)
    network = Regression()
    step = nn.TrainOneStepCell(network, sgd(network))
    monitor = TrainMonitor("run", tmp_path, watch_interval=1)
    Model(step).train(1, dataset(3, nan_at=2), callbacks=[monitor])
    frame = monitor.run.to_pandas()
    assert frame[f"weight_nonfinite/{WEIGHT}"].tolist()[1:] == [3, 3]
    assert math.isnan(frame.loc[2, f"weight_mean/{WEIGHT}"])
    lines = (monitor.run.path / "rank_0.jsonl").read_text()
    assert f'"weight_mean/{WEIGHT}": "NaN"' in lines


@pytest.mark.parametrize("kind", [ms.float16, ms.bfloat16])
def test_half_precision_is_watched(kind, tmp_path):
    network = Regression()
    frozen = ms.Parameter(ms.Tensor([1.5, 0], kind), "half", requires_grad=False)
    network.insert_param_to_cell("half", frozen)
    run, frame = train(tmp_path, 1, network=network, watch="half")
    assert frame.loc[1, "weight_mean/half"] == 0.75
    assert run.parameters().loc["half", "dtype"] == str(kind).lower()


@both_modes
def test_gradients_are_those_of_the_stock_cell(mode, tmp_path):
    ms.set_context(mode=mode)
    network = Regression(returns="tuple")
    step = MonitoredTrainStep(network, sgd(network))
    options = {"watch_interval": 2, "watch_gradients": True}
    run, frame = train(tmp_path, 5, step=step, **options)
    column = frame[f"grad_mean/{WEIGHT}"].dropna()
    assert column.index.tolist() == [1, 2, 4]
    twin = Regression()
    stock = nn.TrainOneStepCell(twin, sgd(twin), return_grad=True).set_train()
    grads = [stock(*batch)[1] for batch in tensors(5)]
    for number in column.index:
        grad = grads[number - 1][WEIGHT].asnumpy()
        assert column[number] == pytest.approx(grad.mean(), 1e-6)
        assert frame.loc[number, f"grad_q/{WEIGHT}/max"] == pytest.approx(grad.max())
    assert run.notices == []


@both_modes
def test_steps_with_gradients_train_as_those_without(mode, tmp_path):
    ms.set_context(mode=mode)
    trained = []
    for options in ({}, {"watch_interval": 1, "watch_gradients": True}):
        network = Regression(returns="tuple")
        step = MonitoredTrainStep(network, sgd(network), ["mae", "2mae"], clip_norm=0.5)
        _, frame = train(tmp_path, 5, step=step, **options)
        trained.append((network.dense.weight.asnumpy(), frame["loss/mae"].tolist()))
    np.testing.assert_array_equal(trained[0][0], trained[1][0])
    assert trained[0][1] == trained[1][1]


def test_without_a_step_of_ours_it_says_how_to_get_gradients(tmp_path):
    run, frame = train(tmp_path, 2, watch_gradients=True)
    (text,) = run.notices
    assert "Model(MonitoredTrainStep(network, optimizer))" in text
    assert f"weight_mean/{WEIGHT}" in frame
    assert f"grad_mean/{WEIGHT}" not in frame


def test_both_graphs_are_compiled_in_the_first_step():
    ms.set_context(mode=ms.GRAPH_MODE)
    network = Regression()
    step = MonitoredTrainStep(network, sgd(network)).set_train()
    gradients = Gradients(step, [WEIGHT], print)
    gradients.ask()
    step(*next(tensors(1)))
    assert step.compile_cache
    known = step.compile_cache.copy()
    step(*next(tensors(1)))
    assert step.compile_cache == known


class OwnStep(MonitoredTrainStep):
    def construct(self, x, y):
        return super().construct(x, y)


def test_a_step_of_the_users_own_is_not_replaced_by_ours(tmp_path):
    network = Regression()
    step = OwnStep(network, sgd(network))
    run, frame = train(tmp_path, 2, step=step, watch_gradients=True)
    assert "OwnStep has a construct of its own" in run.notices[0]
    assert len(frame["loss"].dropna()) == 2


class Wrapped(nn.Cell):
    """As MindSpore wraps a step for its data sink on an Ascend."""

    def __init__(self, step):
        super().__init__(auto_prefix=False)
        self.network = step

    def construct(self, *inputs):
        return self.network(*inputs)


def test_a_step_that_mindspore_calls_says_why_it_has_no_gradients(tmp_path):
    ms.set_context(mode=ms.GRAPH_MODE)
    network = Regression()
    step = Wrapped(MonitoredTrainStep(network, sgd(network)))
    run, frame = train(tmp_path, 2, step=step, watch_gradients=True)
    assert "MindSpore, not Python, calls the MonitoredTrainStep" in run.notices[0]
    assert len(frame["loss"].dropna()) == 2


def test_a_second_graph_that_fails_costs_its_gradients_only(tmp_path, monkeypatch):
    def keeping(*_):
        return nn.Cell()  # has no construct

    monkeypatch.setattr(MonitoredTrainStep, "keeping", keeping)
    network = Regression()
    step = MonitoredTrainStep(network, sgd(network))
    run, frame = train(tmp_path, 3, step=step, watch_interval=1, watch_gradients=True)
    assert len(frame["loss"].dropna()) == 3
    assert "none are taken from now on" in run.notices[0]
    assert len(run.notices) == 1


def test_a_step_that_was_asked_and_never_came_is_forgotten():
    network = Regression()
    step = MonitoredTrainStep(network, sgd(network))
    gradients = Gradients(step, [WEIGHT], print)
    gradients.ask()
    gradients.forget()
    assert step.detour is None
    assert len(step(*next(tensors(1)))) == 2


def test_a_data_sink_has_statistics_at_its_own_steps(tmp_path):
    """As on an Ascend: one callback a sink. A CPU has none, so we call the hooks."""
    network = Regression()
    step = nn.TrainOneStepCell(network, sgd(network))
    monitor = TrainMonitor("run", tmp_path, watch_interval=50)
    params = {
        "cur_step_num": 0, "cur_epoch_num": 1, "epoch_num": 8, "batch_num": 20,
        "mode": "train", "dataset_sink_mode": True, "train_dataset": dataset(20),
        "network": step, "train_network": step,
    }  # fmt: skip
    context = RunContext(params)
    with monitor:
        monitor.on_train_epoch_begin(context)
        for sink in range(1, 7):
            params["cur_step_num"] = 20 * sink
            monitor.on_train_step_begin(context)
            params["net_outputs"] = ms.Tensor(1 / sink)
            monitor.on_train_step_end(context)
    frame = monitor.run.to_pandas()
    assert frame[f"weight_mean/{WEIGHT}"].dropna().index.tolist() == [20, 60, 100]
    assert f"update_ratio/{WEIGHT}" not in frame
    assert "no update_ratio" in monitor.run.notices[0]


def test_parameters_are_a_table_of_the_network_alone(tmp_path):
    network = Regression()
    network.dense.bias.requires_grad = False
    optimizer = nn.Momentum([network.dense.weight], 0.05, 0.9)
    step = nn.TrainOneStepCell(network, optimizer)
    run, frame = train(tmp_path, 2, step=step)
    table = run.parameters()
    assert table.index.tolist() == [WEIGHT, BIAS]
    weight, bias = table.loc[WEIGHT], table.loc[BIAS]
    assert (weight["layer"], weight["shape"], weight["size"]) == ("dense", (1, 3), 3)
    assert (weight["dtype"], weight["trainable"], weight["watched"]) == (
        "float32", True, True,
    )  # fmt: skip
    assert (bias["watched"], bias["unwatched"]) == (False, "frozen")
    assert weight["weight_mean"] == frame[f"weight_mean/{WEIGHT}"][1]
    assert math.isnan(bias["weight_mean"])
    assert math.isnan(weight["grad_p50"])


def test_parameters_are_known_when_nothing_is_watched(tmp_path):
    run, frame = train(tmp_path, 2, watch=False)
    assert run.parameters()["unwatched"].tolist() == ["watch=False"] * 2
    assert not [name for name in frame if name.startswith("weight_")]
    assert run.notices == []


def test_patterns_choose_parameters(tmp_path):
    run, frame = train(tmp_path, 1, watch=["*.bias", "*.attention.*"])
    assert f"weight_mean/{BIAS}" in frame
    assert f"weight_mean/{WEIGHT}" not in frame
    assert "'*.attention.*' matches none of the 2 parameters" in run.notices[0]


def test_a_wrong_choice_is_told_before_the_training(tmp_path):
    with pytest.raises(ValueError, match="patterns of parameter names"):
        TrainMonitor("run", tmp_path, watch=7)
    with pytest.raises(ValueError, match="watch_interval=0"):
        TrainMonitor("run", tmp_path, watch_interval=0)


@both_modes
def test_a_loop_of_the_users_own_has_all_of_it(mode, tmp_path):
    ms.set_context(mode=mode)
    network = Regression()
    step = MonitoredTrainStep(network, sgd(network)).set_train()
    seen = Weights(network)
    with start_run("loop", log_dir=tmp_path) as run:
        watcher = WeightWatcher(step, run, interval=3, gradients=True)
        for number, batch in enumerate(tensors(7), start=1):
            values = step.named(step(*batch))
            seen.after.append(seen.copy())
            run.log({**values, **watcher.values(number)}, step=number)
    frame = run.to_pandas()
    for name in ("weight_mean", "update_ratio", "grad_mean"):
        assert frame[f"{name}/{WEIGHT}"].dropna().index.tolist() == [1, 3, 6]
    for number in (1, 3, 6):
        before, after = seen.after[number - 1][WEIGHT], seen.after[number][WEIGHT]
        moved = np.linalg.norm(after - before) / np.linalg.norm(before)
        assert frame.loc[number, f"update_ratio/{WEIGHT}"] == pytest.approx(moved, 1e-6)
    latest = frame[f"grad_std/{WEIGHT}"][6]
    assert run.parameters().loc[WEIGHT, "grad_std"] == latest


def test_steps_that_a_loop_leaves_out_give_no_false_update_ratio(tmp_path):
    network = Regression()
    with start_run("loop", log_dir=tmp_path) as run:
        watcher = WeightWatcher(network, run, interval=10)
        found = {step: watcher.values(step) for step in (1, 9, 20, 39, 40)}
    has_ratio = {s: f"update_ratio/{WEIGHT}" in values for s, values in found.items()}
    assert has_ratio == {1: True, 9: False, 20: False, 39: False, 40: True}
    assert f"weight_mean/{WEIGHT}" in found[20]


def test_a_loop_that_watches_nothing_logs_nothing(tmp_path):
    with start_run("loop", log_dir=tmp_path) as run:
        watcher = WeightWatcher(Regression(), run, watch=False)
        assert [watcher.values(step) for step in (1, 50)] == [{}, {}]
    assert len(run.parameters()) == 2


def test_an_error_of_ours_never_reaches_a_loop(tmp_path, monkeypatch):
    with start_run("loop", log_dir=tmp_path) as run:
        watcher = WeightWatcher(Regression(), run)
        monkeypatch.delattr(mswidget.collect.weights.watched_parameters, "statistics")
        assert watcher.values(1) == {}
    assert "weight statistics failed" in run.notices[0]
