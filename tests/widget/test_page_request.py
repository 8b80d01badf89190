import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.files.stop_request import StopError
from mswidget.pictures.scene import head_of_none
from mswidget.records.history import History
from mswidget.widget.live import LiveView
from mswidget.widget.page_request import RefusedError, request_of

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)
REQUESTS = st.fixed_dictionaries(
    {"kind": st.sampled_from(["ask_rows", "ask_stop", "ask_tracks"]) | ANYTHING},
    optional=dict.fromkeys(("id", "start", "stop", "shown"), ANYTHING),
)


def refusal(content):
    with pytest.raises(RefusedError) as error:
        request_of(content)
    return str(error.value)


def test_a_request_without_numbers_says_what_is_missing():
    assert refusal({"kind": "ask_rows", "id": "1"}) == (
        "ask_rows: start must be a whole number; found None"
    )


@pytest.mark.parametrize("start", ["1", 1.5, True, 2**60])
def test_what_is_no_row_is_refused(start):
    content = {"kind": "ask_rows", "id": "1", "start": start, "stop": 3}
    assert "start must be a whole number" in refusal(content)


def test_an_unknown_request_names_the_known_ones():
    assert refusal({"kind": "dance"}) == (
        "unknown request 'dance'; known are ask_rows, ask_stop, ask_tracks"
    )


def test_a_good_request_comes_through():
    asked = {"kind": "ask_tracks", "id": "4", "shown": ["0.1"]}
    assert request_of(asked) == asked


@given(ANYTHING | REQUESTS)
def test_whatever_a_page_sends_is_answered_or_refused(content):
    view = LiveView(History(), lambda: head_of_none("", []), None)
    answers = []
    view._widget.send = lambda message, _buffers=None: answers.append(message["kind"])
    view._handle(content)
    assert answers in (["ack"], ["rows"])


def test_a_request_that_fails_leaves_the_next_one_its_answer(caplog):
    outcomes = iter([ZeroDivisionError("once"), StopError("over")])

    def stop():
        raise next(outcomes)

    view = LiveView(History(), lambda: head_of_none("", []), stop)
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
