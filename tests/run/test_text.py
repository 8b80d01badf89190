"""The lines that a run prints where there is no page."""

import contextlib
import io
import os
import pty
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget import TrainMonitor, start_run
from mswidget.records.record import Record
from mswidget.run.text import TextLines, one_line, say
from mswidget.widget.status import fresh_status
from tests.kernel import kernel

ROOT = Path(__file__).parents[2]
STATUS = {
    "step": 120,
    "total_steps": 600,
    "epoch": 2,
    "total_epochs": 10,
    "steps_per_s": 2.0,
    "begun_s": 1000.0,
    "phase": "training",
}
VALUES = {
    "eval/mae": 0.5,
    "lr": 2e-05,
    "samples_per_s": 412.34,
    "loss/ce": 0.25,
    "step_time_ms": 500.0,
    "loss": 0.83125,
    "grad_norm": 1.5,
    "weight_mean/dense.weight": 0.1,
    "perplexity": 2.3,
}


def record(step=120, epoch=2, **values):
    return Record(step, 1.8e9, 0, "a1", values, epoch)


def lines_of(capsys, items, **changes):
    """Return what is printed of items while the run goes on, and at its end."""
    status = {**fresh_status(time.time()), **STATUS, **changes}
    lines = TextLines("run", lambda: status)
    lines.take(items)
    lines.tick()
    lines.take([])
    lines.tick()
    status.update(phase="stopped", phase_since_s=4725.0, detail="on request")
    lines.end()
    lines.end()
    return capsys.readouterr().out.splitlines()


def test_a_line_has_all_that_one_wants_to_know(capsys):
    first, last = lines_of(capsys, [record(**VALUES)])
    assert first == (
        "run: epoch 2/10  step 120/600  loss 0.8313  ce 0.25  lr 2e-05  eval/mae 0.5"
        "  412.3 samples/s  grad_norm 1.5  perplexity 2.3  4:00 left"
    )
    assert last == "run: stopped at epoch 2/10  step 120/600 after 1:02:05 (on request)"


def test_what_nobody_knows_is_left_out(capsys):
    unknown = dict.fromkeys(["total_steps", "epoch", "total_epochs", "steps_per_s"])
    first, _ = lines_of(capsys, [record(epoch=None, loss=1.0)], **unknown)
    assert first == "run: step 120  loss 1"


def test_a_line_says_the_step_of_its_values_not_that_of_the_training(capsys):
    first, _ = lines_of(capsys, [record(60, epoch=1, loss=1.0)], step=75, epoch=2)
    assert first.startswith("run: epoch 1/10  step 60/600  loss 1")


def test_a_value_that_is_no_number_is_told_though_a_better_one_follows(capsys):
    items = [record(7, loss=float("nan")), record(8, loss=1.0)]
    first, last = lines_of(capsys, items)
    assert "loss 1  loss was NaN at step 7" in first
    assert "NaN" not in last


def test_a_run_prints_at_most_one_line_a_second(tmp_path, capsys):
    with start_run("run", log_dir=tmp_path) as run:
        for _ in range(1000):
            run.log({"loss": 1.0})
        run.flush()
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) <= 2
    assert printed[-1].startswith("run: finished at step 1000 after 0:00")


@pytest.mark.parametrize("finishes", [1, 2])
def test_each_training_of_a_run_has_its_end(tmp_path, capsys, finishes):
    run = start_run("run", log_dir=tmp_path)
    for _ in range(finishes):
        run.begin()
        run.log({"loss": 1.0})
        run.finish()
        run.log({"loss": 2.0})
        run.flush()
    assert capsys.readouterr().out.count("finished") == finishes


@pytest.mark.parametrize(
    ("display", "rank", "prints"),
    [
        (True, 0, True),
        (True, 1, False),
        ("text", 1, True),
        (False, 0, False),
    ],
)
def test_who_prints(tmp_path, capsys, monkeypatch, display, rank, prints):
    monkeypatch.setenv("RANK_ID", str(rank))
    start_run("run", log_dir=tmp_path, display=display).finish()
    assert ("finished" in capsys.readouterr().out) == prints


@pytest.mark.parametrize("make", [start_run, TrainMonitor])
def test_another_display_is_refused(tmp_path, make):
    with pytest.raises(ValueError, match="True, False or 'text'"):
        make("run", log_dir=tmp_path, display="txt")


@given(st.text())
def test_a_text_stays_in_its_line(text):
    assert one_line(text).isprintable()
    if text.isprintable():
        assert one_line(text) == text


def test_a_terminal_is_not_moved_by_a_name():
    assert one_line("\x1b[2Jloss\r\n名") == "\\x1b[2Jloss\\r\\n名"


def test_what_an_encoding_cannot_say_is_escaped():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    say("损失 1", stream)
    assert stream.buffer.getvalue() == b"\\u635f\\u5931 1\n"


@pytest.mark.parametrize("stream", [None, io.StringIO()])
def test_an_output_that_is_gone_hurts_nobody(stream):
    if stream is not None:
        stream.close()
    say("loss 1", stream)


def test_a_stream_without_an_encoding_gets_the_text():
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        say("损失", sys.stdout)
    assert stream.getvalue() == "损失\n"


SCRIPT = """
import sys
from mswidget import start_run
with start_run("run", log_dir=sys.argv[1]) as run:
    for step in range(100):
        run.log({"loss": 1.0})
    run.flush()
sys.stderr.write(f"{run.phase} {run.step}")
"""


def end_of_script(tmp_path, stdout):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stderr


def test_a_closed_pipe_changes_neither_the_run_nor_its_status(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    assert end_of_script(tmp_path, writer) == (0, b"finished 100")
    os.close(writer)


def test_a_terminal_that_is_held_up_holds_up_nothing(tmp_path):
    ours, theirs = pty.openpty()
    termios.tcflow(theirs, termios.TCOOFF)  # as Ctrl-S does
    assert end_of_script(tmp_path, theirs) == (0, b"finished 100")
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("display", ["'text'", "True"])
def test_a_kernel_shows_text_in_the_cell_only_when_asked(tmp_path, display):
    with kernel(folder=tmp_path) as running:
        printed = running.run(
            "from mswidget import start_run\n"
            f"with start_run('run', display={display}) as run:\n"
            "    run.log({'loss': 1.0})"
        )
        widgets = [m for m in running.messages if m["msg_type"] == "comm_open"]
    assert ("run: finished at step 1" in printed) == (display == "'text'")
    assert bool(widgets) == (display == "True")


def test_ipython_in_a_terminal_prints_lines(tmp_path):
    code = (
        "from mswidget import start_run\n"
        f"with start_run('run', log_dir={str(tmp_path)!r}) as run:\n"
        "    run.log({'loss': 1.0})\n"
    )
    words = [sys.executable, "-m", "IPython", "--no-banner", "--quick", "-c", code]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "run: finished at step 1" in done.stdout
