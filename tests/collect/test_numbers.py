"""What real trainings tell of evaluation, the machine and the loss scale."""

import threading
import time

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn
from mindspore.train import MAE, Callback, Metric, Model

from tests.training import MODE_NAMES, MODES, dataset, events, small_model

pytestmark = pytest.mark.usefixtures("pynative")


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
    small_model().train(2, dataset(3), callbacks=[monitor, UntilMeasured(monitor)])
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
