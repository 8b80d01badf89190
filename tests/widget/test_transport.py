"""What a page is sent, and when."""

import copy
from types import SimpleNamespace

import numpy as np
import pytest

from mswidget.records.record import Record
from mswidget.widget import budget
from mswidget.widget.transport import HEARTBEAT_S, SNAPSHOT_S, Transport
from tests.page import RecorderPage, decode, history_of


class Clock:
    """A clock that is set by hand."""

    def __init__(self, monkeypatch):
        self.now_s = 1000.0
        time = SimpleNamespace(monotonic=lambda: self.now_s)
        monkeypatch.setattr("mswidget.widget.transport.time", time)

    def wait(self, seconds):
        self.now_s += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    monkeypatch.setattr(budget, "ALL", budget.Budget(budget.IN_ALL_S))
    return Clock(monkeypatch)


@pytest.fixture
def head():
    return {
        "run": {"name": "run", "path": "run", "rank": 0, "attempt": "a1"},
        "status": {"phase": "training", "stop": "", "step": 0},
        "metrics": [],
        "marks": [],
        "alerts": [],
        "alert_count": 0,
        "notices": [],
        "tracks": [],
    }


@pytest.fixture
def page():
    return RecorderPage()


@pytest.fixture
def history():
    return history_of({})


@pytest.fixture
def transport(history, page, head):
    return Transport(history, page, lambda: copy.deepcopy(head))


def log(history, values, name="loss"):
    start = len(history)
    history.extend(
        Record(row, 1.7e9 + row, 0, "a1", {name: float(value)})
        for row, value in enumerate(values, start=start)
    )


def test_every_value_arrives_once_and_in_order(transport, history, page, clock):
    for tick in range(50):
        log(history, [tick, tick + 0.5])
        transport.tick()
        clock.wait(0.11)
    rows = [(block["start"], block["stop"]) for block in page.blocks]
    assert rows == [(2 * i, 2 * i + 2) for i in range(50)]
    assert list(page.points("loss").values()) == [i / 2 for i in range(100)]


def test_earlier_attempts_are_sent_once_when_they_are_known(
    transport, history, page, clock
):
    log(history, [1.0, 2.0])
    transport.tick()
    history.put_before(history_of({"loss": [7.0, 8.0, 9.0]}))
    log(history, [3.0])
    for _ in range(3):
        clock.wait(0.2)
        transport.tick()
    spans = [(block["start"], block["stop"]) for block in page.blocks]
    assert spans == [(0, 2), (-3, 0), (2, 3)]
    values = {row: row + 10.0 for row in (-3, -2, -1)} | {0: 1.0, 1: 2.0, 2: 3.0}
    assert page.points("loss") == values
    transport.snapshot()
    assert decode(*page.kept[-1][2:])["loss"] == values


def test_the_end_sends_earlier_attempts_and_the_last_rows(transport, history, page):
    history.put_before(history_of({"loss": [7.0]}))
    log(history, [1.0])
    transport.finish()
    assert page.points("loss") == {-1: 7.0, 0: 1.0}


def test_a_page_may_ask_for_earlier_rows(transport, history, page):
    history.put_before(history_of({"loss": [7.0, 8.0, 9.0]}))
    log(history, [1.0])
    ask = {"kind": "ask_rows", "id": "a", "start": -2, "stop": 1}
    transport.ask(ask, later=False)
    assert page.points("loss") == {-2: 8.0, -1: 9.0, 0: 1.0}


def test_messages_are_numbered_without_a_gap(transport, history, page, clock):
    for _ in range(30):
        log(history, [1.0])
        transport.tick()
        clock.wait(0.05)
    seqs = [message["seq"] for message in page.messages]
    assert seqs == list(range(1, len(seqs) + 1))


def test_ten_messages_a_second_at_any_rate(transport, history, page, clock):
    for step in range(1000):
        log(history, [step])
        transport.tick()
        clock.wait(1 / 1024)
    assert len(page.messages) == 10
    clock.wait(1)
    transport.tick()
    assert page.blocks[-1]["stop"] == 1000
    assert page.points("loss") == {row: float(row) for row in range(1000)}


def test_a_burst_is_reduced_and_keeps_its_spike(transport, history, page):
    values = np.ones(20_000)
    values[6_180] = 1e9
    log(history, values)
    transport.tick()
    assert page.blocks[0]["reduced"]
    assert len(page.buffers[0]) <= 100_000
    assert page.points("loss")[6_180] == 1e9


def test_a_quiet_run_still_shows_that_it_lives(transport, page, clock):
    for _ in range(50):
        transport.tick()
        clock.wait(0.1)
    assert 5 <= len(page.messages) <= 1 + 5 / HEARTBEAT_S
    assert all(block["count"] == 0 for block in page.blocks)


