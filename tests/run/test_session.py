"""A run keeps what is logged, says what went wrong, and never disturbs."""

import contextlib
import logging
import math
import os
import threading
import time

import numpy as np
import pandas as pd
import pytest

from mswidget import load_run, start_run
from mswidget.run import start
from mswidget.run.ending import ending
from mswidget.run.registry import Registry


class Reading:
    """A device tensor; ``reads`` says how often it was read."""

    def __init__(self, value):
        self.value = value
        self.reads = 0

    def asnumpy(self):
        self.reads += 1
        if isinstance(self.value, Exception):
            raise self.value
        return np.asarray(self.value)


class InterruptedReading(Reading):
    """Ctrl-C is pressed while it is first read."""

    def asnumpy(self):
        if not self.reads:
            self.reads = 1
            raise KeyboardInterrupt
        return super().asnumpy()


class BrokenView:
    """A widget whose every part raises."""

    controls = True

    def show(self):
        raise RuntimeError("no display")

    def tick(self):
        raise RuntimeError("no comm")

    def poll(self):
        raise RuntimeError("no socket")

    finish = tick


@pytest.fixture(autouse=True)
def runs(monkeypatch):
    """End every run that a test leaves open."""
    monkeypatch.setattr(start, "RUNS", Registry())
    yield start.RUNS
    for run in start.RUNS:
        run.finish()


@pytest.fixture
def run(tmp_path):
    return start_run("run", log_dir=tmp_path).begin()


def saved(run):
    return load_run(run.path).ranks[run.rank]


def saved_values(run, name="loss"):
    return [r.values[name] for r in saved(run).records if name in r.values]


def wait_until(condition):
    """Wait for another thread; fail when it does nothing for long."""
    deadline_s = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline_s
        time.sleep(0.005)


def test_what_is_logged_is_in_the_table_and_in_the_file(run):
    run.log({"loss": 2, "lr": 1e-3}, step=5, epoch=1)
    run.log({"loss": math.nan, "step": 7.0}, epoch=2)
    run.log({"损失/交叉熵": -math.inf, "timestamp": np.float32(0.5)}, epoch=np.int64(2))
    live = run.to_pandas()
    run.finish()
    assert live.index.tolist() == [5, 6, 7]
    assert live["epoch"].tolist() == [1, 2, 2]
    pd.testing.assert_frame_equal(live, run.to_pandas())
    pd.testing.assert_frame_equal(live, load_run(run.path).to_pandas())


def test_looking_at_the_table_takes_nothing_from_the_file(run):
    for step in range(100):
        run.log({"loss": float(step)})
        if step % 10 == 0:
            assert len(run.to_pandas()) == step + 1
    run.finish()
    assert saved_values(run) == list(range(100))


def test_the_worker_writes_while_the_training_goes_on(run):
    run.log({"loss": 1.0})
    wait_until(lambda: saved_values(run) == [1.0])
    run.log({"loss": 2.0})
    wait_until(lambda: saved_values(run) == [1.0, 2.0])


def test_nobody_can_change_a_value_after_it_was_logged(run):
    values = {"loss": 1.0}
    for step in range(3):
        values["loss"] = float(step)
        run.log(values)
    run.finish()
    assert saved_values(run) == [0.0, 1.0, 2.0]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "None"),
        ("0.5", "text '0.5'"),
        (np.zeros(3), "numbers of shape (3,), not one"),
        (Reading([1.0, 2.0]), "numbers of shape (2,), not one"),
        (Reading(RuntimeError("device lost")), "device lost"),
        ([0.5], "list, not a number"),
    ],
)
def test_a_bad_value_is_named_and_the_next_good_one_is_kept(run, value, words):
    for step in range(10):
        run.log({"loss": value, "lr": 0.1})
        run.log({"loss": float(step), "lr": 0.1})
    run.finish()
    assert saved_values(run) == list(range(10))
    assert len(saved_values(run, "lr")) == 20
    [notice] = run.notices
    assert "loss: no number 10 times" in notice
    assert words in notice


