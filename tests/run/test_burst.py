"""What is logged faster than it can be written is seen first, and never lost."""

import errno
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mswidget import load_run, start_run
from mswidget.files import writer
from mswidget.run import rank_log, start
from mswidget.run.flow import Outlet
from mswidget.run.registry import Registry
from mswidget.widget.transport import Transport
from tests.page import Reader, RecorderPage, want

ROOT = Path(__file__).parents[2]
STEPS = 20_000


@pytest.fixture(autouse=True)
def slow(monkeypatch):
    """Write so little at a time that a file is behind for seconds."""
    monkeypatch.setattr(start, "RUNS", Registry())
    monkeypatch.setattr(rank_log, "TICK_S", 0.0)
    monkeypatch.setattr(rank_log, "_SHORT_S", 0.0)
    yield
    writer.catch_up()


@pytest.fixture
def run(tmp_path):
    return start_run("run", log_dir=tmp_path, display=False)


def burst(run, steps=STEPS):
    for step in range(1, steps + 1):
        run.log({"loss": 1 / step})


def wait_until(condition):
    """Wait for the worker; fail when it does nothing for long."""
    deadline_s = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline_s
        time.sleep(0.005)


def steps(path):
    return [record.step for record in load_run(path).ranks[0].records]


def test_the_page_and_the_end_do_not_wait_for_the_file(run):
    page = RecorderPage()
    reader = Reader()
    page.readers.append(reader)
    transport = Transport(lambda: {"": run.history}, page, run._head)
    transport.ask(reader.ask(want(level=3)))
    run._flow.add(Outlet("page", tick=transport.tick, end=transport.finish))
    burst(run)
    run.finish()
    ((_, buckets),) = reader.curves["", "loss"].pieces.values()
    assert sum(bucket["counts"] for bucket in buckets) == STEPS
    assert run._file._writer.is_behind
    assert len(run.to_pandas()) == STEPS


def test_who_reads_the_file_after_the_end_finds_all_of_it(run):
    burst(run)
    run.finish()
    saved = load_run(run.path).ranks[0]
    assert [record.step for record in saved.records] == list(range(1, STEPS + 1))
    assert saved.phase[0] == "finished"


def test_a_flush_writes_everything(run):
    burst(run)
    run.flush()
    text = (run.path / "rank_0.jsonl").read_text()
    assert text.count('"loss"') == STEPS


def test_the_worker_writes_what_the_end_has_left_and_lets_go_of_the_file(run):
    burst(run, 2000)
    run.finish()
    path = run.path / "rank_0.jsonl"
    wait_until(lambda: b"train_end" in path.read_bytes())
    wait_until(lambda: not writer.is_held(path))
    assert path.read_bytes().count(b"loss") == 2000


def test_the_next_attempt_begins_after_the_last_step(run):
    burst(run)
    run.finish()
    again = start_run("run", log_dir=run.path.parent, display=False, resume=True)
    again.log({"loss": 0.5})
    again.finish()
    assert steps(run.path) == list(range(1, STEPS + 2))


def test_a_run_that_goes_on_writes_in_order(run):
    burst(run)
    run.finish()
    run.begin()
    run.log({"loss": 0.5})
    run.finish()
    assert steps(run.path) == list(range(1, STEPS + 2))


def test_what_a_full_disk_kept_from_the_end_is_written_when_it_can_be(run, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(writer.Writer, "_append", full)
        burst(run, 10)
        run.finish()
        (notice,) = run.notices
        assert "are written when possible" in notice
    wait_until(lambda: not run.notices)
    assert steps(run.path) == list(range(1, 11))


def test_that_writing_takes_long_is_said_while_it_does(run, monkeypatch):
    monkeypatch.setattr(writer, "_LATE_S", 0.0)
    burst(run)
    run.finish()
    assert [text for text in run.notices if "writing takes long" in text]
    run.flush()
    assert run.notices == []


@pytest.mark.parametrize("end", ["run.finish()", "pass"])
def test_a_process_that_ends_writes_all_of_it_once(tmp_path, end):
    """A forked data worker that ends, as well, writes nothing of it."""
    code = f"""
import os, sys
from mswidget import start_run
from mswidget.run import rank_log
rank_log.TICK_S = rank_log._SHORT_S = 0.0
run = start_run("run", log_dir=sys.argv[1], display=False)
for step in range({STEPS}):
    run.log({{"loss": 0.5}})
{end}
run = start_run("other", log_dir=sys.argv[1], display=False)
run.finish()
run = None
if os.fork():
    os.wait()
"""
    command = [sys.executable, "-c", code, str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True)
    text = (tmp_path / "run" / "rank_0.jsonl").read_text()
    assert text.count('"loss"') == STEPS
    assert "train_end" in text.splitlines()[-1]
