"""What is known of a network's parameters, as plain facts and as a table."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mswidget.records.history import History

if TYPE_CHECKING:
    import pandas as pd

QUANTILES = {
    "min": 0.0,
    "p1": 0.01,
    "p5": 0.05,
    "p25": 0.25,
    "p50": 0.5,
    "p75": 0.75,
    "p95": 0.95,
    "p99": 0.99,
    "max": 1.0,
}
"""Names of the quantiles to their shares."""

_FACTS = (
    *("name", "layer", "shape", "dtype", "trainable", "size"),
    *("watched", "unwatched"),
)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a network.

    ``unwatched`` says why no statistics of it are taken; empty when they are.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    trainable: bool
    unwatched: str = ""

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return math.prod(self.shape)

    @property
    def layer(self) -> str:
        """The layer that it is of."""
        return layer_of(self.name)

    @property
    def watched(self) -> bool:
        """Whether statistics are taken."""
        return not self.unwatched


def layer_of(name: str) -> str:
    """Return a parameter's name without its last component, if it has several."""
    return name.rpartition(".")[0] or name


def metric_name(kind: str, statistic: str, parameter: str) -> str:
    """Return the metric of a statistic of a parameter's ``weight`` or ``grad``."""
    if statistic in QUANTILES:
        return f"{kind}_q/{parameter}/{statistic}"
    return f"{kind}_{statistic}/{parameter}"


def parameters_table(parameters: Iterable[Parameter], history: History) -> pd.DataFrame:
    """Return the parameters as a table, with their latest statistics.

    Returns
    -------
    DataFrame
        Index ``name``; ``layer``, ``shape``, ``dtype``, ``trainable``, ``size``,
        ``watched`` and, if not, ``unwatched``: why. Then what was last logged, NaN
        before: ``update_ratio``, ``weight_mean``, ``weight_std``, ``weight_absmax``,
        ``weight_zeros`` (a share), quantiles ``weight_min``, ``weight_p1``, ...,
        ``weight_max``, and the same of its gradient with ``grad_``.
    """
    # pandas takes a second to import, and a rank's script never needs it.
    import pandas as pd  # noqa: PLC0415

    rows = [_facts(fact) | _latest(fact.name, history) for fact in parameters]
    table: pd.DataFrame = pd.DataFrame(rows, columns=[*_FACTS, *_METRICS])
    table.index = pd.Index(table.pop("name"))
    return table


_METRICS = {
    "update_ratio": "update_ratio/{}",
    **{
        f"{kind}_{statistic}": metric_name(kind, statistic, "{}")
        for kind in ("weight", "grad")
        for statistic in ("mean", "std", "absmax", "zeros", *QUANTILES)
    },
}


def _facts(parameter: Parameter) -> dict[str, object]:
    return {fact: getattr(parameter, fact) for fact in _FACTS}


def _latest(name: str, history: History) -> dict[str, object]:
    latest = {c: history.last(m.replace("{}", name)) for c, m in _METRICS.items()}
    return {c: math.nan if value is None else value for c, value in latest.items()}
