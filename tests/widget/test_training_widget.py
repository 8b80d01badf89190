"""What a page made late starts from comes in messages that are small enough."""

import json

import pytest

from mswidget.widget import budget
from mswidget.widget.status import metric_info
from mswidget.widget.training_widget import TrainingWidget
from mswidget.widget.transport import Transport
from tests.page import history_of

MANY = 2000


@pytest.fixture
def sent(monkeypatch):
    """The size of each message that Jupyter gets."""
    sizes = []

    def send(_widget, message, buffers=None):
        sizes.append(len(json.dumps(message)) + sum(map(len, buffers or [])))

    monkeypatch.setattr(TrainingWidget, "_send", send)
    return sizes


def head_of(names):
    return {
        "run": {"name": "run", "path": "run", "rank": 0, "attempt": "a1"},
        "status": {"phase": "training", "stop": "", "commands": [], "step": 0},
        "metrics": [metric_info(name) for name in names],
        "marks": [],
        "references": [],
        "alerts": [],
        "alert_count": 0,
        "notices": [],
        "tracks": [{"id": "", "step": 0}],
    }


def kept(names, sent):
    """Let a widget of some metrics keep what a late page starts from."""
    head = head_of(names)
    history = history_of({n: [0.1 * i] * 2000 for i, n in enumerate(names[:60])})
    widget = TrainingWidget(head, print)
    sent.clear()
    Transport(lambda: {"": history}, widget, lambda: head).finish()
    return widget


def test_curves_come_in_parts(sent):
    widget = kept([f"loss/{i}" for i in range(60)], sent)
    parts = [widget.kept_1, widget.kept_2, widget.kept_3]
    assert all(part["extracts"] for part in parts)
    told = [header["metric"] for part in parts for header in part["extracts"]]
    assert told == [f"loss/{i}" for i in range(len(told))]
    assert max(sent) <= budget.MESSAGE_BYTES


def test_of_very_many_metrics_the_first_are_known_and_the_rest_is_asked(sent):
    names = [
        "loss",
        *(f"grad_norm/layer.{i}.attention.query.weight" for i in range(MANY)),
    ]
    widget = kept(names, sent)
    assert widget.seq == -1
    listed = [info["name"] for info in widget.head["metrics"]]
    assert 300 < len(listed) < MANY
    assert listed == names[: len(listed)]
    assert max(sent) <= budget.MESSAGE_BYTES


def test_a_widget_of_very_many_metrics_is_made_of_little_but_its_code():
    names = [f"grad_norm/{i}" for i in range(MANY)]
    widget = TrainingWidget(head_of(names), print)
    assert widget.seq == -1
    assert widget.head["metrics"][0]["name"] == names[0]
    code = {"_esm", "_css"}
    state = {name: v for name, v in widget.get_state().items() if name not in code}
    assert len(json.dumps(state, default=repr)) < 12_000


def test_what_is_kept_of_a_smaller_picture_replaces_the_larger(sent):
    widget = kept([f"loss/{i}" for i in range(60)], sent)
    head = head_of(["loss"])
    history = history_of({"loss": [1.0]})
    Transport(lambda: {"": history}, widget, lambda: head).finish()
    assert [len(widget.kept_1["extracts"]), widget.kept_2["extracts"]] == [1, []]
    assert widget.seq > 0
