"""What is recorded of a training: found by itself, and given by the user."""

import argparse
import json
import math
import re
import subprocess
import sys

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn
from mindspore.amp import auto_mixed_precision
from mindspore.experimental import optim
from mindspore.train import Model

import mswidget.collect.config
from mswidget import TrainMonitor, start_run
from mswidget.collect.config import capture
from mswidget.run.provenance import git, versions
from tests.training import BATCH, Regression, dataset


@pytest.fixture(autouse=True)
def _pynative():
    ms.set_context(mode=ms.PYNATIVE_MODE)


def run_json(run):
    return json.loads((run.path / "run.json").read_text(encoding="utf-8"))


def begin(run):
    lines = (run.path / "rank_0.jsonl").read_text(encoding="utf-8").splitlines()
    return [x for x in map(json.loads, lines) if x.get("event") == "train_begin"]


def train(folder, make_optimizer=None, **options):
    network = Regression()
    make = make_optimizer or (lambda found: nn.Momentum(found, 0.1, 0.9, 1e-4))
    step = nn.TrainOneStepCell(network, make(network.trainable_params()))
    monitor = TrainMonitor("run", folder, watch=False, display=False, **options)
    Model(step).train(2, dataset(3), callbacks=[monitor])
    return monitor.run


def test_what_is_trained_is_recorded_before_it_trains(tmp_path):
    config = run_json(train(tmp_path))["config"]
    assert config["network"]["type"] == "Regression"
    assert config["network"]["parameters"] == 4
    assert config["network"]["train_step"] == "TrainOneStepCell"
    assert config["optimizer"]["type"] == "Momentum"
    assert config["optimizer"]["momentum"] == 0.9
    assert config["optimizer"]["weight_decay"] == 1e-4
    assert config["learning_rate"] == {"lr": {"kind": "constant", "value": 0.1}}
    assert config["data"] == {
        "batches": 3, "batch_size": BATCH, "epochs": 2, "sink": False, "sink_size": None
    }  # fmt: skip
    assert (config["context"]["mode"], config["context"]["device"]) == (
        "pynative",
        "CPU",
    )


@pytest.mark.parametrize(
    ("rate", "facts"),
    [
        ([0.3, 0.2, 0.1, 0.1, 0.1, 0.1], {"kind": "list", "first": 0.3, "last": 0.1}),
        (nn.WarmUpLR(0.5, 4), {"kind": "WarmUpLR", "warmup_steps": 4}),
    ],
)
def test_the_kind_of_learning_rate_is_recorded(tmp_path, rate, facts):
    run = train(tmp_path, lambda found: nn.SGD(found, rate))
    found = run_json(run)["config"]["learning_rate"]["lr"]
    assert facts.items() <= found.items()


def test_each_group_is_recorded():
    network = Regression()
    weight, bias = network.trainable_params()
    groups = [{"params": [weight], "lr": 0.25}, {"params": [bias]}]
    found = capture({"train_network": network}, optim.AdamW(groups, lr=0.5))
    assert [group["lr"] for group in found["optimizer"]["groups"]] == [0.25, 0.5]
    assert found["learning_rate"]["lr/0:dense.weight"]["value"] == 0.25


def test_the_precision_is_recorded():
    network = auto_mixed_precision(Regression(), "O2")
    found = capture({"train_network": network}, None)
    assert found["network"]["amp_level"] == "O2"


def test_what_the_user_gives_is_recorded_without_secrets(tmp_path):
    given = argparse.Namespace(
        lr=np.float32(0.5),
        hidden=np.int64(64),
        clip=math.inf,
        tags=("a", "b"),
        api_token="abcdef",  # noqa: S106 - what is tested
        data={"url": "https://me:word@host/x", "password": "word"},
    )
    run = train(tmp_path, config=given)
    for found in (run_json(run), *begin(run)):
        assert found["config"]["given"]["hidden"] == 64
        assert found["config"]["given"]["clip"] == "inf"
        assert found["config"]["given"]["tags"] == ["a", "b"]
        assert "abcdef" not in json.dumps(found)
        assert "word" not in json.dumps(found["config"]["given"]["data"]).replace(
            "password", ""
        )


def test_a_loop_records_its_config_too(tmp_path):
    with start_run("loop", log_dir=tmp_path, config={"seed": 7}, display=False) as run:
        run.log({"loss": 1.0})
    assert run_json(run)["config"] == {"given": {"seed": 7}}


@pytest.mark.parametrize("config", [3, "lr=1", ["lr", 1], dict])
def test_a_config_without_names_is_refused(tmp_path, config):
    with pytest.raises(TypeError, match="config must be a dict"):
        start_run("loop", log_dir=tmp_path, config=config)
    with pytest.raises(TypeError, match="config must be a dict"):
        TrainMonitor("run", tmp_path, config=config)


def test_a_resumed_attempt_records_what_it_is_itself(tmp_path):
    for momentum in (0.5, 0.9):
        run = train(
            tmp_path,
            lambda found, m=momentum: nn.Momentum(found, 0.1, m),
            resume=True,
            start_step=0 if momentum == 0.5 else 6,
        )
    assert run.attempt == "a2"
    found = [line["config"]["optimizer"]["momentum"] for line in begin(run)]
    assert found == [0.5, 0.9]


def test_what_cannot_be_found_out_says_why(tmp_path, monkeypatch):
    def fail(*_):
        raise RuntimeError("no device")

    monkeypatch.setattr(mswidget.collect.config, "_context", fail)
    run = train(tmp_path)
    assert run_json(run)["config"]["context"] == "unknown (RuntimeError: no device)"
    assert run.phase == "finished"


class Broken:
    def __str__(self):
        raise RuntimeError("broken")


def test_a_config_that_cannot_be_said_hurts_no_training(tmp_path):
    run = train(tmp_path, config={"what": Broken()})
    assert run.to_pandas().index.tolist() == [1, 2, 3, 4, 5, 6]


def test_versions_are_those_of_this_process():
    found = versions()
    assert found["mindspore"] == ms.__version__
    assert found["numpy"] == np.__version__
    assert sys.version.startswith(found["python"])


def committed(folder):
    """Make a repository with one commit; return what git says of it."""

    def call(*words):
        command = ["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=e"]
        done = subprocess.run([*command, *words], check=True, capture_output=True)
        return done.stdout.decode().strip()

    call("init", "-q", "-b", "topic/one")
    call("commit", "-q", "--allow-empty", "-m", "x")
    return call


def test_the_commit_is_read_without_running_git(tmp_path):
    call = committed(tmp_path)
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    sha = call("rev-parse", "HEAD")
    assert git(inside) == {"commit": sha, "branch": "topic/one"}
    call("pack-refs", "--all")
    assert git(inside) == {"commit": sha, "branch": "topic/one"}
    call("checkout", "-q", "--detach")
    assert git(inside) == {"commit": sha}


def test_the_commit_of_a_worktree_is_its_own(tmp_path):
    call = committed(tmp_path)
    call("worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"))
    found = git(tmp_path / "tree")
    assert found == {"commit": call("rev-parse", "other"), "branch": "other"}


@pytest.mark.parametrize("head", ["", "ref: refs/heads/gone\n", "ref: ../../x\n"])
def test_a_repository_that_is_no_good_has_no_commit(tmp_path, head):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text(head)
    assert not re.search("[0-9a-f]{40}", str(git(tmp_path)))
