"""What a trace_view.json of 1 GB costs."""

import tempfile
from pathlib import Path

from tests.bench.fresh import measure
from tests.bench.profile_files import write_trace
from tests.bench.ratios import table

SIZE = 1_000_000_000


def main():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trace_view.json"
        count = write_trace(file, SIZE)
        spent_s, peak_mb, _, read = measure(
            "from pathlib import Path\n"
            "from mswidget.profiler.files.trace import read_trace",
            f"events, notes = read_trace(Path({str(file)!r}))\n"
            "assert not notes, notes\nresult = len(events)",
        )
    said = f"{spent_s:.0f} s, peak {peak_mb:,.0f} MB (target: 400), {read:,} events"
    missing = "" if read == count else f", {count - read:,} missing"
    table(
        f"A trace_view.json of {SIZE / 1e9:.0f} GB",
        [("mswidget.profiler.files.trace.read_trace", said + missing)],
    )