def test_a_bad_value_is_told_once_in_a_log_too(run, caplog):
    for _ in range(10):
        run.log({"evil": Reading(RuntimeError("device lost"))})
    run.finish()
    [told] = [text for text in caplog.messages if "evil" in text]
    assert "device lost" in told


def test_texts_that_differ_are_told_once(run):
    for step in range(100):
        run.log({"loss": f"step {step}"})
    run.finish()
    [notice] = run.notices
    assert "100 times" in notice
    assert notice.endswith("first at step 1: text 'step 0'")


@pytest.mark.parametrize(
    "step", ["text", [1], math.nan, math.inf, 10**400, Reading(RuntimeError("gone"))]
)
def test_a_step_that_is_no_number_is_counted_on_and_told_once(run, step):
    run.log({"loss": 1.0}, step=7)
    run.log({"loss": 2.0}, step=step)
    run.log({"loss": 3.0}, step=step)
    run.finish()
    assert [record.step for record in saved(run).records] == [7, 8, 9]
    assert [notice[:5] for notice in run.notices] == ["step:"]


def test_steps_and_epochs_may_be_numbers_of_any_kind(run):
    run.log({"loss": 1.0}, step=np.int32(3), epoch=Reading(2))
    run.log({"loss": 1.0}, step=4.0, epoch="two")
    run.finish()
    assert [(r.step, r.epoch) for r in saved(run).records] == [(3, 2), (4, 2)]
    assert [notice[:6] for notice in run.notices] == ["epoch:"]


def test_tensors_are_read_behind_the_step_in_order(run):
    readings = [Reading(i) for i in range(200)]
    for reading in readings[:3]:
        run.log({"loss": reading})
    for reading in readings[3:]:
        run.log({"loss": reading, "lr": 0.5})
        assert reading.reads == 0
    run.finish()
    assert saved_values(run) == list(range(200))
    assert run.notices == []


def test_numbers_wait_for_the_tensors_before_them(run):
    for step in range(50):
        run.log({"loss": Reading(step) if step % 3 else float(step)})
    run.finish()
    assert saved_values(run) == list(range(50))


def test_the_last_tensors_do_not_wait_for_the_next_step(run):
    for step in range(6):
        run.log({"loss": Reading(step)})
    wait_until(lambda: saved_values(run) == list(range(6)))


def test_a_tensor_that_changes_is_read_at_once_from_then_on(run):
    reused = Reading(1.0)
    run.log({"loss": reused})
    reused.value = 9.0
    run.to_pandas()
    now = Reading(3.0)
    run.log({"loss": now})
    assert now.reads == 1
    run.finish()
    assert saved_values(run) == [1.0, 3.0]
    assert "1.0 when read at once and 9.0 a step later" in run.notices[0]


def test_a_tensor_that_changes_in_a_short_run_is_kept_as_it_was(run):
    reused = Reading(1.0)
    run.log({"loss": reused})
    reused.value = 9.0
    run.finish()
    assert saved_values(run) == [1.0]
    assert "9.0 a step later" in run.notices[0]


def test_read_now_reads_in_the_step(tmp_path):
    run = start_run("run", log_dir=tmp_path, read="now").begin()
    for step in range(10):
        reading = Reading(step)
        run.log({"loss": reading})
        assert reading.reads == 1


@pytest.mark.parametrize("read", ["now", "deferred"])
def test_an_interrupt_while_a_tensor_is_read_loses_nothing(tmp_path, read):
    run = start_run("run", log_dir=tmp_path, read=read)
    with contextlib.suppress(KeyboardInterrupt), run:
        run.log({"loss": 1.0})
        run.log({"loss": InterruptedReading(2.0)})
    assert (run.phase, saved_values(run)) == ("stopped", [1.0, 2.0])


