"""The parameters of the network that is trained."""

from __future__ import annotations

import mindspore as ms
from mindspore import nn

from mswidget.records.parameters import Parameter


def find_parameters(
    network: nn.Cell, optimizer: nn.Cell | None
) -> dict[str, ms.Parameter]:
    """Return a network's parameters by name, without the optimizer's own."""
    trained = {*map(id, getattr(optimizer, "parameters", ()))}
    every = [] if optimizer is None else optimizer.get_parameters()
    own = {*map(id, every)} - trained
    return {
        parameter.name: parameter
        for parameter in network.get_parameters()
        if id(parameter) not in own
    }


def facts_of(parameter: ms.Parameter) -> Parameter:
    """Return what is known of a parameter."""
    return Parameter(
        parameter.name,
        tuple(parameter.shape),
        str(parameter.dtype).lower(),
        bool(parameter.requires_grad),
    )
