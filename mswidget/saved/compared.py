"""Runs, as they are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mswidget.files.facts import read_facts
from mswidget.records.axis import Scale, scale_of
from mswidget.records.curve import Curve, curves
from mswidget.records.history import History, Rows
from mswidget.records.ranks import why_no_loss

if TYPE_CHECKING:
    from mswidget.saved.reader import SavedRun


@dataclass(frozen=True)
class Compared:
    """A run, as it is compared.

    Parameters
    ----------
    name
        What it is called beside the others.
    rows
        Of the rank that speaks for it.
    facts
        What its folder and the begin of its training say.
    rounding
        By metric: how far a value that was printed may be from the full one.
    """

    name: str
    rows: Rows
    facts: Mapping[str, object]
    rounding: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def curves(self) -> Mapping[str, Curve]:
        """Its metrics."""
        return curves(self.rows)

    @cached_property
    def scale(self) -> Scale:
        """What its steps stand for."""
        return scale_of(self.rows, self.facts)


def compared(runs: Sequence[SavedRun]) -> list[Compared]:
    """Return runs as they are compared: by the first rank whose loss means something.

    Runs of one name are told apart by the folders that they are in.
    """
    names = labels([run.path for run in runs])
    return [_compared(name, run) for name, run in zip(names, runs, strict=True)]


def _compared(name: str, run: SavedRun) -> Compared:
    ranks = sorted(run.ranks.values(), key=lambda rank: bool(why_no_loss(rank.events)))
    if not ranks:
        return Compared(name, History().rows(), read_facts(run.path))
    events = ranks[0].events
    begins = [event.fields for event in events if event.name == "train_begin"]
    facts = {**read_facts(run.path), **(begins[-1] if begins else {})}
    return Compared(name, ranks[0].history.rows(), facts, ranks[0].rounding)


def labels(paths: Sequence[Path]) -> list[str]:
    """Return the shortest ends of paths that tell them apart."""
    return [_label(paths, at) for at in range(len(paths))]


def _label(paths: Sequence[Path], at: int) -> str:
    others = [path.parts for number, path in enumerate(paths) if number != at]
    parts = paths[at].parts
    for depth in range(1, len(parts) + 1):
        if all(other[-depth:] != parts[-depth:] for other in others):
            return "/".join(parts[-depth:])
    same = sum(path == paths[at] for path in paths[: at + 1])
    return f"{paths[at].name} ({same})"
