"""What a kernel_details.csv of a million rows costs, beside pandas' own reader."""

import statistics
import tempfile
from pathlib import Path

from tests.bench.fresh import measure
from tests.bench.profile_files import write_kernels
from tests.bench.ratios import table

ROWS = 1_000_000
ROUNDS = 5
READERS = {
    "mswidget.load_profile": (
        "import pandas; from mswidget.profiler.load import load_profile",
        "frame = load_profile({file!r})['kernel_details']",
        "sum(map(int, frame['start_time_ns']))",
    ),
    "pandas.read_csv": (
        "import pandas",
        "frame = pandas.read_csv({file!r})",
        "sum(round(us * 1000) for us in frame['Start Time(us)'].tolist())",
    ),
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel_details.csv"
        total_ns = write_kernels(file, ROWS)
        size_mb = file.stat().st_size / 1e6
        found = {name: [] for name in READERS}
        for _ in range(ROUNDS):
            for name, reader in READERS.items():
                found[name].append(_read(str(file), *reader))
        exact = {n: _sum_ns(str(file), *r) == total_ns for n, r in READERS.items()}
    rows = [(name, _said(runs, exact=exact[name])) for name, runs in found.items()]
    ours, theirs = (_medians(runs) for runs in found.values())
    ratios = [f"{a / b:.2f}" for a, b in zip(ours, theirs, strict=True)]
    said = "time {}, peak {}, peak above the imports {}".format(*ratios)
    table(
        f"A kernel_details.csv of {ROWS:,} rows, {size_mb:,.0f} MB",
        [*rows, ("ratio (target: 0.5)", said)],
    )


def _read(file, setup, code, _):
    return measure(setup, code.format(file=file) + "\nresult = len(frame)")[:3]


def _sum_ns(file, setup, code, total):
    return measure(setup, f"{code.format(file=file)}\nresult = {total}")[3]


def _medians(runs):
    return [statistics.median(numbers) for numbers in zip(*runs, strict=True)]


def _said(runs, *, exact):
    spent_s, peak_mb, above_mb = _medians(runs)
    return (
        f"{spent_s:.2f} s, peak {peak_mb:,.0f} MB ({above_mb:,.0f} above the imports), "
        f"times {'exact' if exact else 'not exact'}"
    )
