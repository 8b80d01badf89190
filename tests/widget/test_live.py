"""What the kernel answers to a page's buttons."""

import pytest

from mswidget.files.stop_request import StopError
from mswidget.pictures.scene import head_of_none
from mswidget.records.history import History
from mswidget.widget.live import LiveView


@pytest.fixture
def answers(monkeypatch):
    """Return a function that presses Stop, and what the page is told."""

    def press(on_stop):
        view = LiveView(dict, lambda: head_of_none("", []), History, on_stop)
        told = []
        monkeypatch.setattr(view._widget, "send", told.append)
        view._handle({"kind": "ask_stop", "id": "7"})
        return told

    return press


def test_a_stop_that_is_taken_is_acknowledged(answers):
    (ack,) = answers(lambda: "after step 9")
    assert ack == {"kind": "ack", "id": "7", "ok": True, "text": "after step 9"}


def test_a_stop_that_cannot_be_says_why(answers):
    def refuse():
        raise StopError("this run has ended")

    (ack,) = answers(refuse)
    assert (ack["ok"], ack["text"]) == (False, "this run has ended")


def test_where_nothing_can_be_stopped_a_stop_is_refused(answers):
    (ack,) = answers(None)
    assert not ack["ok"]
