"""A training that was killed goes on from its checkpoint at the true step."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import mindspore as ms
import numpy as np
import pandas as pd
import pytest
from mindspore import nn
from mindspore.train import Model

from mswidget import TrainMonitor, load_run
from mswidget.records.curve import curve
from tests.training import AtStep, Regression, dataset

ROOT = Path(__file__).parents[2]
EPOCHS, SIZE = 3, 10
SAVED = 10
RATES = [0.001 * count for count in range(1, EPOCHS * SIZE + 1)]
KILLED = f"""
import os, signal, sys, time
from pathlib import Path
import mindspore as ms
from mswidget import TrainMonitor
from tests.run.test_resume import SAVED, new_model
from tests.training import AtStep, dataset

folder = Path(sys.argv[1])
network, optimizer, model = new_model()

def save(_):
    ms.save_checkpoint(network, str(folder / "network.ckpt"))
    ms.save_checkpoint(optimizer, str(folder / "whole.ckpt"))

def die(_):
    while '"step": 15' not in (folder / "logs/run/rank_0.jsonl").read_text():
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)

monitor = TrainMonitor("run", folder / "logs", display=False)
callbacks = [monitor, AtStep(SAVED, save), AtStep(17, die)]
model.train({EPOCHS}, dataset({SIZE}), callbacks=callbacks)
"""


def new_model():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    network = Regression()
    optimizer = nn.Adam(network.trainable_params(), RATES)
    return network, optimizer, Model(nn.TrainOneStepCell(network, optimizer))


def train(model, folder, *callbacks, epochs=EPOCHS - 1, **options):
    """Train for what is left, and return the run as its files say it."""
    initial_epoch = options.pop("initial_epoch", 0)
    monitor = TrainMonitor("run", folder, display=False, **options)
    given = [monitor, *callbacks]
    model.train(epochs, dataset(SIZE), callbacks=given, initial_epoch=initial_epoch)
    return load_run(monitor.run.path)


@pytest.fixture(scope="module")
def true_losses(tmp_path_factory):
    """What a training logs that nobody kills."""
    *_, model = new_model()
    run = train(model, tmp_path_factory.mktemp("whole"), epochs=EPOCHS)
    return run.to_pandas()["loss"].tolist()


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("killed")
    command = [sys.executable, "-c", KILLED, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    return folder


@pytest.fixture
def logs(killed, tmp_path):
    shutil.copytree(killed / "logs", tmp_path / "logs")
    return tmp_path / "logs"


def reload(killed, *, whole=True):
    """Return a new process's model as the checkpoint left it."""
    network, optimizer, model = new_model()
    saved = killed / ("whole.ckpt" if whole else "network.ckpt")
    loaded = ms.load_checkpoint(str(saved))
    ms.load_param_into_net(optimizer if whole else network, loaded)
    return model


def begins(run):
    return [
        (event.attempt, event.fields["offset"], event.fields["offset_from"])
        for event in run.ranks[0].events
        if event.name == "train_begin"
    ]


def check_resumed(run, source):
    assert run.path.name == "run"
    assert begins(run) == [("a1", 0, "a new training"), ("a2", SAVED, source)]
    table = run.to_pandas()
    before, after = (table[table["attempt"] == name] for name in ("a1", "a2"))
    assert before.index.tolist() == [*range(1, len(before) + 1)]
    assert 15 <= len(before) <= 17
    assert after.index.tolist() == [*range(SAVED + 1, EPOCHS * SIZE + 1)]
    latest = run.to_pandas(attempts="latest")
    assert latest.index.tolist() == [*range(1, EPOCHS * SIZE + 1)]
    drawn = curve(run.ranks[0].history.rows(), "loss")
    assert drawn.values.tolist() == latest["loss"].tolist()


def test_the_optimizer_knows_how_far_it_was(killed, logs, true_losses):
    run = train(reload(killed), logs)
    check_resumed(run, "the optimizer's global_step")
    losses = run.to_pandas(attempts="latest")["loss"]
    np.testing.assert_allclose(losses, true_losses, rtol=1e-5)


def test_the_monitor_has_the_earlier_attempts_too(killed, logs):
    model = reload(killed)
    monitor = TrainMonitor("run", logs, display=False)
    seen = []
    look = AtStep(5, lambda _: seen.append(len(monitor.run.to_pandas())))
    model.train(EPOCHS - 1, dataset(SIZE), callbacks=[monitor, look])
    live, read = monitor.run.to_pandas(), load_run(logs / "run").to_pandas()
    pd.testing.assert_frame_equal(live, read)
    assert seen == [len(read) - (EPOCHS - 1) * SIZE + 5]
    assert set(monitor.run.alerts["attempt"]) <= {"a2"}


def test_the_user_says_how_far_it_was(killed, logs):
    model = reload(killed, whole=False)
    check_resumed(train(model, logs, start_step=SAVED), "start_step")


def test_the_model_says_how_far_it_was(killed, logs):
    model = reload(killed, whole=False)
    model._initial_step = SAVED  # as MindFormers' trainer sets it
    check_resumed(train(model, logs), "initial_step")


def test_the_first_epoch_says_how_far_it_was(killed, logs):
    run = train(reload(killed, whole=False), logs, initial_epoch=1, epochs=EPOCHS)
    check_resumed(run, "initial_epoch")
    assert run.to_pandas(attempts="latest")["epoch"].iloc[-1] == EPOCHS


def test_the_same_name_without_a_checkpoint_is_a_new_run(logs):
    *_, model = new_model()
    run = train(model, logs)
    assert run.path.name == "run-2"
    assert begins(run) == [("a1", 0, "a new training")]
    assert begins(load_run(logs / "run")) == [("a1", 0, "a new training")]


def test_killed_twice_it_is_the_third_attempt(killed, logs):
    for _ in range(2):
        run = train(reload(killed), logs)
    assert [attempt for attempt, *_ in begins(run)] == ["a1", "a2", "a3"]
    latest = run.to_pandas(attempts="latest")
    assert latest.index.tolist() == [*range(1, EPOCHS * SIZE + 1)]
    assert latest["attempt"].tolist() == ["a1"] * SAVED + ["a3"] * 2 * SIZE


def test_a_checkpoint_loaded_between_trainings_begins_an_attempt(tmp_path):
    _, optimizer, model = new_model()
    monitor = TrainMonitor("run", tmp_path, display=False)
    path = str(tmp_path / "whole.ckpt")
    save = AtStep(4, lambda _: ms.save_checkpoint(optimizer, path))
    model.train(1, dataset(SIZE), callbacks=[monitor, save])
    ms.load_param_into_net(optimizer, ms.load_checkpoint(path))
    model.train(1, dataset(SIZE), callbacks=[monitor])
    model.train(1, dataset(2), callbacks=[monitor])
    table = load_run(tmp_path / "run").to_pandas()
    again = table[table["attempt"] == "a2"]
    assert table.index.tolist() == [*range(1, 11), *range(5, 17)]
    assert again.index.tolist() == [*range(5, 17)]


def test_a_training_from_the_start_again_is_a_new_run(tmp_path):
    _, optimizer, model = new_model()
    monitor = TrainMonitor("run", tmp_path, display=False)
    path = str(tmp_path / "whole.ckpt")
    ms.save_checkpoint(optimizer, path)
    for _ in range(2):
        ms.load_param_into_net(optimizer, ms.load_checkpoint(path))
        model.train(1, dataset(3), callbacks=[monitor])
    assert monitor.run.name == "run-2"
    assert monitor.run.to_pandas().index.tolist() == [1, 2, 3]
