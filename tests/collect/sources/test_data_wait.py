"""How long real trainings wait for their data."""

import time

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
import pytest
from mindspore.train import Callback, RunContext

from mswidget.collect.sources.data_wait import DataWait
from mswidget.collect.steps.offset import Offset
from mswidget.collect.steps.progress import Progress
from tests.training import BATCH, MODE_NAMES, MODES, dataset, small_model

PROGRESS = Progress({"cur_step_num": 0}, Offset(0, "a new training"))


pytestmark = pytest.mark.usefixtures("pynative")


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
    small_model().train(2, slow_dataset(4, wait_s=0.2), callbacks=[monitor])
    frame = monitor.run.to_pandas()
    assert frame["data_time_ms"].notna().all()  # the first step of an epoch too
    assert frame["data_time_ms"].max() > 100
    timed = frame[frame["step_time_ms"].notna()]
    assert (timed["data_time_ms"] < timed["step_time_ms"]).all()


def test_a_slow_step_is_no_wait_for_data(monitor):
    class SlowStep(Callback):
        def on_train_step_begin(self, run_context):  # noqa: ARG002 - MindSpore's
            time.sleep(0.05)  # behind the monitor's begin: in the step

    small_model().train(1, dataset(4), callbacks=[monitor, SlowStep()])
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
        "train_network": small_model().train_network,
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
