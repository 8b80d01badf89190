"""``python -m mswidget``, as it is typed."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from mswidget import load_run, start_run
from mswidget.commands.table import commands_at

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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "run [-m] SCRIPT"),
        (["explode"], "'explode' (choose from"),
        (["run"], "required: SCRIPT; usage: python -m mswidget run [-m] SCRIPT"),
        (["run", "-x"], "usage: python -m mswidget run [-m] SCRIPT"),
        (["stop"], "required: RUN; usage: python -m mswidget stop RUN"),
        (["list", "--besst"], "unknown are --besst; usage: python -m mswidget list"),
        (
            ["html", "--every", "0"],
            "--every: '0' is invalid: expected at least 1 second",
        ),
        (
            ["html", "--every", "often"],
            "'often' is invalid: expected at least 1 second",
        ),
        (["compare", "a", "b", "--align", "x"], "'x' is unknown; known are step,"),
        (["compare", "."], "at least two runs; found 1"),
        (["auto"], "'auto' (choose from"),
    ],
)
def test_a_wrong_call_says_what_is_known(tmp_path, words, said):
    ours = python("-m", "mswidget", *words, folder=tmp_path)
    assert (ours.returncode, ours.stdout) == (2, "")
    assert said in ours.stderr
    assert "Traceback" not in ours.stderr


def test_help_is_no_error(tmp_path):
    ours = python("-m", "mswidget", "--help", folder=tmp_path)
    assert (ours.returncode, ours.stderr) == (0, "")
    assert "msrun" in ours.stdout
    assert all(f"\n  {word}" in ours.stdout for word in commands_at("shell"))


def test_each_word_has_a_help(tmp_path):
    ours = python("-m", "mswidget", "watch", "--help", folder=tmp_path)
    assert ours.stdout.startswith(
        "usage: python -m mswidget watch [DIR ...] [--notify WHERE] [--pattern"
    )


def test_who_runs_a_script_pays_for_nothing_that_reads_runs(script, tmp_path):
    name = script("import sys\nprint(*sys.modules)")
    loaded = python("-m", "mswidget", "run", name, folder=tmp_path).stdout.split()
    assert not {"IPython", "pandas", "plotly", "polars", "mindspore"} & set(loaded)


@pytest.fixture
def logs(tmp_path):
    for name in ("base", "基线 1"):
        with start_run(name, log_dir=tmp_path / "logs", display=False) as run:
            run.log({"loss": 0.125 if name == "base" else 0.25})
    return tmp_path / "logs"


def test_runs_are_listed_compared_and_exported(logs, tmp_path):
    listed = python("-m", "mswidget", "list", folder=tmp_path)
    words = ["compare", "base", "基线 1", "--baseline", "base"]
    compared = python("-m", "mswidget", *words, folder=tmp_path)
    words = ["export", "基线 1", "a b.csv"]
    exported = python("-m", "mswidget", *words, folder=tmp_path)
    assert (listed.stderr, compared.stderr, exported.stderr) == ("", "", "")
    assert "基线 1" in listed.stdout
    assert "Distance to base" in compared.stdout
    assert exported.stdout == "a b.csv is written\n"
    load_run(logs / "基线 1").export(tmp_path / "same.csv")
    assert (tmp_path / "a b.csv").read_bytes() == (tmp_path / "same.csv").read_bytes()


def test_a_profile_is_told(tmp_path):
    profile = ROOT / "tests/data/ascend/torch-2023-09"
    ours = python("-m", "mswidget", "profile", str(profile), folder=tmp_path)
    assert (ours.returncode, ours.stderr) == (0, "")
    assert ours.stdout.startswith(f"Profile {profile}\n")
    assert "\nwarn: 50% of the step is communication" in ours.stdout


@pytest.mark.parametrize("word", ["list", "profile", "export", "html"])
def test_what_is_not_there_is_a_failure(tmp_path, word):
    words = [word, "no-such", *(["x.csv"] if word == "export" else [])]
    ours = python("-m", "mswidget", *words, folder=tmp_path)
    assert (ours.returncode, ours.stdout) == (1, "")
    assert ours.stderr.startswith(f"python -m mswidget {word}: ")
    assert "does not exist" in ours.stderr


COMPLETES = """
eval "$(python -m mswidget completion bash)"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_mswidget
printf '%s\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["-m", "mswidget", "co"], ["compare", "completion"]),
        (["-m", "mswidget", "compare", "--b"], ["--baseline"]),
        (["-m", "mswidget", "compare", "基"], ["基线 1"]),
        (["-m", "mswidget", "compare", "--align", "ep"], ["epoch"]),
        (["-m", "mswidget", "export", "lo"], ["logs"]),
        (["-m", "json", "co"], [""]),
    ],
)
@pytest.mark.usefixtures("logs")
def test_bash_completes(tmp_path, words, offered):
    places = {"MSWIDGET_LOG_DIR": str(tmp_path / "logs"), "PYTHONPATH": str(ROOT)}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    found = subprocess.run(
        ["bash", "-c", COMPLETES, "bash", "python", *words],
        cwd=tmp_path,
        env={**os.environ, **places, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (found.stdout.splitlines(), found.stderr) == (offered, "")


def test_stop_asks_a_run_of_another_process(tmp_path):
    with start_run("run", log_dir=tmp_path, display=False) as run:
        run.log({"loss": 1.0})
        run.flush()
        ours = python("-m", "mswidget", "stop", str(run.path), folder=tmp_path)
    assert (ours.returncode, ours.stderr) == (0, "")
    assert "asked to end after step 21" in ours.stdout


def test_stop_of_no_run_says_so(tmp_path):
    ours = python("-m", "mswidget", "stop", "no-such", folder=tmp_path)
    assert ours.returncode == 1
    assert "no run there" in ours.stderr
