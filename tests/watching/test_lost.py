"""Ranks whose process was killed: on this host that is seen, elsewhere it is not."""

import os
import re
import signal
import subprocess
import sys

import pytest

from mswidget import list_runs, load_run
from mswidget.files.own_source import OwnSource
from mswidget.watching.lines import RunLines
from mswidget.watching.pages import KeptPage
from mswidget.watching.watch import Watch

STEPS = 40
WRITER = f"""
import sys
from mswidget import start_run

run = start_run("run", log_dir=sys.argv[1], display=False, resume="again" in sys.argv)
for step in range({STEPS}):
    run.log({{"loss": 1.0}})
run.flush()
print("ready", flush=True)
input()
run.finish()
"""


@pytest.fixture
def write(tmp_path):
    """Return a function that starts a rank and awaits its last step."""
    started = []

    def start(rank=0, *words):
        ranks = {"RANK_ID": str(rank), "RANK_SIZE": "2", "MSWIDGET_JOB": "job"}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        command = [sys.executable, "-c", WRITER, tmp_path, *words]
        child = subprocess.Popen(command, env={**os.environ, **ranks}, **pipes)
        started.append(child)
        assert child.stdout.readline() == b"ready\n"
        return child

    yield start
    for child in started:
        child.kill()
        child.communicate()


def kill(child):
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # nobody buries it


def phases(watch):
    watch.read()
    ranks = [track for track in watch.head()["tracks"] if not track["stat"]]
    return {track["rank"]: (track["phase"], track["step"]) for track in ranks}


def test_watch_says_which_rank_is_lost_and_after_which_step(tmp_path, write):
    write(0)
    second = write(1)
    watch = Watch([tmp_path])
    assert phases(watch) == {0: ("training", STEPS), 1: ("training", STEPS)}
    kill(second)
    assert phases(watch) == {0: ("training", STEPS), 1: ("lost", STEPS)}
    assert watch.head()["status"]["phase"] == "training"


def test_the_header_says_it_of_the_rank_that_speaks(tmp_path, write):
    child = write()
    kill(child)
    status = Watch([tmp_path]).head()["status"]
    assert (status["phase"], status["step"]) == ("lost", STEPS)
    assert status["detail"] == f"process {child.pid} on {os.uname().nodename} is gone"


def test_one_that_hangs_is_not_lost(tmp_path, write):
    child = write()
    child.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, child.pid, os.WSTOPPED)
    assert phases(Watch([tmp_path])) == {0: ("training", STEPS)}


def test_one_that_ends_is_finished(tmp_path, write):
    child = write()
    watch = Watch([tmp_path])
    child.communicate(b"\n")
    assert phases(watch) == {0: ("finished", STEPS)}


def test_one_that_goes_on_is_lost_no_more(tmp_path, write):
    kill(write())
    watch = Watch([tmp_path])
    assert phases(watch)[0] == ("lost", STEPS)
    again = write(0, "again")
    assert phases(watch)[0] == ("training", 2 * STEPS)
    kill(again)
    assert phases(watch)[0] == ("lost", 2 * STEPS)


def test_lines_tell_it_of_each_rank_once(tmp_path, write, capfd):
    first, second = write(0), write(1)
    lines = RunLines([tmp_path])
    lines.tick()
    kill(second)
    lines.tick()
    lines.tick()
    told = capfd.readouterr().out
    assert told.count(f"run: rank 1 is lost at step {STEPS}: process {second.pid}") == 1
    kill(first)
    lines.tick()
    lines.tick()
    (told,) = capfd.readouterr().out.splitlines()
    assert re.search(rf"lost at step {STEPS} after .* \(process {first.pid}", told)


def test_a_page_that_is_kept_fresh_says_so_and_ends(tmp_path, write):
    child = write()
    page = KeptPage(tmp_path, tmp_path / "page.html", 0.0, print)
    assert page.tick() is False
    kill(child)
    while not page.tick():
        pass
    assert '"phase": "lost"' in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_run_that_is_read_back_has_it_in_its_table(tmp_path, write):
    kill(write())
    table = load_run(tmp_path / "run").ranks()
    assert table["phase"].tolist() == ["lost", "missing"]
    assert table["last_step"][0] == STEPS
    assert "is gone" in table["detail"][0]


def test_the_table_of_runs_has_it(tmp_path, write):
    child = write()
    assert list_runs(tmp_path)["phase"].tolist() == ["training"]
    kill(child)
    assert list_runs(tmp_path)["phase"].tolist() == ["lost"]


def test_a_rank_that_is_read_from_near_its_end_is_lost_too(tmp_path, write):
    child = write()
    source = OwnSource(tmp_path / "run" / "rank_0.jsonl")
    source.start_near_end(1000)
    source.read_on()
    assert source.ranks[0].left_out
    kill(child)
    assert source.read_on()
    assert source.ranks[0].phase[0] == "lost"


def test_of_another_host_nobody_knows(tmp_path, write):
    kill(write())
    file = tmp_path / "run" / "rank_0.jsonl"
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub('"place": "[^"]*"', '"place": "elsewhere"', text))
    assert phases(Watch([tmp_path])) == {0: ("training", STEPS)}


def test_the_line_of_the_process_is_no_event_of_the_training(tmp_path, write):
    write()
    run = load_run(tmp_path / "run")
    assert run.ranks[0].events == []
    assert Watch([tmp_path]).head()["marks"] == []
