"""``python -m mswidget``, as it is typed."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from mswidget import load_run, start_run

ROOT = Path(__file__).parents[1]


def python(*words, folder, **options):
    env = {**os.environ, "MSWIDGET_LOG_DIR": str(folder / "logs"), "MODEL_NAME": "run"}
    env["PYTHONPATH"] = str(ROOT)
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def both(*words, folder, **options):
    """Return what Python does with a script, and what we do."""
    mine = python("-m", "mswidget", "run", *words, folder=folder, **options)
    return python(*words, folder=folder, **options), mine


@pytest.fixture
def script(tmp_path):
    def write(code, name="train.py"):
        (tmp_path / name).write_text(textwrap.dedent(code), encoding="utf-8")
        return name

    return write


SHOW = """
import sys
if __name__ == "__main__":
    print(sys.argv, __file__, __name__, __package__, sys.path[0], input())
    print(sys.modules["__main__"].__dict__ is globals(), sys.flags.interactive)
"""


def test_a_script_sees_what_it_sees_without_us(script, tmp_path):
    (tmp_path / "sub").mkdir()
    name = script(SHOW, "sub/train.py")
    arguments = [name, "--epochs", "3", "--help", "-m", "名"]
    theirs, ours = both(*arguments, folder=tmp_path, input="typed\n")
    assert ours.stdout == theirs.stdout
    assert "typed" in ours.stdout
    assert (ours.returncode, ours.stderr) == (0, "")


def test_a_module_sees_what_it_sees_without_us(script, tmp_path):
    script(SHOW, "train.py")
    theirs, ours = both("-m", "train", "--epochs", folder=tmp_path, input="typed\n")
    assert ours.stdout == theirs.stdout
    assert "--epochs" in ours.stdout


@pytest.mark.parametrize(
    "code",
    [
        "raise SystemExit(7)",
        "import sys; sys.exit('no data')",
        "import os; os._exit(5)",
        "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
        "raise KeyboardInterrupt",
        "def f(x):\n    return 1 / x\nf(0)",
        "def f(:",
        "from __future__ import no_such_thing",
        "try:\n    {}['a']\nexcept KeyError:\n    raise ValueError('坏')",
        "import sys; sys.excepthook = lambda *error: print('mine', error[0])\n1 / 0",
        "x: no_such_name = 1",
    ],
)
def test_a_script_ends_as_it_ends_without_us(script, tmp_path, code):
    theirs, ours = both(script(code), folder=tmp_path)
    assert ours.returncode == theirs.returncode
    assert ours.stdout == theirs.stdout
    assert ours.stderr == theirs.stderr


def test_a_script_that_is_not_there_is_refused(tmp_path):
    theirs, ours = both("no-such.py", folder=tmp_path)
    assert ours.returncode == theirs.returncode == 2
    assert str(tmp_path / "no-such.py") in ours.stderr


def test_ctrl_c_ends_a_script_as_without_us(script, tmp_path):
    name = script("import time\nprint('ready', flush=True)\ntime.sleep(60)")
    words = [sys.executable, "-m", "mswidget", "run", name]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        words, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == -signal.SIGINT


TRAINS = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import mindspore as ms
from mindspore import nn, ops
from mindspore.train import Model
from tests.training import dataset

class Mine(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 1)

    def construct(self, x, y):
        return ops.square(self.dense(x) - y).mean()

ms.set_context(mode=ms.GRAPH_MODE)
network = Mine()
step = nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), 0.01))
Model(step).train(int(sys.argv[1]), dataset(5))
print("trained")
"""


def test_the_trainings_of_a_script_are_monitored(script, tmp_path):
    ours = python("-m", "mswidget", "run", script(TRAINS), "2", folder=tmp_path)
    assert ours.stdout.endswith("trained\n"), ours.stderr
    assert ours.stdout.startswith("run: ")
    assert len(load_run(tmp_path / "logs" / "run").to_pandas()) == 10


@pytest.mark.parametrize("words", [[], ["explode"], ["run"], ["run", "-x"], ["stop"]])
def test_a_wrong_call_says_what_is_known(tmp_path, words):
    ours = python("-m", "mswidget", *words, folder=tmp_path)
    assert ours.returncode == 2
    assert "python -m mswidget run SCRIPT" in ours.stderr


def test_help_is_no_error(tmp_path):
    ours = python("-m", "mswidget", "--help", folder=tmp_path)
    assert (ours.returncode, ours.stderr) == (0, "")
    assert "msrun" in ours.stdout


def test_stop_asks_a_run_of_another_process(tmp_path):
    with start_run("run", log_dir=tmp_path, display=False) as run:
        run.log({"loss": 1.0})
        run.flush()
        ours = python("-m", "mswidget", "stop", str(run.path), folder=tmp_path)
    assert (ours.returncode, ours.stderr) == (0, "")
    assert "asked to end after step 21" in ours.stdout


def test_stop_of_no_run_says_so(tmp_path):
    ours = python("-m", "mswidget", "stop", "no-such", folder=tmp_path)
    assert ours.returncode == 2
    assert "no run there" in ours.stderr
