"""What the pages of a widget are told, and when."""

import copy
import json
import math
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.records.history import Rows
from mswidget.records.record import Record
from mswidget.widget import budget, transport
from mswidget.widget.page_view import ROUND_S
from mswidget.widget.status import metric_info
from mswidget.widget.transport import HEARTBEAT_S, SILENCE_S, SNAPSHOT_S, Transport
from tests.page import Reader, RecorderPage, history_of, want
from tests.widget import bundle_example
from tests.widget.extracts import same, seen


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.now_s = 1000.0

    def monotonic(self):
        return self.now_s

    def wait(self, seconds):
        self.now_s += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    monkeypatch.setattr(budget, "ALL", budget.Budget(budget.IN_ALL_S))
    clock = Clock()
    monkeypatch.setattr(transport, "time", clock)
    return clock


@pytest.fixture
def head():
    return {
        "run": {"name": "run", "path": "run", "rank": 0, "attempt": "a1"},
        "status": {"phase": "training", "stop": "", "commands": [], "step": 0},
        "metrics": [metric_info("loss")],
        "marks": [],
        "references": [],
        "alerts": [],
        "alert_count": 0,
        "notices": [],
        "tracks": [{"id": "", "step": 0}],
    }


@pytest.fixture
def page():
    return RecorderPage()


@pytest.fixture
def reader(page):
    page.readers.append(Reader())
    return page.readers[0]


@pytest.fixture
def history():
    return history_of({})


@pytest.fixture
def feed(history, page, head):
    return Transport(lambda: {"": history}, page, lambda: copy.deepcopy(head))


def log(history, values, name="loss"):
    start = len(history)
    history.extend(
        Record(row, 1.7e9 + row, 0, "a1", {name: float(value)})
        for row, value in enumerate(values, start=start)
    )


def test_every_value_arrives_once_and_in_order(feed, history, reader, clock):
    feed.ask(reader.ask(want()))
    for tick in range(50):
        log(history, [tick, tick + 0.5])
        feed.tick()
        clock.wait(0.11)
    assert list(reader.points().values()) == [i / 2 for i in range(100)]
    assert reader.whole


def test_who_asks_nothing_is_told_no_values(feed, history, page, clock):
    for _ in range(50):
        log(history, [1.0])
        feed.tick()
        clock.wait(0.11)
    assert not page.messages("view")


def test_earlier_attempts_come_when_they_are_known(feed, history, page, reader, clock):
    feed.ask(reader.ask(want(key="time")))
    log(history, [1.0, 2.0])
    feed.tick()
    earlier = history_of({"loss": [7.0, 8.0, 9.0], "lr": [0.5]}, start_s=1e9)
    history.put_before(earlier)
    log(history, [3.0])
    for _ in range(3):
        clock.wait(0.2)
        feed.tick()
    assert [*reader.points().values()] == [7.0, 8.0, 9.0, 1.0, 2.0, 3.0]
    assert page.messages("news")[-1]["parts"][-1]["items"][0]["rows"] == 6
    log(history, [4.0])
    clock.wait(0.2)
    feed.tick()
    assert page.messages("view")[-1]["extracts"][0]["goes_on"]
    assert [*reader.points().values()][-2:] == [3.0, 4.0]


def test_messages_are_numbered_without_a_gap(feed, history, page, reader, clock):
    feed.ask(reader.ask(want()))
    for _ in range(30):
        log(history, [1.0])
        feed.tick()
        clock.wait(0.05)
    for kind in ("news", "view"):
        seqs = [message["seq"] for message in page.messages(kind)]
        assert seqs == list(range(1, len(seqs) + 1))
    assert not reader.gap


def test_ten_messages_a_second_at_any_rate(feed, history, page, reader, clock):
    feed.ask(reader.ask(want()))
    for step in range(1000):
        log(history, [step])
        feed.tick()
        clock.wait(1 / 1024)
    assert len(page.sent) == 10
    clock.wait(1)
    feed.tick()
    assert reader.points() == {row: float(row) for row in range(1000)}


