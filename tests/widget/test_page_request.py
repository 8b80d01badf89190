import json
import math
from typing import get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.files.stop_request import StopError
from mswidget.pictures.scene import head_of_none
from mswidget.widget.live import LiveView
from mswidget.widget.page_request import RefusedError, request_of
from mswidget.widget.protocol import Up
from tests.page import Reader, history_of, want

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)
KINDS = [get_args(get_type_hints(asked)["kind"])[0] for asked in get_args(Up)]
WANTS = st.fixed_dictionaries(
    {
        "track": st.sampled_from(["", "0.0"]) | ANYTHING,
        "metrics": st.lists(st.sampled_from(["loss", "lr"])) | ANYTHING,
        "key": st.sampled_from(["step", "time", "epoch"]) | ANYTHING,
        "begin": st.none() | st.floats() | ANYTHING,
        "end": st.none() | st.integers() | ANYTHING,
        "level": st.integers(-70, 70) | ANYTHING,
        "points": st.integers(0, 3000) | ANYTHING,
        "weight": st.floats(0, 1) | ANYTHING,
    }
)
REQUESTS = st.fixed_dictionaries(
    {"kind": st.sampled_from(KINDS) | ANYTHING},
    optional={
        **dict.fromkeys(("id", "shown"), ANYTHING),
        **dict.fromkeys(("page", "after", "track"), st.text() | ANYTHING),
        "wants": st.lists(WANTS) | ANYTHING,
        "summaries": st.lists(st.text()) | ANYTHING,
        "steps": st.integers() | ANYTHING,
    },
)


def refusal(content):
    with pytest.raises(RefusedError) as error:
        request_of(content)
    return str(error.value)


def view_of(*wants, **more):
    """Return an ask of a page."""
    return {**Reader().ask(*wants), **more}


def test_a_request_without_its_page_says_what_is_missing():
    assert refusal({"kind": "ask_view", "id": "1"}) == (
        "ask_view: page must be text; found None"
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"level": 65},
        {"level": 1.5},
        {"points": 0},
        {"points": 2501},
        {"points": True},
        {"weight": 1},
        {"weight": math.nan},
        {"begin": 2, "end": 1},
        {"end": math.inf},
        {"begin": 2**61},
        {"key": "loss"},
        {"key": []},
        {"track": 3},
        {"metrics": [3]},
        {"metrics": ["loss"] * 2001},
    ],
)
def test_what_cannot_be_wanted_is_refused(wrong):
    assert "wants must be" in refusal(view_of(want(**wrong)))


@pytest.mark.parametrize("steps", [0, -1, 1.5, True, "10", None, 10**10])
def test_an_interval_that_makes_no_sense_is_refused(steps):
    said = refusal({"kind": "ask_log_interval", "steps": steps})
    assert said.startswith(
        "ask_log_interval: steps must be a whole number from 1 to 1,000,000,000"
    )
    assert repr(steps) in said


def test_too_much_at_a_time_is_refused():
    assert "wants must be" in refusal(view_of(*[want()] * 1001))
    assert "at most 1,000 names" in refusal(view_of(summaries=["loss"] * 1001))


def test_an_unknown_request_names_the_known_ones():
    assert refusal({"kind": "dance"}) == (
        "unknown request 'dance'; known are ask_view, ask_head, ask_stop, ask_save, "
        "ask_log_interval, ask_tracks"
    )


@pytest.mark.parametrize(
    "asked",
    [
        {"kind": "ask_tracks", "id": "4", "shown": ["0.1"]},
        {"kind": "ask_head", "id": "5"},
        {"kind": "ask_save", "id": "6"},
        {"kind": "ask_log_interval", "id": "7", "steps": 10},
        view_of(want(begin=-1.5, end=3, level=-2, weight=0.99), summaries=["loss"]),
    ],
)
def test_a_good_request_comes_through(asked):
    assert request_of(asked) == asked


@given(ANYTHING | REQUESTS)
def test_whatever_a_page_sends_is_answered_or_refused(content):
    history = history_of({"loss": [1.0, math.nan, 3.0]})
    view = LiveView(lambda: {"": history}, lambda: head_of_none("", []), {})
    answers = []
    view._widget.send = lambda message, _buffers=None: answers.append(message)
    view._handle(content)
    (answer,) = answers
    json.dumps(answer)
    assert "failed" not in answer.get("text", "")


def test_a_request_that_fails_leaves_the_next_one_its_answer(caplog):
    outcomes = iter([ZeroDivisionError("once"), StopError("over")])

    def stop(_):
        raise next(outcomes)

    view = LiveView(dict, lambda: head_of_none("", []), {"ask_stop": stop})
    acks = []
    view._widget.send = acks.append
    for ident in ("1", "2"):
        view._handle({"kind": "ask_stop", "id": ident})
    assert [(ack["id"], ack["ok"], ack["text"]) for ack in acks] == [
        ("1", False, "failed (ZeroDivisionError: once)"),
        ("2", False, "over"),
    ]
    assert len(caplog.records) == 1
    assert caplog.records[0].exc_info is None
