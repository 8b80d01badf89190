"""Alert rules: false alarms, delays, and what they cost; on trainings not tuned on."""

import statistics
import time
from collections import Counter

import numpy as np

from mswidget.alerts.check import RankCheck, check
from mswidget.records.history import History, Rows
from mswidget.records.rank import Rank
from tests.alerts.curves import FINAL, SICK, healthy, sick
from tests.bench.ratios import table

EACH = 200
ROWS, METRICS = 1_000_000, 8
NAMES = [
    *("loss", "loss/ce", "loss/bbox", "loss/giou"),
    *("lr", "grad_norm", "step_time_ms", "data_time_ms"),
]
LIVE = 100_000


def main():
    table(f"false alarms in {len(FINAL):,} healthy trainings", _false_alarms())
    table(
        f"of {EACH} trainings made sick, values until it is told",
        [(kind, _delays(kind)) for kind in SICK],
    )
    table("what the rules cost", [_checked(), _live()])


def _false_alarms():
    alarmed = Counter()
    trainings = 0
    for training in map(healthy, FINAL):
        alerts = _alerts(training.values)
        trainings += bool(alerts)
        alarmed.update({(a.rule, training.kind) for a in alerts})
    yield "with any (target: 1 %)", f"{trainings / len(FINAL):.1%}"
    for (rule, kind), count in alarmed.most_common():
        yield f"{rule}: {kind}", str(count)


def _delays(kind):
    rule, *_ = kind.split()
    delays, early = [], 0
    for seed in FINAL[:EACH]:
        training = sick(kind, seed)
        steps = [a.step - 1 for a in _alerts(training.values) if a.rule == rule]
        early += bool(steps) and steps[0] < training.onset
        delays += [step - training.onset for step in steps if step >= training.onset][
            :1
        ]
    missed = EACH - len(delays)
    median, late = np.quantile(delays, [0.5, 0.9])
    return f"median {median:.0f}, 90 % {late:.0f}; missed {missed}, too early {early}"


def _alerts(values):
    return check({0: Rank(0, _history(values))})


def _history(values):
    count = len(next(iter(values.values())))
    at = np.arange(count)
    history = History()
    history.append(
        Rows(
            *(0, count, at + 1.0, np.full(count, np.nan), 1.7e9 + at),
            *(np.zeros(count, np.int64), ("a1",)),
            {name: (at, column) for name, column in values.items()},
        )
    )
    return history


def _noise(rows):
    random = np.random.default_rng(1)
    return {name: np.exp(0.1 * random.normal(size=rows)) for name in NAMES}


def _checked():
    rank = Rank(0, _history(_noise(ROWS)))
    spent_s = statistics.median(_seconds(check, {0: rank}) for _ in range(3))
    return f"{ROWS:,} rows x {METRICS} at once (target: 2 s)", f"{spent_s:.2f} s"


def _live():
    """Ten rows a tick, at the begin and at the end of a long run."""
    whole, history, looked_at = _history(_noise(LIVE)), History(), RankCheck(0)
    rank = Rank(0, history)
    spent = []
    for start in range(0, LIVE, 10):
        history.append(whole.rows(start, start + 10))
        spent.append(_seconds(looked_at.read, rank))
    first, last = (1e3 * statistics.median(s) for s in (spent[:1000], spent[-1000:]))
    title = f"10 rows x {METRICS} of {LIVE:,}, ms: first, last ticks"
    return title, f"{first:.2f}, {last:.2f} (x{last / first:.2f})"


def _seconds(call, *args):
    start_s = time.thread_time()
    call(*args)
    return time.thread_time() - start_s


if __name__ == "__main__":
    main()
