"""`Run.log` of four scalars, beside the least that any logger must do."""

import itertools
import json
import tempfile
from pathlib import Path

from mswidget import start_run
from tests.bench.ratios import compare, median_call_us, table

CALLS = 5_000
ROUNDS = 9
VALUES = {"loss": 0.8312, "loss/bbox": 0.2105, "lr": 2e-05, "grad_norm": 1.25}


def main():
    with (
        tempfile.TemporaryDirectory() as folder,
        start_run("bench", log_dir=folder, display=False) as run,
        (Path(folder) / "bare.jsonl").open("w") as file,
    ):
        medians = compare(_variants(run, file), rounds=ROUNDS)
    write = medians["one JSON line written"]
    table(
        "Run.log of 4 scalars, median in the calling thread",
        [(n, f"{us:6.2f} us   x{us / write:.2f}") for n, us in medians.items()],
    )


def _variants(run, file):
    kept = []
    steps = itertools.count(1)
    calls = {
        "a list append": lambda: kept.append((next(steps), dict(VALUES))),
        "one JSON line written": lambda: file.write(
            json.dumps({"step": next(steps), **VALUES}) + "\n"
        ),
        "Run.log": lambda: run.log(dict(VALUES), step=next(steps), epoch=1),
    }
    return {
        name: lambda call=call: median_call_us(call, CALLS)
        for name, call in calls.items()
    }
