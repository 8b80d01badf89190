"""What the page is told of a live run: it is a track like any other."""

import time

import pytest

from mswidget.records.history import History
from mswidget.records.record import Event, Record
from mswidget.records.silence import KERNEL_S, RANK_S, STEP_S, STEP_TIMES
from mswidget.widget.marks import MARKS, event_marks
from mswidget.widget.status import LiveStatus

RUN = {"name": "run", "path": "logs/run", "rank": 3, "attempt": "a2"}


@pytest.fixture
def history():
    return History()


@pytest.fixture
def live(history):
    return LiveStatus(RUN, history, time.time)


def log(history, step, **values):
    history.extend([Record(step, 100.0 + step, 3, "a2", values)])


def begin(step, **fields):
    return Event("train_begin", step, 100.0 + step, 3, "a2", fields=fields)


def test_a_live_run_is_the_only_track(live, history):
    log(history, 7, loss=0.5)
    live.logged(7, None, 107.0)
    head = live.head([])
    (track,) = head["tracks"]
    assert (track["id"], track["run"], track["label"]) == ("", "run", "run")
    assert (track["rank"], track["phase"], track["shown"]) == (3, "training", True)
    assert (track["step"], track["last_value_s"]) == (7, 107.0)
    assert track["started_s"] == head["status"]["started_s"]


def test_its_track_says_what_a_step_stands_for(live, history):
    live.mark(begin(0, batch_size=32, steps_per_epoch=50))
    log(history, 1, loss=0.5, samples_per_s=64.0, tokens_per_s=6400.0)
    (track,) = live.head([])["tracks"]
    assert track["steps_per_epoch"] == 50
    assert track["samples_per_step"] == 32
    assert track["tokens_per_step"] == 3200


def test_of_an_attempt_the_first_begin_is_marked(live):
    live.mark(begin(4, batch_size=32))
    live.mark(begin(9, batch_size=64))
    head = live.head([])
    assert head["marks"] == [
        {
            "step": 4,
            "wall_time_s": 104.0,
            "kind": "train_begin",
            "text": "attempt 2",
            "track": "",
        }
    ]
    assert head["tracks"][0]["samples_per_step"] == 64


def test_the_page_is_told_how_long_is_silent(live):
    assert live.head([])["silence"] == {
        "rank_s": RANK_S,
        "step_times": STEP_TIMES,
        "step_s": STEP_S,
        "kernel_s": KERNEL_S,
    }


def test_it_says_when_the_last_step_was_and_how_long_one_takes(live):
    assert live.head([])["status"]["last_step_s"] is None
    for step in range(1, 9):
        live.logged(step, None, 100.0 + 2 * step)
    live.logged(8, None, 150.0)  # an evaluation's values, of the same step
    live.stepped(118.0)  # a step that is not logged
    status = live.head([])["status"]
    assert (status["last_step_s"], status["usual_step_s"]) == (118.0, 2.0)


def test_another_training_begins_with_no_pace(live):
    for step in range(1, 9):
        live.logged(step, None, float(step))
    live.begin()
    status = live.head([])["status"]
    assert (status["last_step_s"], status["usual_step_s"]) == (None, None)


def test_what_holds_a_step_up_is_its_phase_and_no_part_of_the_wait(history):
    phases = ["saving"]
    live = LiveStatus(RUN, history, time.time, lambda _: phases[0] if phases else None)
    live.logged(1, None, 101.0)
    during = live.head([])["status"]
    assert (during["phase"], during["phase_since_s"]) == ("saving", 101.0)
    phases.clear()
    after = live.head([])["status"]
    assert after["phase"] == "training"
    assert after["last_step_s"] == during["sent_s"]


def test_a_phase_that_is_known_is_not_looked_for(history):
    live = LiveStatus(RUN, history, time.time, lambda _: pytest.fail("asked"))
    live.logged(1, None, 101.0)
    for phase in ("evaluating", "compiling", "finished"):
        live.change({"phase": phase})
        assert live.head([])["status"]["phase"] == phase


def test_of_each_kind_of_event_the_newest_are_marked():
    epochs = [Event("epoch_end", step, 100.0, 0, "a1") for step in range(300)]
    evaluations = [Event("eval", step, 100.0, 0, "a1") for step in (3, 7)]
    marks = event_marks([epochs[0], *evaluations, *epochs[1:]], "0.0")
    ends = [mark["step"] for mark in marks if mark["kind"] == "epoch_end"]
    assert ends == list(range(300 - MARKS, 300))
    assert [mark["step"] for mark in marks if mark["kind"] == "eval"] == [3, 7]
