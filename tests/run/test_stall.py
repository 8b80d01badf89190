"""A training in which no step comes any more."""

import threading
import time

import pytest

from mswidget import load_run, start_run
from mswidget.alerts.rules import stall as rule
from mswidget.alerts.rules.stall import is_stalled
from mswidget.run.stall import waits_for_user

LONG_S = 30.0


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setattr(rule, "LEAST_S", 0.5)
    with start_run("run", log_dir=tmp_path, display=False) as run:
        yield run


def steps(run, count=10):
    for _ in range(count):
        run.log({"loss": 1.0})
        time.sleep(0.01)


def hang_until(condition):
    """Wait as a training does that hangs in a collective: other threads go on."""
    until_s = time.monotonic() + LONG_S
    while not condition() and time.monotonic() < until_s:
        time.sleep(0.05)
    assert condition()


def test_a_training_that_hangs_is_told_while_it_hangs(run):
    steps(run)
    hang_until(lambda: len(run.alerts))
    (alert,) = run.alerts.itertuples()
    assert (alert.rule, alert.step, alert.severity) == ("stall", 10, "error")
    assert "the training is in hang_until (test_stall.py:" in alert.message
    assert "hang_until" in (run.path / "stacks_rank_0.txt").read_text()


def test_it_has_passed_when_the_next_step_comes(run):
    steps(run)
    hang_until(lambda: len(run.alerts))
    steps(run, 1)
    hang_until(lambda: run.alerts["last_step"].notna().any())
    assert load_run(run.path).alerts["last_step"][0] == 10


def test_a_phase_that_takes_long_is_no_hang(run):
    steps(run)
    run.set_status(phase="evaluating")
    ended = threading.Event()
    ended.wait(2.5)
    assert run.alerts.empty


def test_before_anybody_knows_how_long_a_step_takes_nothing_hangs():
    assert not is_stalled(1e4, None)
    assert not is_stalled(59, 0.001)
    assert is_stalled(61, 0.001)
    assert not is_stalled(250, 100)
    assert is_stalled(301, 100)


def test_a_kernel_that_waits_for_its_next_cell_does_not_hang():
    import asyncio  # noqa: PLC0415

    loop = asyncio.new_event_loop()
    kernel = threading.Thread(target=loop.run_forever)
    kernel.start()
    until_s = time.monotonic() + LONG_S
    while not waits_for_user(kernel.ident) and time.monotonic() < until_s:
        time.sleep(0.01)
    waits = waits_for_user(kernel.ident)
    loop.call_soon_threadsafe(loop.stop)
    kernel.join()
    loop.close()
    assert waits
    assert not waits_for_user(threading.get_ident())
