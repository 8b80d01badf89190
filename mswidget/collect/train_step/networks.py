"""What stands inside the cell that ``Model`` trains."""

from __future__ import annotations

from collections.abc import Iterator

from mindspore import nn

from mswidget.collect.train_step.train_step import MonitoredTrainStep

# Some versions make them from `nn.TrainOneStepCell`, and projects have copies.
_MINDFORMERS = {"MFTrainOneStepCell", "MFPipelineWithLossScaleCell"}
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
    return getattr(find_step(train_network), "optimizer", None)


def find_step(train_network: nn.Cell) -> nn.Cell | None:
    """Return the cell that updates the parameters; None when nobody knows."""
    for cell in cells(train_network):
        if getattr(cell, "optimizer", None) is not None:
            return cell
    return None


def returns_as_computed(train_network: nn.Cell) -> bool:
    """Say whether the train step is known to return what its network computes.

    MindSpore's steps and ours do; one of the user's may divide a loss, or add to it.
    """
    step = find_step(train_network)
    package = "" if step is None else type(step).construct.__module__
    return package.partition(".")[0] in ("mindspore", "mswidget")


def find_monitored(train_network: nn.Cell) -> MonitoredTrainStep | None:
    """Return a step of ours, which names its outputs itself."""
    steps = (c for c in cells(train_network) if isinstance(c, MonitoredTrainStep))
    return next(steps, None)


def find_layout(train_network: nn.Cell) -> str | None:
    """Return which of `naming.LAYOUTS` the name of the train step's type promises.

    Never by how many it returns: ``(loss, a, b)`` may be anything.
    """
    for cell in cells(train_network):
        names = {kind.__name__ for kind in type(cell).__mro__}
        if not names.isdisjoint(_MINDFORMERS):
            return "mindformers"
        if any(name.endswith("WithLossScaleCell") for name in names):
            return "mindformers" if _is_mindformers(cell) else "loss_scale"
    return None


def has_mindformers(train_network: nn.Cell) -> bool:
    """Say whether one of the cells around the network comes from MindFormers."""
    return any(map(_is_mindformers, cells(train_network)))


def _is_mindformers(cell: nn.Cell) -> bool:
    """Say whether a cell's type comes from MindFormers, or is made from one."""
    modules = (kind.__module__ for kind in type(cell).__mro__)
    return any(module.partition(".")[0] == "mindformers" for module in modules)


def trains_on_all(train_network: nn.Cell) -> bool:
    """Say whether this is MindSpore's step, which optimises the sum of all outputs."""
    return any(type(cell) is nn.TrainOneStepCell for cell in cells(train_network))
