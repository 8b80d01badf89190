"""What the kernel answers to a page's buttons."""

import pytest

from mswidget.files.stop_request import StopError
from mswidget.pictures.scene import head_of_none
from mswidget.widget.live import LiveView, next_picture_s


@pytest.fixture
def answers(monkeypatch):
    """Return a function that presses Stop, and what the page is told."""

    def press(**obey):
        view = LiveView(dict, lambda: head_of_none("", []), obey)
        told = []

        def send(message, _buffers=None):
            told.append(message)

        monkeypatch.setattr(view._widget, "send", send)
        view._handle({"kind": "ask_stop", "id": "7"})
        return [message for message in told if message["kind"] == "ack"]

    return press


def test_a_stop_that_is_taken_is_acknowledged(answers):
    (ack,) = answers(ask_stop=lambda _: "after step 9")
    assert ack == {"kind": "ack", "id": "7", "ok": True, "text": "after step 9"}


def test_a_stop_that_cannot_be_says_why(answers):
    def refuse(_):
        raise StopError("this run has ended")

    (ack,) = answers(ask_stop=refuse)
    assert (ack["ok"], ack["text"]) == (False, "this run has ended")


def test_where_nothing_can_be_stopped_a_stop_is_refused(answers):
    (ack,) = answers()
    assert (ack["ok"], ack["text"]) == (
        False,
        "there is nothing here that could do that",
    )


@pytest.mark.parametrize(
    ("now_s", "next_s"),
    [(100, 102), (102, 105), (104.9, 105), (105.1, 110), (110, 120), (123, 143)],
)
def test_a_picture_is_renewed_soon_at_first_and_then_every_20_s(now_s, next_s):
    assert next_picture_s(100, now_s) == next_s
