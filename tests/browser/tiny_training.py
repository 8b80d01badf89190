"""What the notebooks of these tests train: one weight, at a pace one can watch."""

from __future__ import annotations

import time

import mindspore as ms
import numpy as np
from mindspore import nn
from mindspore.dataset import GeneratorDataset
from mindspore.train import Callback, Model

BATCHES = 50


class Batches:
    """The same few numbers in each epoch; fails where it is told to."""

    def __init__(self, fail_at: int | None) -> None:
        self.fail_at = fail_at
        self.random = np.random.default_rng(1)

    def __len__(self) -> int:
        return BATCHES

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        if index == self.fail_at:
            message = "no data in <b>the folder</b>"
            raise OSError(message)
        x = self.random.normal(size=(1,)).astype(np.float32)
        return x, 3 * x


class Pace(Callback):
    """Slows the steps down; counts those that begin after a stop was asked for."""

    def __init__(self, monitor: object, pace_s: float) -> None:
        super().__init__()
        self.monitor = monitor
        self.pace_s = pace_s
        self.late_steps = 0

    def on_train_step_begin(self, _context: object) -> None:
        self.late_steps += self.monitor.run.stop_requested

    def on_train_step_end(self, _context: object) -> None:
        time.sleep(self.pace_s)


def train(
    steps: int, monitor: object, *, pace_s: float = 0.02, fail_at: int | None = None
) -> None:
    """Train for so many steps; ``fail_at`` is the batch that cannot be read."""
    ms.set_context(mode=ms.GRAPH_MODE)
    network = nn.Dense(1, 1)
    optimizer = nn.Momentum(network.trainable_params(), 0.01, 0.9)
    pace = Pace(monitor, pace_s)
    data = GeneratorDataset(Batches(fail_at), ["x", "y"], shuffle=False).batch(1)
    Model(network, nn.MSELoss(), optimizer).train(
        steps // BATCHES, data, callbacks=[monitor, pace], dataset_sink_mode=False
    )
    print(f"steps begun after the stop: {pace.late_steps}")  # noqa: T201
