"""The runs of the process that tests."""

from mswidget.run.start import RUNS


def forget_runs():
    """Begin as in a new process."""
    for run in RUNS:
        RUNS.forget(run)
    RUNS.past.clear()
