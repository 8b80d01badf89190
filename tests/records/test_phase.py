"""A file says what its rank does, or how it ended."""

import pytest

from mswidget.records.history import History
from mswidget.records.phase import phase_of
from mswidget.records.record import Event, Record


def event(name, **fields):
    return Event(name, 1, 1.0, 0, "a1", fields=fields)


BEGIN, END = event("train_begin"), event("train_end", detail="")


@pytest.mark.parametrize(
    ("events", "phase", "detail"),
    [
        ([], "training", ""),
        ([BEGIN, event("epoch_end")], "training", ""),
        ([BEGIN, END, event("eval")], "finished", ""),
        ([BEGIN, END, BEGIN], "training", ""),
        ([BEGIN, event("failed", detail="ValueError: 坏")], "failed", "ValueError: 坏"),
        ([BEGIN, event("stopped", detail="interrupted")], "stopped", "interrupted"),
    ],
)
def test_the_last_begin_or_end_decides(events, phase, detail):
    history = History()
    history.extend([Record(1, 1.0, 0, "a1", {"loss": 1.0})])
    assert phase_of(history, events) == (phase, detail)


def test_before_the_first_line_a_rank_waits():
    assert phase_of(History(), []) == ("waiting", "")
    assert phase_of(History(), [BEGIN]) == ("training", "")
