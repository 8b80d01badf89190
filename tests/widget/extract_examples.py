"""Writes ``tests/contract/extract_*.json``: histories, and what a page sees of them."""

import json
import math
from pathlib import Path

from mswidget.records.history import History
from mswidget.records.overview import HistoryOverview
from mswidget.widget.extract import Extracted, extract
from mswidget.widget.growth import grown
from tests.widget.extracts import records_of

PLACE = Path(__file__).parents[1] / "contract"
WANT = {
    "track": "",
    "metrics": ["loss"],
    "key": "step",
    "begin": None,
    "end": None,
    "level": 2,
    "points": 1000,
    "weight": 0,
}


def rows(steps, *, attempt="a1", start_s=1000.0, odd=None, every=1):
    """Return rows of a curve that is easy to read."""
    odd = odd or {}
    return [
        {
            "step": step,
            "wall_time_s": start_s + i / 4,
            "epoch": step // 10,
            "attempt": attempt,
            "values": {"loss": odd.get(step, 100 / (step + 4) + step % 3)}
            if step % every == 0
            else {},
        }
        for i, step in enumerate(steps)
    ]


LONG = rows(range(1, 101))
ODD = {5: math.nan, 6: math.inf, 17: -math.inf, 18: math.nan, 19: math.nan, 60: 1e9}
AGAIN = [*rows(range(1, 41)), *rows(range(31, 71), attempt="a2", start_s=1100.0)]
EXAMPLES = {
    "exact": (WANT, [LONG[:20]]),
    "exact_range": ({**WANT, "begin": 30.5, "end": 40}, [LONG]),
    "nothing": ({**WANT, "metrics": ["none"]}, [LONG]),
    "buckets": ({**WANT, "points": 10}, [LONG]),
    "buckets_range": ({**WANT, "points": 10, "begin": 30, "end": 61}, [LONG]),
    "buckets_of_time": (
        {
            **WANT,
            "points": 10,
            "key": "time",
            "level": -1,
            "begin": 1003.1,
            "end": 1009,
        },
        [rows(range(1, 101), odd=ODD)],
    ),
    "buckets_of_epochs": ({**WANT, "points": 10, "key": "epoch", "level": 0}, [LONG]),
    "not_finite": ({**WANT, "points": 10}, [rows(range(1, 101), odd=ODD)]),
    "not_finite_exact": (WANT, [rows(range(1, 25), odd=ODD)]),
    "sparse": ({**WANT, "points": 3, "level": 3}, [rows(range(1, 101), every=7)]),
    "smooth": ({**WANT, "weight": 0.9}, [rows(range(1, 81), odd=ODD)]),
    "smooth_buckets": (
        {**WANT, "weight": 0.6, "points": 10, "level": 3},
        [rows(range(1, 201), odd=ODD)],
    ),
    "attempts": ({**WANT, "weight": 0.6}, [AGAIN]),
    "attempts_buckets": ({**WANT, "points": 10}, [AGAIN]),
    "attempts_in_time": ({**WANT, "points": 10, "key": "time"}, [AGAIN]),
    "goes_on_exact": (WANT, [LONG[:10], LONG[10:14], LONG[14:15]]),
    "goes_on_buckets": ({**WANT, "points": 10}, [LONG[:30], LONG[30:41], LONG[41:43]]),
    "goes_on_to_buckets": ({**WANT, "points": 10}, [LONG[:10], LONG[10:30]]),
    "goes_on_rewound": (
        {**WANT, "points": 10},
        [AGAIN[:40], AGAIN[40:60], AGAIN[60:]],
    ),
    "long": (
        {**WANT, "level": 6, "points": 100, "weight": 0.99},
        [rows(range(1, 701), odd={300: math.nan, 500: -1e12})],
    ),
}


def example(want, batches):
    """Return a history as it grows, and the extract of each state."""
    history = History()
    overview, mark, told = HistoryOverview(history), None, []
    for batch in batches:
        history.extend(records_of(batch))
        overview.refresh()
        [metric] = want["metrics"]
        found = (
            grown(overview, want, {metric: mark})[metric]
            if mark
            else extract(overview, want, metric)
        )
        assert isinstance(found, Extracted)
        mark = found.mark
        told.append(
            {
                "rows": [plain(row) for row in batch],
                "extract": found.header,
                "columns": [[named(x) for x in row] for row in found.columns.tolist()],
            }
        )
    return {"want": want, "batches": told}


def plain(row):
    """Return a row whose values JSON can hold."""
    return {**row, "values": {n: named(value) for n, value in row["values"].items()}}


def named(value):
    """Return a number, or the name of what JSON has no number for."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def file_of(name):
    """Return where an example stands."""
    return PLACE / f"extract_{name}.json"


if __name__ == "__main__":
    for name, told in EXAMPLES.items():
        text = json.dumps(example(*told), separators=(",", ":"))
        file_of(name).write_text(text + "\n")