def test_a_minute_of_fast_steps_on_twenty_monitors_stays_in_the_budget(head, clock):
    monitors, rows_a_tick, metrics, seconds = 20, 500, 32, 60
    names = ["loss", *(f"loss/{i}" for i in range(1, metrics))]
    head["metrics"] = [metric_info(name) for name in names]
    fast, times_s, pages = history_of({}), {}, []
    for number in range(monitors):
        history = fast if number == 0 else history_of({})
        page = RecorderPage()
        reader = Reader()
        page.readers.append(reader)
        feed = Transport(lambda h=history: {"": h}, page, lambda: head)
        feed.ask(reader.ask(want(*names[:12], level=8, points=400)))
        pages.append((history, page, reader, feed))
    values = np.sin(np.arange(rows_a_tick * 10 * seconds))
    for tick in range(10 * seconds):
        new = values[tick * rows_a_tick :][:rows_a_tick]
        for number, (history, page, _, feed) in enumerate(pages):
            append(history, names, new if number == 0 else new[:2])
            before = len(page.sent)
            feed.tick()
            now = [clock.now_s] * (len(page.sent) - before)
            times_s.setdefault(number, []).extend(now)
        clock.wait(0.1)
    for number, (_, page, _, _) in enumerate(pages):
        assert max(page.sizes()) <= budget.MESSAGE_BYTES
        assert most_within(times_s[number], 3) <= 3 * budget.PER_MONITOR_S
    together = sorted(time_s for of in times_s.values() for time_s in of)
    assert most_within(together, 3) <= 3 * budget.IN_ALL_S
    for history, _, reader, feed in pages:
        clock.wait(1)
        feed.finish()
        told = reader.curves["", names[0]].pieces.values()
        count = sum(p.get("counts", 1) for _, points in told for p in points)
        assert count == len(history)


def append(history, names, values):
    """Append the same values of many metrics."""
    at, start = np.arange(len(values)), len(history)
    history.append(
        Rows(
            *(0, len(values), start + at + 1.0, np.full(len(values), np.nan)),
            *(1.7e9 + start + at, np.zeros(len(values), np.int64), ("a1",)),
            dict.fromkeys(names, (at, values)),
        )
    )


def most_within(times_s, window_s):
    """Return how many of some rising times lie in the fullest window."""
    ends = np.searchsorted(times_s, np.array(times_s) + window_s - 1e-6)
    return int((ends - np.arange(len(times_s))).max(initial=0))


