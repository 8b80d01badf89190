"""What the loss of this rank stands for, when a training is cut into parts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import mindspore as ms
from mindspore import nn

from mswidget.collect.outputs.share import Share
from mswidget.collect.steps.params import Params
from mswidget.collect.train_step.networks import cells, find_layout
from mswidget.records.loss_ranks import why_no_loss

LOSS_MONITOR = "MFLossMonitor"


@dataclass(frozen=True)
class Split:
    """How often a train step adds up losses that belong to one batch.

    Parameters
    ----------
    stages
        Of the pipeline; 1 without one.
    scheduler
        Of the pipeline.
    micro_batches
        Of the pipeline.
    interleaved
        Batches whose computing and communication overlap.
    accumulated
        Batches whose gradients are added up for one update.
    by_token
        The loss is divided by its tokens already.
    """

    stages: int = 1
    scheduler: str = ""
    micro_batches: int = 1
    interleaved: int = 1
    accumulated: int = 1
    by_token: bool = False

    def divisors(self) -> dict[str, int]:
        """Return what MindFormers' own log divides a loss by, by its name there."""
        divisors = {"micro_batch_interleave_num": self.interleaved}
        if not self.by_token:
            divisors["gradient_accumulation_steps"] = self.accumulated
            if self.stages > 1:
                divisors["micro_batch_num"] = self.micro_batches
        return {name: number for name, number in divisors.items() if number > 1}


def find_share(params: Params, rank: int) -> Share:
    """Find what the loss of this rank stands for.

    Parameters
    ----------
    params
        At the begin of the first epoch.
    rank
        This process's.
    """
    network, callbacks = params["train_network"], params.get("list_callback") or ()
    split = find_split(network, callbacks)
    monitors = [c for c in callbacks if _is_called(c, LOSS_MONITOR)]
    divides = monitors or find_layout(network) == "mindformers"
    # MindSpore says 1 unless the training is split by itself.
    told = (os.environ.get("RANK_SIZE"), params.get("device_number"))
    size = max(int(number or 1) for number in told)
    why = why_no_loss(rank, size, split.stages, split.scheduler)
    return Share(split.divisors() if divides else {}, why)


def find_split(train_network: nn.Cell, callbacks: Iterable[object]) -> Split:
    """Find how a training is cut into parts.

    MindFormers' own monitor knows; without one, the cells that add losses up do.
    """
    stages, scheduler = _pipeline(train_network)
    monitors = (c for c in callbacks if _is_called(c, LOSS_MONITOR))
    monitor = next(monitors, None)
    counts = _counts(train_network) if monitor is None else _told_by(monitor)
    return Split(
        stages,
        scheduler,
        micro_batches=counts.get("micro_batches", 1),
        interleaved=counts.get("interleaved", 1),
        accumulated=counts.get("accumulated", 1),
        by_token=bool(counts.get("by_token")),
    )


def _pipeline(train_network: nn.Cell) -> tuple[int, str]:
    for cell in cells(train_network):
        if _is_called(cell, "AutoParallel"):
            return int(cell._pipeline_stages), str(cell._pipeline_scheduler)  # noqa: SLF001 - no other way
    stages = ms.get_auto_parallel_context("pipeline_stages")
    return int(stages), str(ms.get_auto_parallel_context("pipeline_scheduler"))


def _told_by(monitor: object) -> Mapping[str, int]:
    attributes = {
        "micro_batches": "mirco_size",  # sic
        "interleaved": "micro_batch_interleave_num",
        "accumulated": "gradient_accumulation_steps",
        "by_token": "calculate_per_token_loss",
    }
    told = {name: getattr(monitor, held, None) for name, held in attributes.items()}
    return {name: int(number) for name, number in told.items() if number}


def _counts(train_network: nn.Cell) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for _, cell in train_network.cells_and_names():
        name = type(cell).__name__
        if name.startswith("PipelineCell"):
            counts["micro_batches"] = int(cell.micro_size)
        elif name.startswith("GradAccumulationCell"):
            counts["accumulated"] = int(cell.micro_size)
        elif name == "MicroBatchInterleaved":
            counts["interleaved"] = int(cell.interleave_num)
        elif getattr(cell, "calculate_per_token_loss", False):
            counts["by_token"] = 1
    return counts


def _is_called(thing: object, name: str) -> bool:
    return any(kind.__name__ == name for kind in type(thing).__mro__)
