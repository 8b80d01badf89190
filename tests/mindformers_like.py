"""Imitates what MindFormers 2.1 has: it cannot be installed beside MindSpore 2.10.

Names, shapes, divisors and the order of reading and clearing are those read in its
source; nothing here is its code.
"""

import sys
from types import ModuleType

import mindspore as ms
import numpy as np
from mindspore import nn, ops
from mindspore.train import Callback

WRAPPER = "mindformers.wrapper.wrapper"


class TrainStep(nn.TrainOneStepWithLossScaleCell):
    """Returns as many values as ``MFTrainOneStepCell`` of that version does.

    The loss is 8, 16, 24...; separate losses are added to ``register``.
    """

    def __init__(self, count, register=None):
        network = nn.WithLossCell(nn.Dense(3, 1), nn.MSELoss())
        optimizer = nn.SGD(network.trainable_params(), 0.1)
        super().__init__(network, optimizer, ms.Tensor(1024, ms.float32))
        self.values = count
        self.steps = 0
        self.register = register

    def construct(self, x, y):  # noqa: ARG002 - what a dataset gives
        self.steps += 1
        if self.register is not None:
            self.register.add("lm_loss", 4.0 * self.steps)
            self.register.add("aux_loss", 2.0)
        loss = ms.Tensor([8.0 * self.steps], ms.float32)
        outputs = (
            loss, loss < 0, self.scale_sense.value(),
            ms.Tensor(0.5, ms.float32), None,
            ms.Tensor(np.ones(3), ms.float32), ms.Tensor(np.ones(3), ms.int32),
        )  # fmt: skip
        return outputs[: self.values]


TrainStep.__module__ = WRAPPER


class Register:
    """Named parameters that a step adds to and a monitor reads and clears."""

    def __init__(self):
        names = ("lm_loss", "aux_loss", "mtp_loss", "indexer_loss")
        self._params = {n: ms.Parameter(ms.Tensor([0.0]), name=n) for n in names}

    def add(self, name, value):
        ops.assign_add(self._params[name], ms.Tensor([value]))

    def get(self, name):
        return self._params[name]

    def keys(self):
        return self._params.keys()

    def clear(self, name):
        ops.assign(self._params[name], ms.Tensor([0.0]))


class MFLossMonitor(Callback):
    """Reads and clears the register at each step's end; keeps what it would print."""

    def __init__(self, register=None, **settings):
        super().__init__()
        self.register = register
        self.printed = []
        self.mirco_size = settings.get("micro_batch_num", 1)
        self.micro_batch_interleave_num = settings.get("interleave", 1)
        self.gradient_accumulation_steps = settings.get("accumulation", 1)
        self.calculate_per_token_loss = settings.get("per_token", False)

    def on_train_step_end(self, run_context):
        loss = np.mean(run_context.original_args().net_outputs[0].asnumpy())
        loss = loss / self.micro_batch_interleave_num
        if not self.calculate_per_token_loss:
            loss = loss / self.gradient_accumulation_steps
            if ms.get_auto_parallel_context("pipeline_stages") > 1:
                loss = loss / self.mirco_size
        self.printed.append({"loss": loss})
        for name in self.register.keys() if self.register else ():
            self.printed[-1][name] = self.register.get(name).asnumpy()[0]
            self.register.clear(name)


def install(monkeypatch, register):
    """Let the register be found where MindFormers has it."""
    module = ModuleType("mindformers.utils.parameter_register")
    module.parameter_register = register
    monkeypatch.setitem(sys.modules, module.__name__, module)
