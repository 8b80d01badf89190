"""What real trainings tell of data, checkpoints, evaluation, memory and tokens."""

import json
import math
import threading
import time

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
import pytest
from mindspore import nn
from mindspore.train import (
    MAE,
    Callback,
    CheckpointConfig,
    Metric,
    Model,
    ModelCheckpoint,
    RunContext,
)

from mswidget import TrainMonitor
from mswidget.collect.options.tokens import Tokens
from mswidget.collect.sources.checkpoints import Checkpoints
from mswidget.collect.sources.data_wait import DataWait
from mswidget.collect.sources.device_memory import memory
from mswidget.collect.steps.offset import Offset
from mswidget.collect.steps.progress import Progress
from tests.training import BATCH, MODE_NAMES, MODES, AtStep, Regression, dataset

PROGRESS = Progress({"cur_step_num": 0}, Offset(0, "a new training"))


@pytest.fixture(autouse=True)
def _pynative():
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.fixture
def monitor(tmp_path):
    return TrainMonitor("run", tmp_path, display=False)


def model(network=None):
    network = network or Regression()
    return Model(nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), 0.01)))


def events(run, name):
    lines = (run.path / "rank_0.jsonl").read_text(encoding="utf-8").splitlines()
    return [line for line in map(json.loads, lines) if line.get("event") == name]


# Data wait


def slow_dataset(batches, wait_s):
    def samples():
        for index in range(batches * BATCH):
            if index % BATCH == 0:
                time.sleep(wait_s)
            yield np.ones(3, np.float32), np.ones(1, np.float32)

    data = ds.GeneratorDataset(samples, ["x", "y"], python_multiprocessing=False)
    return data.batch(BATCH)


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
def test_waiting_for_data_is_told_apart_from_the_step(mode, monitor):
    ms.set_context(mode=mode)
    ms.dataset.config.set_prefetch_size(1)
    model().train(2, slow_dataset(4, wait_s=0.2), callbacks=[monitor])
    frame = monitor.run.to_pandas()
    assert frame["data_time_ms"].notna().all()  # the first step of an epoch too
    assert frame["data_time_ms"].max() > 100
    timed = frame[frame["step_time_ms"].notna()]
    assert (timed["data_time_ms"] < timed["step_time_ms"]).all()


def test_a_slow_step_is_no_wait_for_data(monitor):
    class SlowStep(Callback):
        def on_train_step_begin(self, run_context):  # noqa: ARG002 - MindSpore's
            time.sleep(0.05)  # behind the monitor's begin: in the step

    model().train(1, dataset(4), callbacks=[monitor, SlowStep()])
    frame = monitor.run.to_pandas()[1:]
    assert (frame["data_time_ms"] + 50 < frame["step_time_ms"]).all()


def test_waits_are_the_mean_of_the_steps_since_the_last_reading():
    waits = DataWait(iter((1.0, 1.5, 2.0, 2.1, 3.0, 3.3)).__next__)
    for _ in range(3):
        waits.step_left(PROGRESS)
        waits.step_begin(PROGRESS)
    assert waits.read(PROGRESS) == {"data_time_ms": pytest.approx(300)}
    assert waits.read(PROGRESS) == {}


def test_an_epochs_begin_forgets_what_lay_between():
    waits = DataWait(iter((1.0, 100.0, 100.5)).__next__)
    waits.step_left(PROGRESS)
    waits.epoch_begin(PROGRESS)  # an evaluation was between
    waits.step_begin(PROGRESS)
    assert waits.read(PROGRESS) == {"data_time_ms": 500}


def test_a_data_sink_has_no_wait_to_tell(monitor):
    """As on an Ascend: a CPU has no sink, so we call the hooks."""
    params = {
        "cur_step_num": 0, "cur_epoch_num": 1, "epoch_num": 2, "batch_num": 50,
        "mode": "train", "dataset_sink_mode": True, "train_dataset": dataset(50),
        "train_network": model().train_network,
    }  # fmt: skip
    context = RunContext(params)
    with monitor:
        monitor.on_train_epoch_begin(context)
        for sink in (1, 2, 3):
            params["cur_step_num"] = 50 * sink
            monitor.on_train_step_begin(context)
            params["net_outputs"] = ms.Tensor(1.0)
            monitor.on_train_step_end(context)
    frame = monitor.run.to_pandas()
    assert "step_time_ms" in frame
    assert "data_time_ms" not in frame


# Checkpoints


