"""Trainings that are monitored without a change in their code."""

import functools
import subprocess
import sys
from pathlib import Path

import mindspore as ms
import pytest
from mindspore import nn
from mindspore.train import Callback, LossMonitor, Model
from mindspore.train.model import Model as SameModel

import mswidget
from mswidget import TrainMonitor, load_run
from mswidget.collect.auto import monitored
from mswidget.run.start import RUNS
from tests.kernel import kernel
from tests.runs_here import forget_runs
from tests.training import MODE_NAMES, MODES, Regression, dataset

ROOT = Path(__file__).parents[2]
TRAIN, FIT = Model.train, Model.fit


@pytest.fixture(autouse=True)
def _auto(tmp_path, monkeypatch):
    monkeypatch.setenv("MSWIDGET_LOG_DIR", str(tmp_path))
    monkeypatch.setenv("MODEL_NAME", "run")
    ms.set_context(mode=ms.PYNATIVE_MODE)
    forget_runs()
    mswidget.auto()
    yield
    mswidget.auto(on=False)
    forget_runs()


def model(kind=Model):
    network = Regression()
    return kind(nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), 0.01)))


def last_run():
    *_, last = RUNS
    return last


def steps():
    return [load_run(past.path).to_pandas().index.tolist() for past in RUNS.past]


class Counter(Callback):
    """Counts steps."""

    def __init__(self):
        super().__init__()
        self.steps = 0

    def on_train_step_end(self, _):
        self.steps += 1


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
def test_a_training_is_monitored(mode):
    ms.set_context(mode=mode)
    model().train(1, dataset(3))
    assert steps() == [[1, 2, 3]]
    assert last_run().phase == "finished"


def test_fit_is_monitored_with_its_evaluation():
    network = nn.Dense(3, 1)
    optimizer = nn.SGD(network.trainable_params(), 0.01)
    fitted = Model(network, nn.MSELoss(), optimizer, metrics={"mae"})
    fitted.fit(1, dataset(3), dataset(2))
    assert "eval/mae" in last_run().to_pandas()


@pytest.mark.parametrize("given", [lambda c: c, lambda c: [c], lambda c: (c,)])
@pytest.mark.parametrize("by_name", [True, False])
def test_the_users_callbacks_are_kept(given, by_name):
    counter = Counter()
    callbacks = given(counter)
    if by_name:
        model().train(1, dataset(3), callbacks=callbacks)
    else:
        model().train(1, dataset(3), callbacks, False)  # noqa: FBT003
    assert counter.steps == 3
    assert steps() == [[1, 2, 3]]
    assert callbacks == given(counter)


@pytest.mark.parametrize("given", [lambda m: m, lambda m: [m], lambda m: (m,)])
def test_a_monitor_of_the_users_own_is_not_doubled(given):
    monitor = TrainMonitor("mine")
    model().train(1, dataset(2), given(monitor))
    assert [past.name for past in RUNS.past] == ["mine"]


def test_a_model_goes_on_in_its_run_and_another_has_its_own():
    first, second = model(), model()
    for trained in (first, second, first):
        trained.train(1, dataset(2))
    assert [past.name for past in RUNS.past] == ["run-2", "run"]
    assert steps() == [[1, 2], [1, 2, 3, 4]]


def test_a_model_of_the_users_own_class_is_monitored():
    class Mine(SameModel):
        def train(self, *args, **kwargs):
            super().train(*args, **kwargs)

    model(Mine).train(1, dataset(2))
    assert steps() == [[1, 2]]


def test_off_leaves_mindspore_as_it_was():
    mswidget.auto()
    mswidget.auto(log_interval=2)
    assert Model.train is not TRAIN
    mswidget.auto(on=False)
    mswidget.auto(on=False)
    assert (Model.train, Model.fit) == (TRAIN, FIT)
    model().train(1, dataset(2))
    assert not RUNS.past


