"""A run of a million records read back, beside pandas' own reader of JSON lines."""

import random
import statistics
import tempfile
from pathlib import Path

from mswidget.records.record import Record, to_line
from tests.bench.fresh import measure
from tests.bench.ratios import table

RECORDS = 1_000_000
ROUNDS = 3
METRICS = (
    *("loss", "loss/ce", "loss/bbox", "loss/giou"),
    *("lr", "grad_norm", "step_time_ms", "samples_per_s"),
)
NUMBERS_MB = RECORDS * (len(METRICS) + 3) * 8 / 1e6
READERS = {
    "mswidget.load_run": (
        "from mswidget import load_run; import mswidget.files.bulk",
        "run = load_run({folder!r}); result = len(run.ranks[0].history)",
    ),
    "pandas.read_json(lines=True)": (
        "import pandas",
        "result = len(pandas.read_json({folder!r} + '/rank_0.jsonl', lines=True))",
    ),
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder) / "rank_0.jsonl")
        found = {name: [] for name in READERS}
        for _ in range(ROUNDS):
            for name, (setup, code) in READERS.items():
                spent_s, _, above_mb, count = measure(setup, code.format(folder=folder))
                assert count == RECORDS
                found[name].append((spent_s, above_mb))
    (ours_s, ours_mb), (theirs_s, _) = (_medians(runs) for runs in found.values())
    table(
        f"{RECORDS:,} records of {len(METRICS)} metrics, 1 % with a NaN",
        [
            *(
                (name, "{:.2f} s, peak {:,.0f} MB".format(*_medians(runs)))
                for name, runs in found.items()
            ),
            ("times faster (target: 5)", f"{theirs_s / ours_s:.1f}"),
            ("peak / numbers alone (target: 3)", f"{ours_mb / NUMBERS_MB:.1f}"),
        ],
    )


def _medians(runs):
    return [statistics.median(numbers) for numbers in zip(*runs, strict=True)]


def _write(path):
    rng = random.Random(1)  # noqa: S311 - figures, not secrets
    with path.open("w") as file:
        for step in range(1, RECORDS + 1):
            values = {name: rng.random() for name in METRICS}
            if step % 100 == 0:
                values["loss"] = float("nan")
            epoch = step // 1000 + 1
            file.write(to_line(Record(step, 1.76e9 + step, 0, "a1", values, epoch)))
