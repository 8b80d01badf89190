"""Which cell of a notebook something is in."""

from __future__ import annotations

from typing import NamedTuple


class Cell(NamedTuple):
    """A cell, when it ran.

    Parameters
    ----------
    ident
        What the front end calls it, however often it runs; empty when it says nothing.
    execution
        How many cells the kernel had run by then.
    """

    ident: str
    execution: int


NOWHERE = Cell("", -1)
