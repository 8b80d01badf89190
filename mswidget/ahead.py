"""What comes next, worked on while what came is used."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")

# Polars splits a block among the processors too, though not all of its work.
_THREADS = 3


def ahead(make: Callable[[Given], Made], given: Iterable[Given]) -> Iterator[Made]:
    """Yield what is made of each in turn, while threads make the next ones."""
    left = iter(given)
    with ThreadPoolExecutor(_THREADS) as threads:
        coming = deque(threads.submit(make, one) for one in islice(left, _THREADS))
        while coming:
            made = coming.popleft().result()
            coming.extend(threads.submit(make, one) for one in islice(left, 1))
            yield made
