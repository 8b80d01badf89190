"""Quantiles of a histogram: what mswidget draws of distributions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mswidget.records.parameters import QUANTILES


@dataclass(frozen=True)
class Histogram:
    """Buckets in rising order: each one's left and right edge and its count."""

    lefts: tuple[float, ...]
    rights: tuple[float, ...]
    counts: tuple[float, ...]
    least: float
    largest: float

    def quantiles(self) -> Iterator[tuple[str, float]]:
        """Yield the name and value of each of `QUANTILES`.

        ``min`` and ``max`` are exact, the others as if the numbers of a bucket lay
        evenly in it. Nothing when it holds no number.
        """
        counts = np.array(self.counts, np.float64)
        held = np.isfinite(counts) & (counts > 0)
        if not held.any():
            return
        edges = np.array((self.lefts, self.rights), np.float64)[:, held]
        edges = np.clip(edges, self.least, self.largest)
        sums = np.cumsum(counts[held])
        shares = np.concatenate(([0.0], sums / sums[-1]))
        places = np.concatenate((edges[0][:1], edges[1]))
        for name, share in QUANTILES.items():
            yield name, self._at(share, float(np.interp(share, shares, places)))

    def _at(self, share: float, between: float) -> float:
        return {0.0: self.least, 1.0: self.largest}.get(share, between)