def test_the_head_is_sent_only_when_it_changed(transport, history, page, clock, head):
    changes = {
        3: lambda: head["marks"].append({"step": 3, "kind": "eval", "text": ""}),
        5: lambda: head["status"].update(phase="evaluating"),
        7: lambda: head.update(notices=["disk full"]),
        9: lambda: head["status"].update(step=9),
    }
    for tick in range(12):
        changes.get(tick, int)()
        log(history, [1.0])
        transport.tick()
        clock.wait(0.2)
    with_head = [i for i, message in enumerate(page.messages) if "head" in message]
    assert with_head == [0, 3, 5, 7]


def test_a_number_that_grows_in_a_notice_is_sent_now_and_then(
    transport, page, clock, head
):
    for tick in range(25):
        head["notices"] = [f"loss: no number {tick} times"]
        if tick > 20:
            head["notices"].append("disk full")
        transport.tick()
        clock.wait(0.2)
    told = [m["head"]["notices"] for m in page.messages if "head" in m]
    times = [int(notices[0].split()[3]) for notices in told]
    assert times == [0, 10, 20, 21]


def test_what_is_shown_is_told_at_once_and_progress_now_and_then(
    transport, page, clock, head
):
    track = {"id": "0.0", "shown": True, "phase": "training", "step": 0}
    head["tracks"] = [track, {"id": "1.0"}]
    for tick in range(25):
        track.update(step=tick, shown=tick != 3)
        transport.tick()
        clock.wait(0.2)
    told = [m["head"]["tracks"][0] for m in page.messages if "head" in m]
    assert [one["step"] for one in told] == [0, 3, 4, 14, 24]


def test_how_far_the_only_track_is_the_status_says(transport, page, clock, head):
    head["tracks"] = [{"id": "", "step": 0}]
    for tick in range(25):
        head["tracks"][0]["step"] = tick
        transport.tick()
        clock.wait(0.2)
    assert ["head" in m for m in page.messages].count(True) == 1


def test_a_page_made_late_starts_from_the_whole_history(
    transport, history, page, clock
):
    log(history, np.sin(np.arange(40_000)))
    transport.tick()
    clock.wait(1)
    transport.tick()
    _, seq, block, buffer = page.kept[-1]
    assert seq == page.messages[-1]["seq"]
    assert (block["start"], block["stop"]) == (0, 40_000)
    assert 100_000 < len(buffer) <= 300_000


def test_the_snapshot_is_renewed_now_and_then(transport, history, page, clock):
    for _ in range(1 + 10 * int(3 * SNAPSHOT_S)):
        log(history, [1.0])
        transport.tick()
        clock.wait(0.1)
    assert len(page.kept) == 3


def test_a_snapshot_is_not_renewed_for_nothing(transport, history, page, clock):
    log(history, [1.0])
    for _ in range(50):
        transport.tick()
        clock.wait(SNAPSHOT_S)
    assert len(page.kept) == 1


def test_at_the_end_everything_is_sent_and_kept(transport, history, page):
    for _ in range(20):
        log(history, [1.0])
        transport.tick()
    transport.finish()
    assert page.blocks[-1]["stop"] == page.kept[-1][2]["stop"] == 20
    assert page.kept[-1][1] == page.messages[-1]["seq"]


def test_a_window_is_answered_exactly_in_pieces(transport, history, page):
    values = np.random.default_rng(1).normal(size=30_000)
    log(history, values)
    start = 5
    while start < 29_000:
        ask = {"kind": "ask_rows", "id": f"r{start}", "start": start, "stop": 29_000}
        transport.ask(ask, later=False)
        assert page.messages[-1]["id"] == ask["id"]
        assert len(page.buffers[-1]) <= 100_000
        start = page.blocks[-1]["stop"]
    assert page.points("loss") == dict(enumerate(values[5:29_000].tolist(), start=5))
    assert not any(block["reduced"] for block in page.blocks)


@pytest.mark.parametrize(("start", "stop"), [(0, 0), (7, 3), (-9, 2), (50, 90)])
def test_a_window_out_of_range_is_answered_with_what_there_is(
    transport, history, page, start, stop
):
    log(history, range(10))
    transport.ask(
        {"kind": "ask_rows", "id": "x", "start": start, "stop": stop}, later=False
    )
    block = page.blocks[0]
    rows = decode(block, page.buffers[0])[""]["rows"]
    assert rows == list(range(10))[max(start, 0) : max(stop, 0)]


def test_answers_take_turns_with_new_rows_within_the_budget(transport, history, page):
    log(history, range(10))
    transport.tick()
    for ident in "ab":
        command = {"kind": "ask_rows", "id": ident, "start": 0, "stop": 10}
        transport.ask(command, later=True)
    for step in range(10, 14):
        log(history, [step])
        transport.tick()
    kinds = [message["kind"] for message in page.messages]
    assert kinds == ["delta", "rows", "delta", "rows", "delta"]
