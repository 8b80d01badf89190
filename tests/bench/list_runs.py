"""A thousand runs listed: the ends of their files are read, not all of them."""

import json
import random
import statistics
import tempfile
import time
from pathlib import Path

from mswidget import list_runs
from mswidget.records.record import Event, Record, to_line
from tests.bench.ratios import table

RUNS, STEPS, ROUNDS = 1000, 500, 3
METRICS = ("loss", "loss/ce", "loss/bbox", "lr", "grad_norm", "step_time_ms")


def main():
    with tempfile.TemporaryDirectory() as folder:
        size = _write(Path(folder))
        list_runs(folder)  # imports pandas
        spent_s = statistics.median(_time(folder) for _ in range(ROUNDS))
    title = f"{RUNS:,} runs of {STEPS} steps listed, {size / 1e6:.0f} MB in all"
    table(title, [("list_runs (target: 2 s)", f"{spent_s:.2f} s")])


def _time(folder):
    began_s = time.perf_counter()
    assert len(list_runs(folder)) == RUNS
    return time.perf_counter() - began_s


def _write(folder):
    rng = random.Random(1)  # noqa: S311 - figures, not secrets
    lines = [
        to_line(Record(s, 1.76e9 + s, 0, "a1", {n: rng.random() for n in METRICS}, 1))
        for s in range(1, STEPS + 1)
    ]
    lines.append(to_line(Event("train_end", STEPS, 1.76e9 + STEPS, 0, "a1")))
    text = "".join(lines)
    facts = json.dumps({"start": "2025-10-09T08:53:20+00:00", "rank_size": 1})
    for number in range(RUNS):
        run = folder / f"run-{number}"
        run.mkdir()
        (run / "run.json").write_text(facts, encoding="utf-8")
        (run / "rank_0.jsonl").write_text(text, encoding="utf-8")
    return RUNS * len(text)
