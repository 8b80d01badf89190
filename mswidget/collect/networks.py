"""What stands inside the cell that ``Model`` trains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mindspore import nn

from mswidget.collect.losses import OutputNamer
from mswidget.collect.train_step import MonitoredTrainStep


def cells(network: nn.Cell | None) -> Iterator[nn.Cell]:
    """Yield a cell and those it wraps; sink mode puts one more around a train step."""
    while network is not None:
        yield network
        network = getattr(network, "network", None)


def find_optimizer(given: nn.Cell | None, train_network: nn.Cell) -> nn.Cell | None:
    """Return the optimizer that ``Model`` was given, else the train step's own."""
    if given is not None:
        return given
    found = (getattr(cell, "optimizer", None) for cell in cells(train_network))
    return next((optimizer for optimizer in found if optimizer is not None), None)


def find_namer(
    train_network: nn.Cell, parts: Sequence[str] | None
) -> MonitoredTrainStep | OutputNamer:
    """Return what names the outputs: a step of ours does so itself."""
    for cell in cells(train_network):
        if isinstance(cell, MonitoredTrainStep):
            return cell
    return OutputNamer(parts)


def trains_on_all(train_network: nn.Cell) -> bool:
    """Say whether this is MindSpore's step, which optimises the sum of all outputs."""
    return any(type(cell) is nn.TrainOneStepCell for cell in cells(train_network))