def test_many_threads_lose_nothing(run):
    def log(name):
        for step in range(500):
            value = Reading(step) if name % 2 else float(step)
            run.log({f"loss/{name}": value}, step=step)

    threads = [threading.Thread(target=log, args=[name]) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run.finish()
    assert run.notices == []
    for name in range(4):
        assert saved_values(run, f"loss/{name}") == list(range(500))


@pytest.mark.parametrize(
    ("error", "phase", "detail"),
    [
        (None, "finished", ""),
        (ValueError("loss is 坏"), "failed", "ValueError: loss is 坏"),
        (KeyboardInterrupt(), "stopped", "interrupted"),
        (MemoryError(), "failed", "MemoryError"),
    ],
)
def test_a_run_says_how_it_ended(tmp_path, error, phase, detail):
    with contextlib.suppress(BaseException), start_run("run", log_dir=tmp_path) as run:
        run.log({"loss": 1.0})
        if error:
            raise error
    event = saved(run).events[-1]
    assert run.phase == phase
    assert event.name == {"finished": "train_end"}.get(phase, phase)
    assert event.fields["detail"].startswith(detail)
    assert saved_values(run) == [1.0]


def test_an_error_is_not_kept_from_the_user(tmp_path):
    with pytest.raises(ZeroDivisionError), start_run("run", log_dir=tmp_path) as run:
        run.log({"loss": 1 / 0})


def test_a_requested_stop_ends_as_stopped(tmp_path):
    with start_run("run", log_dir=tmp_path) as run:
        while not run.stop_requested:
            run.log({"loss": 1.0})
            if run.step == 5:
                assert "step 5" in run.request_stop()
    assert (run.phase, run.step) == ("stopped", 5)
    assert ending(None, stopped=True) == ("stopped", "on request")


def test_a_run_can_begin_again(run):
    run.log({"loss": 1.0})
    run.finish()
    run.begin()
    run.log({"loss": 2.0})
    run.finish()
    run.finish()
    assert saved_values(run) == [1.0, 2.0]
    assert [event.name for event in saved(run).events] == ["train_end"] * 2


def test_a_run_goes_on_as_its_next_attempt(tmp_path):
    for resume in (False, True, True):
        with start_run("run", log_dir=tmp_path, resume=resume) as run:
            run.log({"loss": 1.0})
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    frame = load_run(run.path).to_pandas()
    assert frame["attempt"].tolist() == ["a1", "a2", "a3"]


def phase_of_file(run):
    """Return what somebody who reads the file takes the run to do."""
    return load_run(run.path).ranks[0].phase[0]


def test_an_attempt_is_marked_where_it_begins_and_is_no_ended_run(tmp_path):
    with start_run("run", log_dir=tmp_path, display=False) as run:
        for loss in (3.0, 2.0, 1.0):
            run.log({"loss": loss})
    run = start_run("run", log_dir=tmp_path, display=False, resume=True)
    run.log({"loss": 2.5}, step=2)
    run.log({"loss": 2.0})
    run.flush()
    begins = [m for m in run._head()["marks"] if m["kind"] == "train_begin"]
    assert [(mark["step"], mark["text"]) for mark in begins] == [(1, "attempt 2")]
    assert phase_of_file(run) == "training"
    run.finish()
    assert phase_of_file(run) == "finished"


def test_an_attempt_whose_begin_the_user_writes_has_that_one(tmp_path):
    for resume in (False, True):
        run = start_run("run", log_dir=tmp_path, display=False, resume=resume)
        run.event("train_begin", batch_size=32)
        run.log({"loss": 1.0})
        run.finish()
    run.flush()
    events = load_run(run.path).ranks[0].events
    begins = [event for event in events if event.name == "train_begin"]
    assert [event.fields for event in begins] == [{"batch_size": 32}] * 2


def test_a_second_run_of_a_name_has_its_own_folder(tmp_path):
    first, second = (start_run("run", log_dir=tmp_path) for _ in range(2))
    with first, second:
        first.log({"loss": 1.0})
        second.log({"loss": 2.0})
    assert (first.name, second.name) == ("run", "run-2")
    assert (saved_values(first), saved_values(second)) == ([1.0], [2.0])
    assert first.notices + second.notices == []


def test_the_run_is_named_after_the_model(tmp_path, monkeypatch):
    monkeypatch.setenv("MODEL_NAME", "detr")
    assert start_run(log_dir=tmp_path).name == "detr"


@pytest.mark.parametrize("name", ["a/b", "..", "x" * 300])
def test_a_bad_name_is_refused_before_anything_is_made(tmp_path, name):
    with pytest.raises(ValueError, match="name"):
        start_run(name, log_dir=tmp_path / "logs")


def test_an_unknown_option_is_refused(tmp_path):
    with pytest.raises(TypeError, match="log_intervall"):
        start_run("run", log_dir=tmp_path, log_intervall=5)


def test_a_log_dir_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="nothing can be written there"):
        start_run("run", log_dir=tmp_path / "file")


