"""A small graph step, alone and watched."""

import contextlib
import os
import tempfile
import time
from collections import Counter
from pathlib import Path

os.environ.setdefault("GLOG_v", "4")  # read at import

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn
from mindspore.train import Callback, LossMonitor, Model
from ratios import compare, table

from mswidget import Run, TrainMonitor
from mswidget.collect.learning_rate import LearningRates
from mswidget.collect.step_values import StepValues
from mswidget.store.pending import Pending

STEPS = 1500
ROUNDS = 5
BATCH = 32
PARTS = [
    (TrainMonitor, "on_train_step_begin", "at the begin of a step"),
    (LearningRates, "at", "  the learning rate"),
    (TrainMonitor, "on_train_step_end", "at the end of a step"),
    (StepValues, "read", "  collecting losses and pace"),
    (Run, "log", "  Run.log"),
    (Pending, "read", "    reading tensors (and on the worker)"),
    (Run, "_tick", "on the worker: history, file"),
]


class ReadLoss(Callback):
    """Reads the loss in each step, and does nothing else."""

    def on_train_step_end(self, run_context):
        float(run_context.original_args()["net_outputs"].asnumpy())


def main():
    model, data = _model(), _data()
    with tempfile.TemporaryDirectory() as folder:

        def monitor():
            return TrainMonitor("bench", folder)

        callbacks = {
            "alone": list,
            "reading the loss": lambda: [ReadLoss()],
            "LossMonitor": lambda: [LossMonitor()],
            "TrainMonitor": lambda: [monitor()],
            'TrainMonitor(read="now")': lambda: [
                TrainMonitor("bench", folder, read="now")
            ],
        }
        variants = {
            name: lambda made=made: _step_us(model, data, made())
            for name, made in callbacks.items()
        }
        compare(variants, rounds=1)  # compiles
        medians = compare(variants, rounds=ROUNDS)
        parts = _parts_us(lambda: _step_us(model, data, [monitor()]))
    alone = medians["alone"]
    table(
        "A graph step (MLP, CPU), median of the rounds",
        [(n, f"{us:7.1f} us   x{us / alone:.3f}") for n, us in medians.items()],
    )
    table(
        "Of it in TrainMonitor, by a step, clocks included",
        [(name, f"{us:7.2f} us") for name, us in parts.items()],
    )


def _model():
    ms.set_context(mode=ms.GRAPH_MODE)
    network = nn.SequentialCell(
        nn.Dense(64, 128), nn.ReLU(), nn.Dense(128, 128), nn.ReLU(), nn.Dense(128, 1)
    )
    optimizer = nn.Adam(network.trainable_params(), learning_rate=1e-4)
    return Model(network, loss_fn=nn.MSELoss(), optimizer=optimizer)


def _data():
    random = np.random.default_rng(7)
    x = random.normal(size=(STEPS, BATCH, 64)).astype(np.float32)
    return ds.NumpySlicesDataset((x, x[:, :, :1]), shuffle=False)


def _step_us(model, data, callbacks):
    """Return the time of a whole training by its number of steps."""
    with Path(os.devnull).open("w") as null, contextlib.redirect_stdout(null):
        start_s = time.perf_counter()
        model.train(1, data, callbacks=callbacks)
        return (time.perf_counter() - start_s) / STEPS * 1e6


def _parts_us(train):
    spent_s = Counter()
    with contextlib.ExitStack() as patches:
        for owner, name, label in PARTS:
            whole = getattr(owner, name)
            setattr(owner, name, _timed(whole, spent_s, label))
            patches.callback(setattr, owner, name, whole)
        train()
    return {label: spent_s[label] / STEPS * 1e6 for _, _, label in PARTS}


def _timed(whole, spent_s, label):
    def timed(*args, **kwargs):
        start_s = time.perf_counter()
        try:
            return whole(*args, **kwargs)
        finally:
            spent_s[label] += time.perf_counter() - start_s

    return timed