def test_off_is_off_below_a_patch_of_somebody_else(monkeypatch):
    monkeypatch.setattr(Model, "train", functools.partialmethod(Model.train))
    mswidget.auto(on=False)
    model().train(1, dataset(2))
    assert not RUNS.past
    monkeypatch.setattr(Model, "train", TRAIN)


def test_its_options_are_those_of_the_monitor():
    mswidget.auto(log_interval=2)
    model().train(1, dataset(4))
    assert steps() == [[2, 4]]


def test_a_wrong_option_is_told_at_once():
    with pytest.raises(TypeError, match="log_interval"):
        mswidget.auto(log_intervall=2)


def test_an_error_of_ours_never_ends_the_training(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").touch()
    monkeypatch.setenv("MSWIDGET_LOG_DIR", str(tmp_path / "file"))
    counter = Counter()
    model().train(1, dataset(2), [counter])
    assert counter.steps == 2
    assert "nothing can be written there" in caplog.text


def test_an_error_of_the_users_is_his_own():
    with pytest.raises(TypeError, match="train_dataset"):
        model().train(1)
    with pytest.raises(ValueError, match="must > 0"):
        model().train(0, dataset(2))


def test_the_training_ends_as_its_callbacks_say():
    with pytest.raises(ValueError, match="loss is NAN"):
        model().train(1, dataset(4, nan_at=2), LossMonitor())
    assert steps() == [[1, 2]]
    assert last_run().phase == "failed"


BEFORE_THE_IMPORT = """
import os, sys, mswidget
mswidget.auto()
assert "mindspore" not in sys.modules
os.environ["GLOG_v"] = "4"
from mindspore.train import Model
from tests.collect.test_auto import TRAIN, FIT, dataset, model
if sys.argv[1:] == ["off"]:
    mswidget.auto(on=False)
    assert Model.train.__module__ == "mindspore.train.model"
    assert not hasattr(Model.train, "__wrapped__")
model().train(1, dataset(3))
"""


@pytest.mark.parametrize(("words", "runs"), [([], ["run"]), (["off"], [])])
def test_mindspore_may_be_imported_later(tmp_path, words, runs):
    code = [sys.executable, "-c", BEFORE_THE_IMPORT, *words]
    subprocess.run(code, check=True)
    assert [path.name for path in tmp_path.glob("run*/")] == runs
    assert all(len(load_run(tmp_path / run).to_pandas()) == 3 for run in runs)


def test_off_before_the_import_leaves_no_trace():
    code = """
import sys, mswidget
before = list(sys.meta_path)
mswidget.auto()
mswidget.auto()
mswidget.auto(on=False)
assert sys.meta_path == before
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_is_trained_meanwhile_is_monitored():
    mswidget.auto(on=False)
    before = Model.train, Model.fit
    with monitored():
        model().train(1, dataset(3))
    assert steps() == [[1, 2, 3]]
    assert (Model.train, Model.fit) == before


def test_who_monitors_anyway_goes_on():
    mswidget.auto(display=False)
    ours = Model.train
    with monitored():
        assert Model.train is ours
    assert Model.train is ours


IN_A_KERNEL = f"""
%load_ext mswidget
%mswidget auto
import sys
sys.path.insert(0, {str(ROOT)!r})
from mindspore import nn
from mindspore.train import Model
from tests.training import Regression, dataset
network = Regression()
model = Model(nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), 0.01)))
"""


def test_in_a_notebook_each_cell_that_trains_shows_the_run(tmp_path):
    with kernel(folder=tmp_path) as running:
        running.run(IN_A_KERNEL)
        for _ in range(2):
            running.messages.clear()
            running.run("model.train(1, dataset(3))")
            shown = [
                message["content"]["data"]
                for message in running.messages
                if message["msg_type"] == "display_data"
            ]
            assert any("widget-view" in kind for data in shown for kind in data)
    assert len(load_run(*tmp_path.glob("run*/")).to_pandas()) == 6
