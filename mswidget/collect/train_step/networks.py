"""What stands inside the cell that ``Model`` trains."""

from __future__ import annotations

from collections.abc import Iterator

from mindspore import nn

from mswidget.collect.train_step.train_step import MonitoredTrainStep

# `_backbone` is how `WithLossCell` and the dataset of parallel training wrap one.
_INNER = ("network", "_backbone")


def cells(network: nn.Cell | None) -> Iterator[nn.Cell]:
    """Yield a cell and those it wraps; sink mode puts one more around a train step."""
    while isinstance(network, nn.Cell):
        yield network
        inner = (getattr(network, name, None) for name in _INNER)
        network = next((cell for cell in inner if cell is not None), None)


def find_optimizer(given: nn.Cell | None, train_network: nn.Cell) -> nn.Cell | None:
    """Return the optimizer that ``Model`` was given, else the train step's own."""
    if given is not None:
        return given
    optimizers = (getattr(cell, "optimizer", None) for cell in cells(train_network))
    return next((optimizer for optimizer in optimizers if optimizer is not None), None)


def find_monitored(train_network: nn.Cell) -> MonitoredTrainStep | None:
    """Return a step of ours, which names its outputs itself."""
    steps = (c for c in cells(train_network) if isinstance(c, MonitoredTrainStep))
    return next(steps, None)


def find_layout(train_network: nn.Cell) -> str | None:
    """Return which of `naming.LAYOUTS` the train step's type promises.

    Never by what it returns: ``(loss, a, b)`` may be anything.
    """
    for cell in cells(train_network):
        if isinstance(cell, nn.TrainOneStepWithLossScaleCell):
            return "mindformers" if is_mindformers(cell) else "loss_scale"
    return None


def is_mindformers(cell: nn.Cell) -> bool:
    """Say whether a cell's type comes from MindFormers, or is made from one."""
    modules = (kind.__module__ for kind in type(cell).__mro__)
    return any(module.partition(".")[0] == "mindformers" for module in modules)


def trains_on_all(train_network: nn.Cell) -> bool:
    """Say whether this is MindSpore's step, which optimises the sum of all outputs."""
    return any(type(cell) is nn.TrainOneStepCell for cell in cells(train_network))
