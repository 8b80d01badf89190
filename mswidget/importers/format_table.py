"""The formats that are understood: one table."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from mswidget.files.names import rank_named
from mswidget.importers.formats.found import Format
from mswidget.importers.formats.hand_written import HAND_WRITTEN, is_own
from mswidget.importers.formats.lines import first_with_loss
from mswidget.importers.formats.llama_factory import LLAMA_FACTORY
from mswidget.importers.formats.loss_monitor import LOSS_MONITOR
from mswidget.importers.formats.megatron import MEGATRON
from mswidget.importers.formats.mindformers import MINDFORMERS
from mswidget.importers.formats.mindformers_pynative import PYNATIVE
from mswidget.importers.formats.printed_dicts import PRINTED_DICTS
from mswidget.importers.formats.scripts import SCRIPTS
from mswidget.importers.formats.summary_collector import SUMMARY_COLLECTOR
from mswidget.importers.formats.tensorboard import TENSORBOARD
from mswidget.importers.formats.trainer_state import TRAINER_STATE

FORMATS: tuple[Format, ...] = (
    MINDFORMERS,
    PYNATIVE,
    MEGATRON,
    TRAINER_STATE,
    LLAMA_FACTORY,
    LOSS_MONITOR,
    PRINTED_DICTS,
    SUMMARY_COLLECTOR,
    TENSORBOARD,
    HAND_WRITTEN,
    SCRIPTS,
)
"""Of two that fit a file, or the files of a folder, the first is taken."""

SAMPLE_BYTES = 2**16
"""So much of the begin of a file is looked at, and of its end."""

_OTHER = """\
- any other text log: load_run(path, pattern=r"(?P<step>\\d+) loss (?P<loss>\\S+)")
  finds values by named groups; steps within epochs need (?P<epoch>\\d+), too, and
  (?P<steps_per_epoch>\\d+) or load_run(..., steps_per_epoch=N)"""


def understood() -> str:
    """Return the list of what is understood, for people."""
    lines = [f"- {kind.name}: {kind.describes}" for kind in FORMATS]
    own = "- mswidget's own: a run's folder, or one `rank_<r>.jsonl` of it"
    return "\n".join([own, *lines, _OTHER])


def looks_like_loss(path: Path) -> str:
    """Return the first line of a file that seems to tell a loss; else nothing.

    Raises
    ------
    OSError
        When the file cannot be read.
    """
    return first_with_loss(_sample(path))


def format_at(path: Path, formats: Iterable[Format] = FORMATS) -> Format | None:
    """Return the first format that a file is of; None when it is of none.

    Raises
    ------
    OSError
        When the file cannot be read.
    """
    sample = _sample(path)
    return next((kind for kind in formats if kind.sniff(sample, path)), None)


def is_foreign(path: Path) -> bool:
    """Say whether a file is of another tool, or of an unknown one.

    Raises
    ------
    OSError
        When the file cannot be read.
    """
    if is_own(_sample(path)):
        return False
    return format_at(path) is not None or rank_named(path) is None


def _sample(path: Path) -> bytes:
    with path.open("rb") as file:
        head = file.read(SAMPLE_BYTES)
        size = file.seek(0, os.SEEK_END)
        if size <= SAMPLE_BYTES:
            return head
        file.seek(max(SAMPLE_BYTES, size - SAMPLE_BYTES))
        # What stands for a line here may be half of one: no harm, it says less.
        return head + b"\n" + file.read(SAMPLE_BYTES)
