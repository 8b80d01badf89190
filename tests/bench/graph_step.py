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
from mindspore.train import (
    Callback,
    CheckpointConfig,
    LossMonitor,
    Model,
    ModelCheckpoint,
)

from mswidget import Run, TrainMonitor
from mswidget.collect import step_values
from mswidget.collect.sources.source import Source
from mswidget.collect.step_values import StepValues
from mswidget.machine.host import Host
from mswidget.run.flow import Flow
from mswidget.run.pending import Pending
from tests.bench.ratios import compare, median_call_us, table

STEPS = 500
ROUNDS = 15
BATCH = 32
PARTS = [
    (TrainMonitor, "on_train_step_begin", "at the begin of a step"),
    (TrainMonitor, "on_train_step_end", "at the end of a step"),
    (StepValues, "read", "  collecting values"),
    (Run, "log", "  Run.log"),
    (Pending, "read", "    reading tensors (and on the worker)"),
    (Flow, "_tick", "on the worker: history, file"),
]


class ReadLoss(Callback):
    """Reads the loss in each step, and does nothing else."""

    def on_train_step_end(self, run_context):
        float(run_context.original_args()["net_outputs"].asnumpy())


def main():
    model, data, single = _model(), _data(STEPS), _data(1)
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
            name: lambda made=made: _train_us(model, data, made())
            for name, made in callbacks.items()
        }
        once = {
            name: lambda made=made: _train_us(model, single, made())
            for name, made in callbacks.items()
        }
        compare(variants, rounds=1)  # compiles
        around = compare(once, rounds=ROUNDS)
        whole = compare(variants, rounds=ROUNDS)
        medians = {n: (whole[n] - around[n]) / (STEPS - 1) for n in whole}
        # It saves once, at the end: the monitor looks at it in every step.
        config = CheckpointConfig(save_checkpoint_steps=10**9)
        saver = ModelCheckpoint(directory=folder, config=config)
        parts = _parts_us(lambda: _train_us(model, data, [monitor(), saver]))
        host_us = median_call_us(Host().read, 500)
    alone = medians["alone"]
    table(
        "A graph step (MLP, CPU), median of the rounds",
        [(n, f"{us:7.1f} us   x{us / alone:.3f}") for n, us in medians.items()],
    )
    table(
        "Of it in TrainMonitor, by a step, clocks included",
        [(name, f"{us:7.2f} us") for name, us in parts.items()],
    )
    table(
        "A whole training of one step: a run begins and ends",
        [(name, f"{us / 1000:7.1f} ms") for name, us in around.items()],
    )
    table(
        "In a thread of its own, every 5 s",
        [("reading memory and CPU of the host", f"{host_us:7.1f} us")],
    )


def _model():
    ms.set_context(mode=ms.GRAPH_MODE)
    network = nn.SequentialCell(
        nn.Dense(64, 128), nn.ReLU(), nn.Dense(128, 128), nn.ReLU(), nn.Dense(128, 1)
    )
    optimizer = nn.Adam(network.trainable_params(), learning_rate=1e-4)
    return Model(network, loss_fn=nn.MSELoss(), optimizer=optimizer)


def _data(steps):
    random = np.random.default_rng(7)
    x = random.normal(size=(steps, BATCH, 64)).astype(np.float32)
    return ds.NumpySlicesDataset((x, x[:, :, :1]), shuffle=False)


def _train_us(model, data, callbacks):
    with Path(os.devnull).open("w") as null, contextlib.redirect_stdout(null):
        start_s = time.perf_counter()
        model.train(1, data, callbacks=callbacks)
        return (time.perf_counter() - start_s) * 1e6


def _parts_us(train):
    spent_s = Counter()
    sources = tuple(
        (part, _timed_source(make, spent_s, f"    {part}"))
        for part, make in step_values.SOURCES
    )
    with contextlib.ExitStack() as patches:
        patches.callback(setattr, step_values, "SOURCES", step_values.SOURCES)
        step_values.SOURCES = sources
        for owner, name, label in PARTS:
            whole = getattr(owner, name)
            setattr(owner, name, _timed(whole, spent_s, label))
            patches.callback(setattr, owner, name, whole)
        train()
    labels = [label for _, _, label in PARTS]
    labels[3:3] = [f"    {part}" for part, _ in sources]
    return {label: spent_s[label] / STEPS * 1e6 for label in labels}


def _timed_source(make, spent_s, label):
    """Time all that a source does in a step."""

    def made(subject):
        source = make(subject)
        if source is None:
            return None
        kind = type(source)
        timed = {
            name: _timed(hook, spent_s, label)
            for name, empty in vars(Source).items()
            if not name.startswith("_") and (hook := getattr(kind, name)) is not empty
        }
        source.__class__ = type(kind.__name__, (kind,), timed)
        return source

    return made


def _timed(whole, spent_s, label):
    def timed(*args, **kwargs):
        start_s = time.perf_counter()
        try:
            return whole(*args, **kwargs)
        finally:
            spent_s[label] += time.perf_counter() - start_s

    return timed