def saver(folder, every=2):
    config = CheckpointConfig(save_checkpoint_steps=every, keep_checkpoint_max=9)
    return ModelCheckpoint("net", str(folder / "ckpt"), config)


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
@pytest.mark.parametrize("place", ["before", "behind"])
def test_a_checkpoint_stands_at_its_step_wherever_its_callback_is(
    place, mode, monitor, tmp_path
):
    ms.set_context(mode=mode)
    callbacks = [saver(tmp_path), monitor]
    if place == "behind":
        callbacks.reverse()
    model().train(2, dataset(5), callbacks=callbacks)
    saved = events(monitor.run, "checkpoint")
    assert [event["step"] for event in saved] == [2, 4, 6, 8, 10]
    written = {str(path) for path in (tmp_path / "ckpt").glob("*.ckpt")}
    assert {event["file"] for event in saved} == written
    marks = monitor.run._head()["marks"]
    assert [m["step"] for m in marks if m["kind"] == "checkpoint"] == [2, 4, 6, 8, 10]


def test_the_checkpoint_of_the_end_is_there_too(monitor, tmp_path):
    model().train(1, dataset(5), callbacks=[monitor, saver(tmp_path, every=2)])
    assert [event["step"] for event in events(monitor.run, "checkpoint")] == [2, 4, 5]


def test_a_second_training_counts_its_checkpoints_on(monitor, tmp_path):
    trained = model()
    for _ in range(2):
        trained.train(1, dataset(4), callbacks=[monitor, saver(tmp_path, every=3)])
    steps = [event["step"] for event in events(monitor.run, "checkpoint")]
    assert steps == [3, 4, 7, 8]


def test_the_same_file_written_again_is_another_checkpoint(monitor, tmp_path):
    config = CheckpointConfig(save_checkpoint_steps=2)
    same = ModelCheckpoint(lambda _: "net", str(tmp_path / "ckpt"), config)
    model().train(1, dataset(6), callbacks=[same, monitor])
    saved = events(monitor.run, "checkpoint")
    assert [event["step"] for event in saved] == [2, 4, 6]
    assert len({event["file"] for event in saved}) == 1


def test_a_checkpoint_that_fails_is_none(monitor, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError("no space left")

    module = "mindspore.train.callback._checkpoint.save_checkpoint"
    broken = AtStep(3, lambda _: monkeypatch.setattr(module, full))
    callbacks = [monitor, broken, saver(tmp_path, every=2)]
    with pytest.raises(OSError, match="no space left"):
        model().train(1, dataset(6), callbacks=callbacks)
    assert [event["step"] for event in events(monitor.run, "checkpoint")] == [2]


def test_without_a_checkpoint_callback_nothing_is_watched():
    class Nothing:
        params = {"list_callback": [AtStep(1, None)]}  # noqa: RUF012 - read only

    assert Checkpoints.of(Nothing()) is None


# Evaluation


class Spread(Metric):
    """A metric of the user's own."""

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        self._seen = []

    def update(self, *inputs):
        self._seen.append(float(np.ptp(inputs[0].asnumpy())))

    def eval(self):
        return max(self._seen)


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
def test_evaluations_stand_at_the_train_step_that_they_follow(mode, monitor):
    ms.set_context(mode=mode)
    network = nn.Dense(3, 1)
    optimizer = nn.SGD(network.trainable_params(), 0.01)
    metrics = {"mae": MAE(), "Spannweite ü": Spread()}
    fitted = Model(network, nn.MSELoss(), optimizer, metrics=metrics)
    fitted.fit(5, dataset(3), dataset(2), valid_frequency=2, callbacks=[monitor])
    frame = monitor.run.to_pandas()
    for name in ("eval/mae", "eval/Spannweite ü"):
        assert frame[name].dropna().index.tolist() == [6, 12]
    assert [event["step"] for event in events(monitor.run, "eval")] == [6, 12]


# Device memory

STATS = {
    "total_reserved_memory": 1073741824,
    "total_allocated_memory": 1024,
    "max_allocated_memory": 1572864,
    "common_mem_pool_stats": {"blocks_info": {}},
}


def test_a_pool_is_told_in_mb():
    assert memory(STATS) == {
        "device_memory_mb": 1 / 1024,
        "device_memory_peak_mb": 1.5,
        "device_memory_reserved_mb": 1024,
    }


def test_a_cpu_has_no_device_memory_and_says_no_word(monitor):
    model().train(1, dataset(3), callbacks=[monitor])
    assert not [n for n in monitor.run.to_pandas() if n.startswith("device_memory")]
    assert monitor.run.notices == []


def test_device_memory_is_asked_for_once_in_seconds(monitor, monkeypatch):
    """What an Ascend answers, by MindSpore's documentation; a CPU says 0."""
    asked = []
    monkeypatch.setattr(ms.runtime, "memory_stats", lambda: asked.append(1) or STATS)
    model().train(1, dataset(20), callbacks=[monitor])
    found = monitor.run.to_pandas()["device_memory_reserved_mb"].dropna()
    assert found.index[0] == 1
    assert set(found) == {1024}
    assert len(asked) == len(found) < 20


# Units of language models


def test_tokens_follow_from_samples(tmp_path):
    monitor = TrainMonitor(
        "run", tmp_path, display=False,
        tokens_per_sample=128, flops_per_token=6e9, peak_tflops=320,
    )  # fmt: skip
    model().train(1, dataset(4), callbacks=[monitor])
    frame = monitor.run.to_pandas()[1:]
    tokens_per_s = 128 * BATCH / (frame["step_time_ms"] / 1e3)
    np.testing.assert_allclose(frame["tokens_per_s"], tokens_per_s)
    np.testing.assert_allclose(frame["tflops_per_npu"], tokens_per_s * 6e9 / 1e12)
    np.testing.assert_allclose(frame["mfu"], tokens_per_s * 6e9 / 1e12 / 320)


def test_without_costs_there_are_just_tokens():
    assert Tokens(per_sample=10).rates(2.0) == {"tokens_per_s": 20}
    assert Tokens(per_sample=10).rates(None) == {}
    assert Tokens().rates(2.0) == {}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tokens_per_sample": 0}, "tokens_per_sample must be a number above 0"),
        ({"tokens_per_sample": "128"}, "found '128'"),
        ({"tokens_per_sample": True}, "found True"),
        ({"tokens_per_sample": math.inf}, "found inf"),
        (
            {"tokens_per_sample": 9, "flops_per_token": math.nan},
            "flops_per_token must be",
        ),
        ({"flops_per_token": 6e9}, "give it as well"),
        ({"tokens_per_sample": 9, "peak_tflops": 320}, "without flops_per_token"),
    ],
)
def test_units_that_make_no_sense_are_refused_with_what_is_allowed(
    given, message, tmp_path
):
    with pytest.raises(ValueError, match=message):
        TrainMonitor("run", tmp_path, **given)