def test_writing_that_raises_is_told_once_and_the_values_are_kept(run, caplog):
    run._file._writer.write = None
    for step in range(200):
        run.log({"loss": float(step)})
        run.flush()
    assert len(run.to_pandas()) == 200
    assert caplog.text.count("file writing failed") == 1
    assert [notice[:12] for notice in run.notices] == ["file writing"]


def test_a_widget_that_raises_disturbs_neither_file_nor_training(run, caplog):
    run._screen._view = BrokenView()
    run.begin()
    for step in range(200):
        run._screen._polled_s = 0.0
        run.log({"loss": float(-step)})
    run._flow._tick()
    run.finish()
    assert saved_values(run) == [-step for step in range(200)]
    assert len(caplog.records) == len(run.notices) == 2
    assert "the widget failed" in run.notices[0]
    assert "handling messages of the page failed" in run.notices[1]


def test_collecting_that_raises_does_not_reach_the_training(run, caplog):
    run.history.extend = None
    for step in range(200):
        run.log({"loss": float(step)})
    run.flush()
    run.finish()
    assert caplog.text.count("collecting failed") == 1


def test_a_folder_in_trouble_is_told_once_and_written_later(run, caplog):
    run.flush()
    run.path.rename(run.path.with_name("moved"))
    run.path.write_text("in the way")
    for step in range(10):
        run.log({"loss": float(step)})
        run.flush()
    assert len(caplog.records) == 1
    assert "records wait in memory and are written when possible" in run.notices[0]
    run.path.unlink()
    run.finish()
    assert saved_values(run) == list(range(10))
    (left,) = run.notices
    assert "was deleted or moved during the run" in left


@pytest.fixture
def stuck(run, monkeypatch):
    """A run whose file is a pipe that nobody reads, and whose writer waits on it."""
    monkeypatch.setattr("mswidget.run.flow._LOCK_S", 0.2)
    path = run.path / "rank_0.jsonl"
    with run._flow._lock:
        path.unlink()
        os.mkfifo(path)
        for step in range(3000):
            run.log({"loss": float(step)})
    wait_until(lambda: not free(run))
    yield run
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    while not free(run) or run._file._writer.is_behind:
        with contextlib.suppress(BlockingIOError):
            os.read(reader, 2**20)
    with contextlib.suppress(BlockingIOError):
        while os.read(reader, 2**20):  # else what follows may not fit
            pass
    os.close(reader)


def free(run):
    found = run._flow._lock.acquire(timeout=0.05)
    if found:
        run._flow._lock.release()
    return found


def test_a_file_that_hangs_holds_up_neither_training_nor_its_end(stuck):
    for step in range(1000):
        stuck.log({"loss": float(step)})
    stuck.finish()
    assert not free(stuck)
    assert stuck.phase == "finished"
    assert "writing takes long" in stuck.notices[-1]


