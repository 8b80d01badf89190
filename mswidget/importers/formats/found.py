"""What an importer finds in a file, and what an importer is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


class Number(str):
    """A number as it was printed: it also tells how exactly it is known."""

    __slots__ = ()


@dataclass(frozen=True)
class EpochStep:
    """A step within an epoch, both as they are printed.

    Parameters
    ----------
    epoch, step
        From 0 or from 1.
    length
        How many steps the line says that an epoch has; None when it does not.
    first
        What the first step of an epoch is called, where no line shows it.
    sure
        False where the step may as well be one of the whole training.
    """

    epoch: int
    step: int
    length: int | None = None
    first: int = 1
    sure: bool = True


@dataclass(frozen=True)
class Point:
    """Values of one step; an `int` counts optimizer steps through the training.

    What the file does not say is None: ``epoch`` (from 1; of an `EpochStep`, its
    own), ``wall_time_s`` (Unix time), ``rank``.
    """

    step: int | EpochStep
    values: Mapping[str, float | Number]
    epoch: int | None = None
    wall_time_s: float | None = None
    rank: int | None = None


@dataclass(frozen=True)
class Happening:
    """An event, named as `Event` names it; at the newest step when it says none."""

    name: str
    step: int | EpochStep | None = None
    fields: Mapping[str, object] = field(default_factory=dict)
    wall_time_s: float | None = None
    rank: int | None = None


@dataclass(frozen=True)
class Fact:
    """What holds for the training, by the names of a ``train_begin`` event."""

    fields: Mapping[str, object]


@dataclass(frozen=True)
class Note:
    """What a reader of the numbers has to know, in a sentence."""

    text: str


@dataclass(frozen=True)
class Unread:
    """A line that looks like one with a loss, and was not understood."""

    line: str


Found = Point | Happening | Fact | Note | Unread

ReadLine = Callable[[str], Sequence[Found] | None]
"""Returns what one line says; None for a line of somebody else."""

Reading = Callable[[bytes], tuple[int, Iterable[Found | None]]]
"""Reads a file block by block.

Is given all bytes that it has not used yet; returns how many it uses now, and what
they say. None stands for something of somebody else.
"""


@dataclass(frozen=True)
class Format:
    """A kind of file that can be read.

    Parameters
    ----------
    name
        In a few words, as in the list of what is understood.
    describes
        How a user recognises it.
    sniff
        Says from its path, and some of its begin and end, whether a file is one.
    read
        Begins to read a file.
    rewritten
        The file is written anew each time, where others only grow.
    """

    name: str
    describes: str
    sniff: Callable[[bytes, Path], bool]
    read: Callable[[], Reading]
    rewritten: bool = False