def test_a_burst_is_reduced_and_keeps_its_spike(feed, history, page, reader):
    values = np.ones(200_000)
    values[6_180] = 1e9
    log(history, values)
    feed.ask(reader.ask(want(level=6)))
    feed.tick()
    ((_, points),) = reader.curves["", "loss"].pieces.values()
    assert [p["buckets"] for p in points if p["highs"] == 1e9] == [6_180 // 64]
    assert max(page.sizes()) <= 100_000


def test_a_quiet_run_still_shows_that_it_lives(feed, page, clock):
    for _ in range(50):
        feed.tick()
        clock.wait(0.1)
    assert 5 <= len(page.sent) <= 1 + 5 / HEARTBEAT_S
    assert all(not message["parts"] for message in page.messages("news")[1:])


def test_what_changes_is_told_at_once(feed, history, page, clock, head, reader):
    changes = {
        3: lambda: head["marks"].append({"step": 3, "kind": "eval", "text": ""}),
        5: lambda: head["status"].update(phase="evaluating"),
        7: lambda: head.update(notices=["disk full"]),
    }
    for tick in range(9):
        changes.get(tick, int)()
        log(history, [1.0])
        before = len(page.messages("news"))
        feed.tick()
        told = len(page.messages("news")) > before
        assert told == (tick in (0, 3, 5, 7))
        clock.wait(0.11)
    assert reader.lists["marks"] == head["marks"]
    assert reader.lists["notices"] == ["disk full"]
    assert reader.status["phase"] == "evaluating"


def test_a_number_that_grows_in_a_notice_is_told_now_and_then(feed, page, clock, head):
    for tick in range(25):
        head["notices"] = [f"loss: no number {tick} times"]
        if tick > 20:
            head["notices"].append("disk full")
        feed.tick()
        clock.wait(0.2)
    told = [p for m in page.messages("news") for p in m["parts"]]
    texts = [part["items"][0] for part in told if part["name"] == "notices"]
    assert [int(text.split()[3]) for text in texts] == [0, 5, 10, 15, 20, 21]


def test_names_are_told_once(feed, history, page, clock, head, reader):
    names = [f"grad_norm/network.layers.{i}.attention.weight" for i in range(2000)]
    head["metrics"] = [metric_info(name) for name in names[:-1]]
    for _ in range(10):
        feed.tick()
        clock.wait(0.11)
    assert reader.lists["metrics"] == head["metrics"]
    told = page.messages("news")
    head["metrics"] = [metric_info(name) for name in names]
    log(history, [1.0])
    feed.tick()
    assert reader.lists["metrics"] == head["metrics"]
    fresh = page.messages("news")[len(told) :]
    (part,) = [p for news in fresh for p in news["parts"] if p["name"] == "metrics"]
    assert len(part["items"]) == 1
    assert max(page.sizes()) <= 100_000


TRACKS = st.lists(st.integers(0, 3).map(lambda i: {"id": str(i)}), max_size=6)


@given(st.lists(st.tuples(TRACKS, st.booleans()), max_size=6))
def test_lists_arrive_however_they_change(states):
    page, reader, clock = RecorderPage(), Reader(), Clock()
    page.readers.append(reader)
    head = {
        "tracks": [],
        **{name: [] for name in ("marks", "references", "alerts", "notices")},
        "metrics": [],
    }
    head |= {"run": {}, "alert_count": 0}
    head["status"] = {"phase": "", "stop": "", "commands": []}
    feed = Transport(dict, page, lambda: head)
    feed._budget = budget.Budget(10**6)
    for tracks, lost in states:
        head = {**head, "tracks": tracks}
        if lost:
            reader.lists = {"tracks": [{"id": "stale"}] * 9}
            feed.tell_again()
        feed.tick()
        clock.wait(1)
        assert reader.lists.get("tracks", []) == tracks


def test_a_large_view_comes_in_many_messages(feed, page, reader, clock, history):
    random = np.random.default_rng(3)
    names = [f"loss/{i}" for i in range(24)]
    history.extend(
        Record(row, row / 4, 0, "a1", dict(zip(names, line, strict=True)))
        for row, line in enumerate(random.normal(size=(3000, 24)).tolist())
    )
    feed.ask(reader.ask(want(*names, points=100, weight=0.9)))
    while not reader.whole:
        feed.tick()
        clock.wait(0.1)
    assert max(page.sizes()) <= 100_000
    assert min(page.sizes()[1:-1]) > 90_000
    for name in names:
        ((_, points),) = reader.curves["", name].pieces.values()
        assert [p["lasts"] for p in points] == history.values(name).tolist()


def test_what_a_page_asked_last_wins(feed, history, page, reader):
    log(history, range(10))
    feed.ask(reader.ask(want("lr")))
    feed.ask(reader.ask(want()))
    feed.tick()
    assert {view["id"] for view in page.messages("view")} == {reader.id}
    assert [*reader.curves] == [("", "loss")]


def test_what_a_page_holds_only_goes_on(feed, history, page, reader, clock):
    log(history, range(10))
    feed.ask(reader.ask(want()))
    feed.tick()
    log(history, range(10, 12))
    feed.ask(reader.ask(want(), want("lr")))
    for _ in range(2):
        clock.wait(1)
        feed.tick()
    told = [e for view in page.messages("view")[1:] for e in view["extracts"]]
    assert [(e["metric"], e["goes_on"]) for e in told] == [
        ("lr", False),
        ("loss", True),
    ]
    assert len(reader.points()) == 12


def test_a_page_that_lost_a_message_gets_all_again(feed, history, page, reader, clock):
    feed.ask(reader.ask(want()))
    for tick in range(9):
        log(history, [tick])
        page.readers = [] if tick == 4 else [reader]
        feed.tick()
        clock.wait(0.11)
    assert reader.gap
    reader.curves.clear()
    feed.ask(reader.ask(want()))
    reader.gap = False
    feed.tick()
    assert list(reader.points().values()) == list(range(9))


def test_two_pages_look_at_their_own(feed, history, page, reader, clock):
    other = Reader("q")
    page.readers.append(other)
    feed.ask(reader.ask(want()))
    log(history, range(9))
    feed.ask(other.ask(want(begin=3, end=5)))
    for tick in range(9):
        log(history, [tick])
        feed.tick()
        clock.wait(0.11)
    assert list(reader.points()) == list(range(18))
    assert list(other.points()) == [2, 3, 4, 5, 6]


def test_a_page_that_says_nothing_for_a_minute_gets_nothing_more(
    feed, history, reader, clock
):
    feed.ask(reader.ask(want()))
    for _ in range(2 * int(SILENCE_S)):  # nobody could hear it: a step may be long
        log(history, [1.0])
        feed.tick()
        clock.wait(1)
    assert len(reader.points()) == len(history)
    feed.hear()
    for _ in range(2 * int(SILENCE_S)):
        log(history, [1.0])
        feed.hear()
        feed.tick()
        clock.wait(1)
    held = len(history) - len(reader.points())
    assert 0 < held <= 2 * SILENCE_S - SILENCE_S + 5
    feed.ask(reader.ask(want()))
    feed.tick()
    assert len(reader.points()) == len(history)


def test_a_page_that_asks_from_time_to_time_is_told_on(feed, history, reader, clock):
    feed.ask(reader.ask(want()))
    for second in range(3 * int(SILENCE_S)):
        log(history, [1.0])
        feed.hear()
        if second % 30 == 29:
            feed.ask(reader.ask(want(), again=True))
        feed.tick()
        clock.wait(1)
    assert len(reader.points()) == len(history)


def test_curves_of_all_panels_go_on(feed, reader, clock, history):
    names = [f"loss/{i}" for i in range(20)]
    feed.ask(reader.ask(*(want(name) for name in names)))
    for row in range(40):
        history.extend([Record(row, row, 0, "a1", dict.fromkeys(names, row))])
        feed.tick()
        for place, name in enumerate(names):
            late_s = 0.11 * (row + 1 - len(reader.points(name)))
            assert late_s <= (0 if place == 0 else ROUND_S + 0.11)
        clock.wait(0.11)


def test_a_curve_without_newer_values_is_told_to_have_none(
    feed, history, page, reader, clock
):
    log(history, [1.0], "eval/loss")
    feed.ask(reader.ask(want(), want("eval/loss"), want("eval/loss", key="time")))
    for _ in range(20):
        log(history, [1.0])
        feed.tick()
        newest = history.step_and_time_s(-1)
        late = newest[0] - reader.ends["", "step"]
        assert late * 0.11 <= ROUND_S + 0.11
        assert reader.ends["", "time"] == newest[1] - late
        clock.wait(0.11)
    told = [e["metric"] for v in page.messages("view")[1:] for e in v["extracts"]]
    assert set(told) == {"loss"}


def test_nothing_is_said_to_be_told_that_waits(feed, reader, clock, history):
    names = [f"loss/{i}" for i in range(24)]
    for start in range(0, 60_000, 3000):
        history.extend(
            Record(row, row / 4, 0, "a1", dict.fromkeys(names, float(row)))
            for row in range(start, start + 3000)
        )
        if not start:
            feed.ask(reader.ask(want(), *(want(name) for name in names)))
        feed.tick()
        clock.wait(0.5)
        for name in names:
            curve = reader.curves.get(("", name))
            if reader.ends and curve:
                (_, points), *_ = curve.pieces.values()
                assert points[-1]["keys"] >= reader.ends["", "step"]


def test_a_history_in_place_of_another_is_sent_whole(page, head, clock, reader):
    histories = {"": history_of({"loss": [1.0, 2.0]})}
    feed = Transport(lambda: histories, page, lambda: head)
    feed.ask(reader.ask(want()))
    feed.tick()
    histories[""] = history_of({"loss": [5.0]})
    clock.wait(1)
    feed.tick()
    assert reader.points() == {1: 5.0}


def test_a_track_that_is_shown_later_comes_then(page, head, clock, reader):
    histories = {}
    feed = Transport(lambda: histories, page, lambda: head)
    feed.ask(reader.ask(want(track="0.1")))
    feed.tick()
    assert reader.whole
    histories["0.1"] = history_of({"loss": [5.0]})
    clock.wait(1)
    feed.tick()
    assert reader.points(track="0.1") == {1: 5.0}


def test_summaries_come_about_once_a_second(feed, history, page, reader, clock):
    log(history, [4.0, math.nan, 1.0, math.inf, 3.0])
    feed.ask(reader.ask(summaries=["loss", "none"]))
    for _ in range(20):
        feed.tick()
        clock.wait(0.11)
    assert len(page.messages("summaries")) == 1  # nothing is new
    told = reader.summaries["loss"]
    assert (told["newest"], told["newest_step"], told["first"]) == (3.0, 4, 4.0)
    assert (told["best"], told["best_step"], told["median"]) == (1.0, 2, 3.0)
    assert (told["nan"], told["above"], told["below"]) == (1, 1, 0)
    assert math.isnan(reader.summaries["none"]["newest"])
    assert reader.summaries["none"]["nan"] == 0
    log(history, [*np.linspace(2, 1, 1000), 0.5])
    feed.tick()
    told = reader.summaries["loss"]
    assert (told["best"], told["best_step"]) == (0.5, 1005)
    assert told["change"] == pytest.approx(-0.0871, rel=0.01)


def test_the_best_value_is_one_that_still_counts(feed, history, reader, clock):
    feed.ask(reader.ask(summaries=["loss", "eval/acc"]))
    for attempt, steps, loss in (("a1", range(200), 1.0), ("a2", range(50, 60), 3.0)):
        history.extend(
            Record(
                step, step, 0, attempt, {"loss": loss - step / 1000, "eval/acc": step}
            )
            for step in steps
        )
        clock.wait(2)
        feed.tick()
    assert reader.summaries["loss"]["best_step"] == 49
    assert reader.summaries["eval/acc"]["best"] == 59


def test_what_only_earlier_attempts_logged_is_no_newest_value(feed, history, reader):
    history.put_before(history_of({"loss": [7.0, 1.0], "lr": [0.5, 0.5]}))
    log(history, [3.0])
    feed.ask(reader.ask(summaries=["loss", "lr"]))
    feed.tick()
    assert reader.summaries["loss"]["newest"] == 3.0
    assert math.isnan(reader.summaries["lr"]["newest"])
    assert math.isnan(reader.summaries["lr"]["median"])


def test_a_page_made_late_starts_from_what_is_open_at_first(
    feed, history, page, clock, head
):
    layer = "grad_norm/layer"
    head["metrics"] = [metric_info(name) for name in (layer, "lr", "loss")]
    values = np.sin(np.arange(40_000))
    history.extend(
        Record(row, row, 0, "a1", {"lr": 0.1, layer: 1.0, "loss": value})
        for row, value in enumerate(values.tolist())
    )
    feed.tick()
    clock.wait(1)
    feed.tick()
    _, (extent,), seq, extracts = page.kept[-1]
    assert seq == page.messages("news")[-1]["seq"]
    assert (extent["rows"], extent["step"]) == (40_000, (0, 39_999))
    assert [found.header["metric"] for found in extracts] == ["loss", "lr"]
    for found in extracts:
        assert found.columns.shape[1] >= 300
        assert found.columns[1].sum() == 40_000


def test_what_a_late_page_starts_from_is_small(page, head):
    names = [f"loss/{i}" for i in range(60)]
    head["metrics"] = [metric_info(name) for name in names]
    history = history_of({name: [float(i)] * 2000 for i, name in enumerate(names)})
    Transport(lambda: {"": history}, page, lambda: head).finish()
    kept = page.kept[-1][3]
    assert 200_000 < sum(found.nbytes for found in kept) <= 300_000
    assert [found.header["metric"] for found in kept] == names[: len(kept)]


def test_the_snapshot_is_renewed_now_and_then(feed, history, page, clock):
    for _ in range(1 + 10 * int(3 * SNAPSHOT_S)):
        log(history, [1.0])
        feed.tick()
        clock.wait(0.1)
    assert len(page.kept) == 3


def test_a_snapshot_is_not_renewed_for_nothing(feed, history, page, clock):
    log(history, [1.0])
    for _ in range(50):
        feed.tick()
        clock.wait(SNAPSHOT_S)
    assert len(page.kept) == 1


def test_at_the_end_everything_is_sent_and_kept(feed, history, page, reader):
    names = [f"loss/{i}" for i in range(20)]
    feed.ask(reader.ask(*(want(name) for name in names)))
    for row in range(20):
        history.extend([Record(row, row, 0, "a1", dict.fromkeys(names, row))])
        feed.tick()
    assert feed.finish() is False
    assert all(len(reader.points(name)) == 20 for name in names)
    assert page.kept[-1][1][0]["rows"] == 20
    assert page.kept[-1][2] == page.messages("news")[-1]["seq"]


def test_an_answer_comes_at_once_where_the_kernel_is_free(feed, history, reader):
    log(history, range(5))
    feed.finish()
    feed.ask(reader.ask(want()))
    assert feed.answer() is False
    assert len(reader.points()) == 5


def test_an_answer_that_is_too_much_for_now_says_so(page, head, reader, clock):
    names = [f"loss/{i}" for i in range(80)]
    history = history_of({name: np.ones(2000).tolist() for name in names})
    feed = Transport(lambda: {"": history}, page, lambda: head)
    feed.ask(reader.ask(want(*names)))
    assert feed.answer() is True
    assert len(page.sent) == budget.PER_MONITOR_S
    while True:
        clock.wait(0.1)
        if not feed.answer():
            break
    assert reader.whole
    assert all(len(reader.points(name)) == 2000 for name in names)


def test_values_that_come_while_a_page_is_answered_are_not_lost(head):
    """The worker writes and ticks, the main thread answers."""
    history, page, reader = history_of({}), RecorderPage(), Reader()
    page.readers.append(reader)
    feed = Transport(lambda: {"": history}, page, lambda: head)
    feed._budget = budget.Budget(10**6)
    done = threading.Event()

    def work():
        for row in range(3000):
            log(history, [row])
            if row % 10 == 0:
                feed.tick()
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not done.is_set():
        feed.ask(reader.ask(want(points=2500)))
        feed.answer()
    worker.join()
    feed.finish()
    same(
        reader.curves["", "loss"].pieces,
        seen(
            [(r, 1.7e9 + r, None, "a1", {"loss": float(r)}) for r in range(3000)],
            want(),
            "loss",
            reader.curves["", "loss"].header["level"],
        ),
    )


def test_the_example_that_the_page_reads_is_true():
    """Run ``python -m tests.widget.bundle_example`` when this is to change."""
    written = json.loads(bundle_example.FILE.read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(bundle_example.example()))
