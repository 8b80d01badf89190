"""Trains the demo's model on all ranks of a job: `train_ranks.py NAME PEAK STEPS`."""

from __future__ import annotations

import os
import sys

import mindspore as ms
from mindspore.communication import init
from tiny_transformer import build

from mswidget import TrainMonitor


def main(name: str, peak: float, steps: int) -> None:
    """Train; the gradients of all ranks are averaged, and each rank logs its own."""
    init()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    rank = int(os.environ["RANK_ID"])
    model, data = build(steps, epochs=1, peak=peak, seed=rank + 1)
    model.train(1, data, callbacks=[TrainMonitor(name)], dataset_sink_mode=False)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
