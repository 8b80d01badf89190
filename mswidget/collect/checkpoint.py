"""A checkpoint of the network that is trained, as MindSpore reads it back."""

from __future__ import annotations

from pathlib import Path

from mindspore import nn, save_checkpoint


def save_network(network: nn.Cell, file: Path) -> None:
    """Write the parameters of a train step: the network's and the optimizer's.

    Parameters that are split over ranks stay so: to put them together all ranks would
    have to take part, and nobody asks the others.
    """
    save_checkpoint(network, str(file), integrated_save=False)
