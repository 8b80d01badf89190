"""The process that ends a training in which no Python runs."""

import logging
import os
import signal
import subprocess
import sys
import textwrap

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.run import last_resort, watchdog
from mswidget.run.interrupt import Interrupts
from mswidget.run.last_resort import BUSY, IDLE, TICK_S, TOLD, Unresponsive, is_stopped

TERM = bytes([signal.SIGTERM])
PATIENCE_TICKS = 4


@pytest.fixture
def silence():
    return Unresponsive(PATIENCE_TICKS * TICK_S)


def keep_silent(silence, unread=b"", ticks=PATIENCE_TICKS):
    for _ in range(ticks):
        silence.tick(unread)


def test_silence_alone_is_no_hang(silence):
    keep_silent(silence, ticks=100)
    keep_silent(silence, bytes([signal.SIGCHLD]), ticks=100)
    assert not silence.is_hang(given_up=True)


def test_an_unread_signal_is_a_hang_once_patience_ends(silence):
    keep_silent(silence, TERM, PATIENCE_TICKS - 1)
    assert not silence.is_hang(given_up=False)
    silence.tick(TERM)
    assert silence.is_hang(given_up=False)


def test_each_word_begins_the_patience_anew(silence):
    silence.hear(bytes([TOLD]))
    for _ in range(3):
        keep_silent(silence, ticks=PATIENCE_TICKS - 1)
        silence.hear(bytes([TOLD]))
    assert not silence.is_hang(given_up=False)
    keep_silent(silence)
    assert silence.is_hang(given_up=False)


def test_the_last_word_on_being_busy_counts_unless_given_up(silence):
    silence.hear(bytes([IDLE, BUSY, TOLD]))
    keep_silent(silence)
    assert not silence.is_hang(given_up=False)
    assert silence.is_hang(given_up=True)
    silence.hear(bytes([BUSY, IDLE]))
    keep_silent(silence)
    assert silence.is_hang(given_up=False)


WORDS = st.one_of(
    st.sampled_from([TOLD, BUSY, IDLE]).map(lambda word: bytes([word])),
    st.binary(min_size=1, max_size=4),
)
UNREAD = st.sampled_from([b"", TERM, bytes([signal.SIGCHLD]), b"\x02" + TERM])
HAPPENINGS = st.lists(st.one_of(st.tuples(st.just("said"), WORDS), UNREAD), max_size=30)


@given(HAPPENINGS, st.integers(1, PATIENCE_TICKS), st.booleans())
def test_only_who_was_told_and_is_silent_since_without_excuse_is_ended(
    happenings, patience_ticks, given_up
):
    silence = Unresponsive(patience_ticks * TICK_S)
    for happening in happenings:
        if isinstance(happening, tuple):
            silence.hear(happening[1])
        else:
            silence.tick(happening)

    words = [h[1] if isinstance(h, tuple) else b"" for h in happenings]
    at = [i for i, h in enumerate(happenings) if TOLD in words[i] or TERM[0] in h]
    last_word = max([i for i, said in enumerate(words) if said], default=-1)
    silent = len(happenings) - max(last_word + 1, at[0]) if at else 0
    excuses = [word for word in b"".join(words) if word in (BUSY, IDLE)]
    excused = excuses[-1:] == [BUSY] and not given_up
    hangs = silent >= patience_ticks and not excused
    assert silence.is_hang(given_up=given_up) == hangs


def test_a_process_that_a_debugger_holds_is_stopped():
    with psutil.Popen(["sleep", "60"]) as process:
        assert not is_stopped(process.pid)
        process.suspend()
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        assert is_stopped(process.pid)
        process.kill()
    assert not is_stopped(process.pid)


def watchdogs(process=None):
    """Return those of a process, zombies too; tests have other children beside them."""
    children = (process or psutil.Process()).children()
    return [child for child in children if is_watchdog(child)]


def is_watchdog(process):
    try:
        return last_resort.__file__ in process.cmdline()
    except psutil.ZombieProcess:
        return True


def test_one_watchdog_a_process_and_none_after_the_training():
    with Interrupts(None, print), Interrupts(None, print):
        assert len(watchdogs()) == 1
    assert watchdogs() == []


def test_a_watchdog_that_ended_hurts_nobody():
    with Interrupts(None, print) as interrupts:
        (process,) = watchdogs()
        process.kill()
        process.wait()
        interrupts._watchdog.told()
    assert watchdogs() == []


def test_no_watchdog_is_told_once_and_the_training_goes_on(monkeypatch, caplog):
    def refuse(*_, **__):
        raise BlockingIOError("no more processes")

    watchdog._tell_once.cache_clear()
    monkeypatch.setattr(subprocess, "Popen", refuse)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            with Interrupts(None, print):
                pass
    (record,) = caplog.records
    assert "no more processes" in record.message


CODE = textwrap.dedent("""
    import os, sys, time
    from mswidget.run.interrupt import Interrupts

    with Interrupts(None, print):
        if {fork} and not os.fork():
            print("ready", flush=True)
            time.sleep(60)
        print("ready", flush=True)
        time.sleep(60)
""")


@pytest.fixture
def training(request):
    """Return a process within a training, its watchdog, and any data worker."""
    code = CODE.format(fork=getattr(request, "param", False))
    with psutil.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        for _ in range(2 if getattr(request, "param", False) else 1):
            process.stdout.readline()
        children = process.children()
        yield process, children
        for each in [process, *children]:
            if each.is_running():
                each.kill()


@pytest.mark.parametrize("training", [False, True], indirect=True, ids=["", "forked"])
def test_the_watchdog_ends_with_its_process(training):
    process, (dog, *_) = training
    process.kill()
    assert psutil.wait_procs([dog], timeout=10)[1] == []


def test_signals_to_all_of_a_job_do_not_end_the_watchdog_first(training):
    _, (dog,) = training
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        dog.send_signal(number)
    with pytest.raises(psutil.TimeoutExpired):
        dog.wait(0.2)
    assert os.getsid(dog.pid) == dog.pid
