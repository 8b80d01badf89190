"""What the loss of this rank stands for, when a training is cut into parts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

import mindspore as ms
from mindspore import nn

from mswidget.collect.outputs.share import Share
from mswidget.collect.steps.params import Params
from mswidget.collect.train_step.networks import (
    cells,
    find_layout,
    find_step,
    returns_as_computed,
)
from mswidget.records.loss_ranks import why_no_loss

LOSS_MONITOR = "MFLossMonitor"
_ADDED_UP = "as MindSpore's cells add up the losses of micro-batches"


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

    def added_up(self) -> dict[str, int]:
        """Return how many losses are added up to one, by MindFormers' names."""
        numbers = {
            "micro_batch_interleave_num": self.interleaved,
            "gradient_accumulation_steps": self.accumulated,
            "micro_batch_num": self.micro_batches,
        }
        return {name: number for name, number in numbers.items() if number > 1}

    def divided_by(self) -> dict[str, int]:
        """Return what MindFormers' own log divides a loss by, by its name there."""
        divisors = self.added_up()
        if self.by_token:
            divisors.pop("gradient_accumulation_steps", None)
        if self.by_token or self.stages == 1:
            divisors.pop("micro_batch_num", None)
        return divisors


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
    # MindSpore says 1 unless the training is split by itself.
    told = (os.environ.get("RANK_SIZE"), params.get("device_number"))
    size = max(int(number or 1) for number in told)
    if why := why_no_loss(rank, size, split.stages, split.scheduler):
        return Share(why_no_loss=why)
    monitors = [c for c in callbacks if _is_called(c, LOSS_MONITOR)]
    if monitors or find_layout(network) == "mindformers":
        return Share(split.divided_by(), "as MindFormers' own log shows it")
    if returns_as_computed(network):
        return Share(split.added_up(), _ADDED_UP)
    return Share(doubt=_doubt(network, split.added_up()))


def _doubt(train_network: nn.Cell, added_up: Mapping[str, int]) -> str:
    if not added_up:
        return ""
    names = " and ".join(f"{name} = {number}" for name, number in added_up.items())
    step = find_step(train_network) or train_network
    return (
        f"loss may be {prod(added_up.values())} times that of a batch: {names}, "
        f"{_ADDED_UP}, and nobody can tell whether {type(step).__name__} divides it"
    )


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
        if _is_called(cell, "PipelineCell"):
            counts["micro_batches"] = int(getattr(cell, "micro_size", 1))
        elif _is_called(cell, "GradAccumulation"):
            counts["accumulated"] = int(getattr(cell, "micro_size", 1))
        elif _is_called(cell, "MicroBatchInterleaved"):
            counts["interleaved"] = int(getattr(cell, "interleave_num", 1))
        elif getattr(cell, "calculate_per_token_loss", False):
            counts["by_token"] = 1
    return counts


def _is_called(thing: object, name: str) -> bool:
    """Say whether a type is of that name, or made from one; more may follow in it.

    ``PipelineCellWithTwoOutput`` and ``GradAccumulationCell`` are such names.
    """
    return any(kind.__name__.startswith(name) for kind in type(thing).__mro__)
