"""What statistics of weights and gradients cost, in graph mode."""

import os
import tempfile
import time

os.environ.setdefault("GLOG_v", "4")  # read at import

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn
from mindspore.train import Model

from mswidget import MonitoredTrainStep, TrainMonitor
from mswidget.collect.weights.statistics import statistics, update_ratio
from tests.bench.ratios import compare, table

STEPS = 300
ROUNDS = 5
WIDTH = 256
BATCH = 32
VARIANTS = {
    "TrainMonitor(watch=False)": {"watch": False},
    "TrainMonitor()": {},
    "TrainMonitor(watch_gradients=True)": {"watch_gradients": True},
    "TrainMonitor(watch_interval=1)": {"watch_interval": 1},
}


def main():
    model, data = _model(), _data()
    with tempfile.TemporaryDirectory() as folder:

        def train(options):
            monitor = TrainMonitor("bench", folder, display=False, **options)
            start_s = time.perf_counter()
            model.train(1, data, callbacks=[monitor])
            spent_us = (time.perf_counter() - start_s) / STEPS * 1e6
            return spent_us, monitor.run

        timed = {
            name: lambda options=options: train(options)[0]
            for name, options in VARIANTS.items()
        }
        compare(timed, rounds=1)  # compiles
        medians = compare(timed, rounds=ROUNDS)
        run = train({"watch_gradients": True})[1]
        sampled = run.to_pandas(["watch_time_ms"])["watch_time_ms"]
    off_us = medians["TrainMonitor(watch=False)"]
    rows = [(n, f"{us:7.1f} us   x{us / off_us:.3f}") for n, us in medians.items()]
    said = f"{sampled.median():7.2f} ms, of {sampled.count()} of {len(sampled)} steps"
    table(
        f"A graph step (MLP of 3 x {WIDTH}^2 weights, CPU), median of the rounds",
        [*rows, ("a sampled step, with gradients", said)],
    )
    table("Of one parameter", [_parameter(10**size) for size in (3, 5, 7)])


def _model():
    ms.set_context(mode=ms.GRAPH_MODE)
    layers = [nn.Dense(WIDTH, WIDTH, activation="relu") for _ in range(3)]
    network = nn.WithLossCell(nn.SequentialCell(layers), nn.MSELoss())
    optimizer = nn.Adam(network.trainable_params(), learning_rate=1e-4)
    return Model(MonitoredTrainStep(network, optimizer))


def _data():
    random = np.random.default_rng(7)
    x = random.normal(size=(STEPS, BATCH, WIDTH)).astype(np.float32)
    return ds.NumpySlicesDataset((x, x), shuffle=False)


def _parameter(size):
    array = np.random.default_rng(7).normal(size=size).astype(np.float32)
    start_s = time.perf_counter()
    before = array.copy()
    statistics(array)
    update_ratio(before, array)
    return f"{size:,} numbers", f"{1e3 * (time.perf_counter() - start_s):7.2f} ms"


if __name__ == "__main__":
    main()
