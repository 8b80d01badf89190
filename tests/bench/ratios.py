"""Times things turn by turn, so that a busy machine slows all alike."""

import statistics
import time


def compare(variants, *, rounds):
    """Return the median of each variant over interleaved rounds.

    Parameters
    ----------
    variants
        Names to functions that return a number.
    rounds
        How often each has its turn.
    """
    found = {name: [] for name in variants}
    for _ in range(rounds):
        for name, measure in variants.items():
            found[name].append(measure())
    return {name: statistics.median(numbers) for name, numbers in found.items()}


def median_call_us(call, count):
    """Return the median time of a call, without that of the clock itself."""
    times_ns, clock_ns = [], []
    now = time.perf_counter_ns
    for _ in range(count):
        start = now()
        call()
        stop = now()
        times_ns.append(stop - start)
        clock_ns.append(now() - stop)
    return (statistics.median(times_ns) - statistics.median(clock_ns)) / 1000


def table(title, rows):
    """Print a title and rows of a name and a text."""
    lines = [f"  {name:<40} {text}" for name, text in rows]
    print("", title, *lines, sep="\n", flush=True)  # noqa: T201 - it is what we are for
