"""The learning rate of a step, for each kind that is looked up in a table."""

import itertools
import os

os.environ.setdefault("GLOG_v", "4")  # read at import

import mindspore as ms
from mindspore import nn

from mswidget import LearningRates
from tests.bench.ratios import median_call_us, table

CALLS = 20_000
KINDS = {
    "constant": lambda: 0.1,
    "list": lambda: nn.cosine_decay_lr(0.01, 0.5, CALLS + 1, CALLS + 1, 1),
    "CosineDecayLR": lambda: nn.CosineDecayLR(0.01, 0.5, CALLS),
    "ExponentialDecayLR": lambda: nn.ExponentialDecayLR(0.5, 0.5, 2),
    "PolynomialDecayLR": lambda: nn.PolynomialDecayLR(0.5, 0.01, CALLS, 0.5),
    "WarmUpLR": lambda: nn.WarmUpLR(0.5, 400),
}


def main():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    found = {name: _us(make()) for name, make in KINDS.items()}
    table(
        "The learning rate of a step, median; target 2 us",
        [(name, f"{us:6.2f} us") for name, us in found.items()],
    )


def _us(rate):
    parameter = ms.Parameter(ms.Tensor(0, ms.float32), name="a")
    rates = LearningRates(nn.SGD([parameter], rate), watch=False)
    steps = itertools.count(1)
    return median_call_us(lambda: rates.at(next(steps)), CALLS)