def test_the_table_can_be_seen_while_the_file_hangs(stuck):
    assert len(stuck.to_pandas()) == 3000


def test_the_user_is_warned_where_a_filter_makes_warnings_errors(run, caplog):
    with caplog.at_level(logging.WARNING, logger="mswidget"):
        run.notice("disk full")
        run.notice("disk full")
    assert [record.getMessage() for record in caplog.records] == ["run: disk full"]


def test_an_event_is_written_and_marked(run):
    run.log({"loss": 1.0}, step=4)
    run.event("eval", accuracy=0.5, note="", epoch=2)
    run.finish()
    event = saved(run).events[0]
    assert (event.name, event.step, event.epoch) == ("eval", 4, 2)
    assert event.fields == {"accuracy": 0.5, "note": ""}
    mark = run._head()["marks"][0]
    text = "accuracy 0.5, epoch 2"
    assert mark.pop("wall_time_s") == pytest.approx(event.wall_time_s, abs=1)
    assert mark == {"step": 4, "kind": "eval", "text": text, "track": ""}


def test_the_page_hears_of_the_state(run):
    run.set_status(total_steps=10)
    run.log({"loss": 1.0, "温度": 36.6}, step=3, epoch=1)
    run.flush()
    head = run._head()
    assert [metric["panel"] for metric in head["metrics"]] == ["loss", "other"]
    status = head["status"]
    assert (status["step"], status["total_steps"], status["epoch"]) == (3, 10, 1)
    assert status["phase"] == "training"


def test_the_rate_is_that_of_the_last_seconds(run, monkeypatch):
    now_s = [1000.0]
    monkeypatch.setattr(run._inbox, "now_s", lambda: now_s[0])
    for step in range(1, 101):
        now_s[0] += 0.5 if step > 50 else 2.0
        run.log({"loss": 1.0}, step=step)
        run.flush()
    assert run._head()["status"]["steps_per_s"] == pytest.approx(2.0)


@pytest.mark.slow
def test_real_tensors_are_logged_as_they_are(run):
    ms = pytest.importorskip("mindspore")
    for step in range(200):
        run.log({"loss": ms.Tensor(step, ms.float32) * 2, "lr": ms.Tensor([0.5])})
    run.finish()
    assert saved_values(run) == [2.0 * step for step in range(200)]
    assert run.notices == []


def test_a_log_of_no_mapping_is_told_and_the_next_one_counts(run):
    run.log(5.0)
    run.log({"loss": 1.0})
    assert run.to_pandas()["loss"].dropna().tolist() == [1.0]
    assert run.notices == [
        "log: expected metric names with values, such as {'loss': 0.5}; found float"
    ]


def test_an_epoch_too_large_to_count_loses_no_value(run):
    run.log({"loss": 1.0}, epoch=10**400)
    assert run.to_pandas()["loss"].tolist() == [1.0]


@pytest.mark.parametrize(("code", "phase"), [(0, "finished"), (1, "failed")])
def test_an_exit_within_a_run_ends_it_as_the_code_says(tmp_path, code, phase):
    with contextlib.suppress(SystemExit), start_run("run", log_dir=tmp_path) as run:
        raise SystemExit(code)
    assert run.phase == phase


def test_a_rank_that_is_no_number_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("RANK_ID", "first")
    with pytest.raises(ValueError, match="RANK_ID='first': expected a whole number"):
        start_run("run", log_dir=tmp_path)


def test_a_run_has_begun_when_it_is_returned(tmp_path):
    run = start_run("run", log_dir=tmp_path)
    run.log({"loss": 1.0})
    run.finish()
    assert [record.step for record in saved(run).records] == [1]


def test_what_is_logged_after_the_end_is_written_too(run):
    run.finish()
    run.log({"eval/bleu": 31.5}, step=0)
    run.flush()
    assert saved(run).records[-1].values == {"eval/bleu": 31.5}
    assert run.phase == "finished"