# The machine


class UntilMeasured(Callback):
    """Lets no step begin before the machine was read once more."""

    def __init__(self, monitor):
        super().__init__()
        self.monitor = monitor

    def on_train_step_begin(self, run_context):  # noqa: ARG002 - MindSpore's
        until_s = time.monotonic() + 30
        while not self.monitor.run._inbox._beside and time.monotonic() < until_s:
            time.sleep(0.001)


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
def test_the_machine_stands_beside_the_steps_and_adds_none(mode, monitor, monkeypatch):
    ms.set_context(mode=mode)
    monkeypatch.setenv("MSWIDGET_MACHINE", "0.01")
    model().train(2, dataset(3), callbacks=[monitor, UntilMeasured(monitor)])
    frame = monitor.run.to_pandas()
    assert frame.index.tolist() == [1, 2, 3, 4, 5, 6]
    for name in ("cpu_pct", "process_cpu_pct", "host_memory_mb", "process_memory_mb"):
        assert frame[name].notna().all()
    assert not [name for name in frame if name.startswith("npu")]
    assert monitor.run.notices == []
    assert "mswidget-machine" not in {thread.name for thread in threading.enumerate()}


# Loss scale


class Overflowing(nn.Cell):
    """Stands for a step with loss scale: named outputs, overflow at every third."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def construct(self, x, y):  # noqa: ARG002 - what a dataset gives
        self.count += 1
        overflow = ms.Tensor(self.count % 3 == 0)
        scale = ms.Tensor(1024.0)
        return {"loss": ms.Tensor(1.0), "overflow": overflow, "loss_scale": scale}


def test_a_skipped_update_is_marked_and_counted(monitor):
    Model(Overflowing()).train(1, dataset(6), callbacks=[monitor])
    frame = monitor.run.to_pandas()
    assert frame["overflow"].tolist() == [0, 0, 1, 0, 0, 1]
    assert frame["loss_scale"].tolist() == [1024] * 6
    assert frame["skipped_pct"][6] == pytest.approx(100 / 3)
    assert [event["step"] for event in events(monitor.run, "skipped")] == [3, 6]
