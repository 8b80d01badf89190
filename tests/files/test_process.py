"""Which process writes a file, and whether it still lives."""

import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.files.process import Process, started

JSON = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers())


@pytest.fixture
def other():
    """Another process that lives, as it would tell of itself."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield replace(Process.here(), pid=child.pid, started=started(child.pid))
    child.kill()
    child.communicate()


def kill(process):
    os.kill(process.pid, signal.SIGKILL)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)


def test_a_process_that_lives_is_not_gone(other):
    assert not Process.here().is_gone()
    assert not other.is_gone()


def test_one_that_was_killed_is_gone_though_its_parent_does_not_bury_it(other):
    kill(other)
    assert started(other.pid) == other.started  # still in the table
    assert other.is_gone()


def test_one_that_is_buried_is_gone(other):
    kill(other)
    os.waitpid(other.pid, 0)
    assert other.is_gone()


def test_another_process_of_the_same_pid_is_not_the_one():
    assert replace(Process.here(), started="7").is_gone()


def test_of_another_place_nobody_can_tell(other):
    kill(other)
    assert not replace(other, place="another kernel, or a container").is_gone()
    assert not replace(other, place="").is_gone()


@pytest.mark.parametrize("pid", [2**31, 2**99])
def test_what_is_no_pid_is_no_error(pid):
    replace(Process.here(), pid=pid).is_gone()


def test_its_name_in_a_sentence():
    assert str(Process("node-a", 4711, "1", "")) == "process 4711 on node-a"


def test_a_line_says_all_of_it():
    assert Process.told(Process.here().fields()) == Process.here()


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(Process.here().fields(), JSON)))
def test_a_line_of_anything_is_no_error(fields):
    told = Process.told(fields)
    assert told is None or told.is_gone() in (True, False)