def test_an_event_may_hold_anything(run):
    run.event("checkpoint", step=np.int64(3), weights=np.arange(3), file="a.ckpt")
    run.event("checkpoint", step="third")
    run.log({"loss": 1.0})
    run.finish()
    assert [e.step for e in saved(run).events if e.name == "checkpoint"] == [3, 0]
    assert len(saved(run).records) == 1


def test_a_loop_that_ignored_the_stop_has_finished(tmp_path):
    with start_run("run", log_dir=tmp_path, total_steps=50) as run:
        for step in range(50):
            run.log({"loss": 1.0})
            if step == 5:
                run.request_stop()
    assert run.phase == "finished"


def test_a_page_that_cannot_be_heard_is_told_so(run):
    run.set_status(controls=True)
    run._screen._view = BrokenView()
    run.poll()
    assert not run.status["controls"]
    run._screen._view.poll = lambda: None
    run._guard.forgive("handling messages of the page")
    run.poll()
    assert run.status["controls"]


def test_many_evaluations_do_not_push_out_the_epochs(run):
    for epoch in range(300):
        run.event("epoch_end", step=epoch, epoch=epoch)
        for _ in range(5):
            run.event("eval", step=epoch)
    kinds = [mark["kind"] for mark in run._head()["marks"]]
    assert kinds.count("epoch_end") == 200


def test_a_loop_that_compiles_is_not_taken_to_hang(run):
    assert run.is_slow()
    for _ in range(2):
        run.log({"loss": 1.0})
        run.flush()
    assert not run.is_slow()
    run.set_status(phase="saving")
    assert run.is_slow()


class RaisingHandler(logging.Handler):
    """A user's handler that fails."""

    def emit(self, record):
        raise OSError(record.msg)


def test_a_logging_handler_that_raises_does_not_reach_the_training(run):
    handler = RaisingHandler()
    logging.getLogger("mswidget").addHandler(handler)
    try:
        run.log({"loss": 1.0}, step="first")
    finally:
        logging.getLogger("mswidget").removeHandler(handler)
    assert run.notices


def test_threads_that_log_at_once_never_share_a_step(run):
    def log():
        for _ in range(500):
            run.log({"loss": 1.0})

    threads = [threading.Thread(target=log) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert run.to_pandas().index.tolist() == list(range(1, 2001))


def test_steps_that_begin_anew_give_no_negative_rate(run):
    for step in (1, 2, 3, 1, 2):
        run.log({"loss": 1.0}, step=step)
        run.flush()
    assert run.status["steps_per_s"] > 0


@pytest.mark.parametrize("total", ["100", -5, 0, True])
def test_a_total_that_is_no_number_of_steps_is_refused(tmp_path, total):
    with pytest.raises(ValueError, match="total_steps="):
        start_run("run", log_dir=tmp_path, total_steps=total)


@pytest.mark.parametrize(
    "option", [{"resume": "x"}, {"resume": 1}, {"read": "later"}, {"display": "html"}]
)
def test_an_option_of_another_kind_is_refused(tmp_path, option):
    (name,) = option
    with pytest.raises(ValueError, match=f"{name} must be .*; found"):
        start_run("run", log_dir=tmp_path, **option)


def test_an_end_that_had_to_wait_loses_nothing(run, monkeypatch):
    monkeypatch.setattr("mswidget.run.flow._LOCK_S", 0.05)
    ended = threading.Event()
    monkeypatch.setattr(run._flow, "_end", ended.set)
    held, release = threading.Event(), threading.Event()

    def hold():
        with run._flow._lock:
            held.set()
            release.wait(10)

    threading.Thread(target=hold).start()
    held.wait(10)
    run.log({"loss": 1.0})
    run.finish()
    release.set()
    assert ended.wait(10)
    assert len(saved(run).records) == 1
    assert saved(run).events[-1].name == "train_end"
