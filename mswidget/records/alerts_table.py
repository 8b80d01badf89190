"""Alerts of many ranks as one list, and as a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from mswidget.records.alert import Alert

if TYPE_CHECKING:
    import pandas as pd

_NEAR_STEPS = 100
_TYPES = {
    "severity": "string",
    "rule": "string",
    "metric": "string",
    "ranks": "object",
    "step": "int64",
    "last_step": "Int64",
    "epoch": "Int64",
    "wall_time": "datetime64[ns, UTC]",
    "attempt": "string",
    "message": "string",
    "advice": "string",
}


def shared(alerts: Iterable[Alert]) -> list[tuple[Alert, list[int]]]:
    """Return alerts in order of time, each once, with the ranks that had it.

    It is the same where rule, metric and attempt are, within 100 steps of the first
    rank's; it lasts until the last of its ranks is well.
    """
    held: list[tuple[Alert, list[int]]] = []
    newest: dict[tuple[str, str, str, str], int] = {}
    for alert in sorted(alerts, key=lambda alert: alert.wall_time_s):
        # Without a metric the sentence tells two apart.
        what = alert.metric or alert.message
        key = (alert.rule, what, alert.metric, alert.attempt)
        at = newest.get(key)
        if at is not None and _is_same(alert, *held[at]):
            first, ranks = held[at]
            held[at] = (_joined(first, alert), sorted([*ranks, alert.rank]))
        else:
            newest[key] = len(held)
            held.append((alert, [alert.rank]))
    return held


def alerts_table(alerts: Iterable[Alert]) -> pd.DataFrame:
    """Return alerts as a table, a row each, those of many ranks in one; see `shared`.

    ``step`` and ``last_step`` say from where to where it lasted; the last is missing
    while it goes on.
    """
    # pandas takes a second to import, and a rank's script never needs it.
    import pandas as pd  # noqa: PLC0415

    rows = [{**vars(alert), "ranks": ranks} for alert, ranks in shared(alerts)]
    times = pd.to_datetime([r.pop("wall_time_s") for r in rows], unit="s", utc=True)
    frame = pd.DataFrame(rows, columns=[*_TYPES]).assign(wall_time=times)
    typed: pd.DataFrame = frame.astype(_TYPES)
    return typed


def _is_same(alert: Alert, first: Alert, ranks: list[int]) -> bool:
    near = abs(alert.step - first.step) <= _NEAR_STEPS
    return near and alert.rank not in ranks


def _joined(first: Alert, other: Alert) -> Alert:
    ends = (first.last_step, other.last_step)
    last = None if None in ends else max(end for end in ends if end is not None)
    return replace(first, last_step=last)
