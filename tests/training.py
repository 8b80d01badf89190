"""Small real MindSpore trainings."""

import json

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn, ops
from mindspore.train import Callback, Model

MODES = [ms.GRAPH_MODE, ms.PYNATIVE_MODE]
MODE_NAMES = ["graph", "pynative"]
BATCH = 4


class Regression(nn.Cell):
    """Squared and absolute error of a linear layer that starts at fixed weights."""

    def __init__(self, *, returns="loss"):
        super().__init__()
        self.dense = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")
        self.returns = returns

    def construct(self, x, y):
        error = self.dense(x) - y
        square, absolute = ops.square(error).mean(), ops.abs(error).mean()
        if self.returns == "loss":
            return square
        if self.returns == "dict":
            return {"loss": square, "mae": absolute}
        if self.returns == "aux":
            return square, {"mae": absolute}
        return square, absolute, 2 * absolute


def small_model(network=None):
    """Return a model whose train step adds up all that its network returns."""
    network = network or Regression()
    return Model(nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), 0.01)))


def samples(batches, *, nan_at=None):
    """Return batches as arrays; the one of step ``nan_at`` has a NaN."""
    random = np.random.default_rng(7)
    x = random.normal(size=(batches * BATCH, 3)).astype(np.float32)
    y = random.normal(size=(batches * BATCH, 1)).astype(np.float32)
    if nan_at is not None:
        x[(nan_at - 1) * BATCH] = np.nan
    return x, y


def dataset(batches, *, nan_at=None):
    """Return what `Model.train` takes, of so many steps an epoch."""
    arrays = samples(batches, nan_at=nan_at)
    return ds.NumpySlicesDataset(arrays, ["x", "y"], shuffle=False).batch(BATCH)


def tensors(batches):
    """Return the same batches for a hand-written loop."""
    x, y = samples(batches)
    for start in range(0, batches * BATCH, BATCH):
        stop = start + BATCH
        yield ms.Tensor(x[start:stop]), ms.Tensor(y[start:stop])


class AtStep(Callback):
    """Calls a function with the run context at the end of one step."""

    def __init__(self, step, call):
        super().__init__()
        self.step = step
        self.call = call

    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num == self.step:
            self.call(run_context)


def events(run, name):
    """Return the events of that name from the file of a run."""
    lines = (run.path / "rank_0.jsonl").read_text(encoding="utf-8").splitlines()
    return [line for line in map(json.loads, lines) if line.get("event") == name]
