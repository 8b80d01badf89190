"""A plain script that logs: what it pays, and what its end leaves behind."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mswidget.saved.reader import load_run

ROOT = Path(__file__).parents[2]
HEAD = """
import itertools, os, sys, time
from mswidget import start_run
"""


def start(log_dir, code, **options):
    env = {**os.environ, "MSWIDGET_LOG_DIR": str(log_dir), "MODEL_NAME": "run"}
    return subprocess.Popen(
        [sys.executable, "-uc", HEAD + code],
        cwd=ROOT,
        env=env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def run(log_dir, code):
    with start(log_dir, code) as process:
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def saved(log_dir):
    return load_run(log_dir / "run").ranks[0]


def ending(log_dir):
    last = saved(log_dir).events[-1]
    return last.name, last.fields.get("detail", "")


LOGS = """
run = start_run().begin()
for step in range(1, 101):
    run.log({"loss": 1 / step})
"""


def test_a_script_pays_for_no_notebook(tmp_path):
    heavy = "{'IPython', 'anywidget', 'ipywidgets', 'pandas', 'polars', 'mindspore'}"
    code = f"{LOGS}\nrun.finish()\nprint({heavy} & set(sys.modules))"
    status, out, errors = run(tmp_path, code)
    assert (status, out.splitlines()[-1], errors) == (0, "set()", "")
    assert len(saved(tmp_path).records) == 100


def test_a_script_that_forgets_to_finish_loses_nothing(tmp_path):
    assert run(tmp_path, LOGS)[0] == 0
    assert len(saved(tmp_path).records) == 100
    assert ending(tmp_path) == ("train_end", "")


def test_a_script_that_dies_of_an_error_loses_nothing(tmp_path):
    code, _, error = run(tmp_path, LOGS + "raise ValueError('loss is 坏')")
    assert code == 1
    assert error.endswith("ValueError: loss is 坏\n")
    assert len(saved(tmp_path).records) == 100
    assert ending(tmp_path) == ("failed", "ValueError: loss is 坏")


def test_ctrl_c_ends_the_run_as_stopped(tmp_path):
    code = """
with start_run(display=False) as run:
    for step in itertools.count(1):
        run.log({"loss": 1 / step})
        if step == 100: print("ready")
        time.sleep(0.001)
"""
    with start(tmp_path, code) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(2)
        process.communicate()
    assert ending(tmp_path) == ("stopped", "interrupted")
    assert saved(tmp_path).records[-1].step >= 100


def test_a_killed_script_loses_less_than_a_second(tmp_path):
    code = """
run = start_run(display=False)
for step in itertools.count(1):
    run.log({"loss": 1 / step})
    if step == 300: print("ready")
    time.sleep(0.004)
"""
    with start(tmp_path, code) as process:
        assert process.stdout.readline() == "ready\n"
        process.kill()
        killed_s = time.time()
    records = saved(tmp_path).records
    assert [record.step for record in records] == list(range(1, len(records) + 1))
    assert records[-1].wall_time_s > killed_s - 1


CHILD = """
if os.fork() == 0:
    run.log({"loss": -1.0})
    %s
os.wait()
run.log({"loss": 7.0})
"""


@pytest.mark.parametrize("end", ["pass", "sys.exit()", "run.flush()", "run.finish()"])
def test_a_forked_data_worker_writes_nothing(tmp_path, end):
    code = CHILD % f"{end}; os._exit(0)"
    assert run(tmp_path, LOGS + code)[0] == 0
    losses = [record.values["loss"] for record in saved(tmp_path).records]
    assert len(losses) == 101
    assert losses[-1] == 7.0


def test_a_forked_process_has_its_own_runs(tmp_path):
    code = """
child = start_run("child").begin()
    child.log({"loss": 5.0})
    for _ in range(1000):
        if (child.path / "rank_0.jsonl").stat().st_size: break
        time.sleep(0.01)
    os._exit(0)
"""
    assert run(tmp_path, LOGS + CHILD % code.strip())[0] == 0
    assert len(saved(tmp_path).records) == 101
    assert len(load_run(tmp_path / "child").ranks[0].records) == 1


def test_two_ranks_of_one_job_share_a_folder(tmp_path):
    code = f"os.environ['MSWIDGET_JOB'] = 'j'\n{LOGS}"
    ranks = [
        start(tmp_path, f"os.environ['RANK_ID'] = '{rank}'\n{code}") for rank in (0, 1)
    ]
    for process in ranks:
        process.communicate()
    assert [path.name for path in tmp_path.glob("*/")] == ["run"]
    frame = load_run(tmp_path / "run").to_pandas()
    assert frame.groupby("rank").size().to_dict() == {0: 100, 1: 100}
