"""Ranks of real jobs: `msrun` on this machine, gradients averaged by a collective."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mswidget import load_run

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
TIMEOUT_S = 120
FOREVER = "1000000"
SCRIPT = """
import sys
import mindspore as ms
from mindspore import nn
from mindspore.communication import init
from mindspore.train import Model
from mswidget import TrainMonitor
from tests.training import Regression, dataset

epochs, *resumed = sys.argv[1:]
init()
ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
network = Regression()
model = Model(nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), 0.01)))
callbacks = [TrainMonitor(resumed[0], resume=True)] if resumed else None
model.train(int(epochs), dataset(5), callbacks)
"""
LOOP = """
import mindspore as ms
from mindspore import ops
from mindspore.communication import init
from mswidget import start_run

init()
reduce = ops.AllReduce()
with start_run("run") as run:
    while not run.stop_requested:
        run.log({"loss": reduce(ms.Tensor([0.5]))})
        if (run.rank, run.step) == (1, 10):
            run.request_stop()
"""


class Job:
    """A job of two ranks that trains for some epochs of five steps."""

    def __init__(self, folder, *words):
        self.folder = folder
        self.process = subprocess.Popen(
            [
                *(BIN / "msrun", "--worker_num=2", "--local_worker_num=2"),
                *(f"--master_port={free_port()}", "--join=True"),
                *(f"--log_dir=msrun_{words[-1]}", *words),
            ],
            cwd=folder,
            env={
                **os.environ,
                "PATH": f"{BIN}:{os.environ['PATH']}",
                "PYTHONPATH": str(ROOT),
                "MODEL_NAME": "run",
                "MSWIDGET_LOG_DIR": str(folder / "logs"),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def end(self):
        """Return the exit status; what was said goes to the test's output."""
        sys.stdout.write(self.process.communicate(timeout=TIMEOUT_S)[0])
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)  # msrun then ends its workers
        self.process.communicate()


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def folders_of(logs, *words):
    """Return the run folders of the jobs that were started with such words."""
    return [
        found.parent
        for found in logs.glob("run*/run.json")
        if json.loads(found.read_text("utf-8"))["command"][1:] == list(words)
    ]


def wait_for_steps(logs, *words):
    end = time.monotonic() + TIMEOUT_S
    while time.monotonic() < end:
        for path in folders_of(logs, *words):
            rank = path / "rank_1.jsonl"
            if rank.exists() and '"step": 10,' in rank.read_text("utf-8"):
                return path
        time.sleep(0.1)
    raise TimeoutError(words)


def steps_of(path, attempt="a1"):
    """Return the steps of each rank."""
    frame = load_run(path).to_pandas()
    frame = frame[frame["attempt"] == attempt]
    return {rank: rows.index.tolist() for rank, rows in frame.groupby("rank")}


def ends_of(path, attempt="a1"):
    """Return how each rank ended."""
    lines = (file.read_text("utf-8").splitlines() for file in path.glob("rank_*"))
    last = [json.loads(of_rank[-1]) for of_rank in lines]
    return [line["event"] for line in last if line["attempt"] == attempt]


RUN = ("python", "-m", "mswidget", "run", "train.py")
SHORT = [*range(1, 11)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("jobs")
    (folder / "train.py").write_text(SCRIPT)
    (folder / "loop.py").write_text(LOOP)
    return folder


@pytest.fixture(scope="module")
def stopped(folder):
    """Two jobs at the same time, of which one is stopped: its folder."""
    with Job(folder, *RUN, FOREVER) as endless, Job(folder, *RUN, "2") as short:
        path = wait_for_steps(folder / "logs", FOREVER)
        stop = [sys.executable, "-m", "mswidget", "stop", path]
        said = subprocess.run(
            stop, cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert "asked to end after step" in said.stdout
        assert (endless.end(), short.end()) == (0, 0)
    return path


def test_a_stop_ends_both_ranks_after_the_same_step(stopped):
    one, two = steps_of(stopped).values()
    assert one == two == [*range(1, len(one) + 1)]
    assert json.loads((stopped / "STOP").read_text())["stop_at_step"] == len(one)
    assert ends_of(stopped) == ["stopped", "stopped"]


def test_a_job_at_the_same_time_has_its_own_folder(folder, stopped):
    (path,) = folders_of(folder / "logs", "2")
    assert path != stopped
    assert steps_of(path) == {0: SHORT, 1: SHORT}
    assert ends_of(path) == ["train_end", "train_end"]


@pytest.fixture(scope="module")
def later(folder, stopped):
    """The next attempt of the job that was stopped, and a loop of its user's own."""
    (stopped / "STOP").write_text('{"attempt": "a1", "stop_at_step": 20}')
    with (
        Job(folder, "train.py", "20", stopped.name) as resumed,
        Job(folder, "loop.py", "loop") as loop,
    ):
        assert (resumed.end(), loop.end()) == (0, 0)
    return folders_of(folder / "logs", "loop")


def test_an_old_stop_does_not_end_the_next_attempt(stopped, later):
    assert stopped not in later
    every = [*range(1, 101)]
    assert steps_of(stopped, "a2") == {0: every, 1: every}
    assert ends_of(stopped, "a2") == ["train_end", "train_end"]


def test_a_loop_that_one_rank_stops_ends_on_both_after_the_same_step(later):
    (path,) = later
    one, two = steps_of(path).values()
    assert one == two == [*range(1, len(one) + 1)]
    assert len(one) > 10
    assert set(load_run(path).to_pandas()["loss"]) == {1.0}
    assert ends_of(path) == ["stopped", "stopped"]
