"""A train step that tells of gradients, beside MindSpore's own, in graph mode."""

import os
import time

os.environ.setdefault("GLOG_v", "4")  # read at import

import mindspore as ms
import numpy as np
from mindspore import nn

from mswidget import MonitoredTrainStep
from tests.bench.ratios import compare, table

STEPS = 300
ROUNDS = 9
DEPTH = 12
VARIANTS = {
    "nn.TrainOneStepCell": nn.TrainOneStepCell,
    "nn.TrainOneStepCell(return_grad=True)": lambda network, optimizer: (
        nn.TrainOneStepCell(network, optimizer, return_grad=True)
    ),
    "MonitoredTrainStep(layers=0)": lambda network, optimizer: MonitoredTrainStep(
        network, optimizer, layers=0
    ),
    "MonitoredTrainStep": MonitoredTrainStep,
    "MonitoredTrainStep(clip_norm=1.0)": lambda network, optimizer: MonitoredTrainStep(
        network, optimizer, clip_norm=1.0
    ),
}


def main():
    ms.set_context(mode=ms.GRAPH_MODE)
    random = np.random.default_rng(7)
    x = ms.Tensor(random.normal(size=(32, 128)).astype(np.float32))
    steps = {name: _step(make) for name, make in VARIANTS.items()}
    timed = {name: lambda step=step: _step_us(step, x) for name, step in steps.items()}
    compare(timed, rounds=1)  # compiles
    medians = compare(timed, rounds=ROUNDS)
    stock_us = medians["nn.TrainOneStepCell"]
    table(
        f"A graph step (MLP of {DEPTH} layers, CPU), median of the rounds",
        [(n, f"{us:7.1f} us   x{us / stock_us:.3f}") for n, us in medians.items()],
    )


def _step(make):
    layers = [nn.Dense(128, 128, activation="relu") for _ in range(DEPTH)]
    network = nn.WithLossCell(nn.SequentialCell(layers), nn.MSELoss())
    step = make(network, nn.Adam(network.trainable_params(), learning_rate=1e-4))
    return step.set_train()


def _step_us(step, x):
    start_s = time.perf_counter()
    for _ in range(STEPS):
        outputs = step(x, x)
    (outputs[0] if isinstance(outputs, tuple) else outputs).asnumpy()
    return (time.perf_counter() - start_s) / STEPS * 1e6
