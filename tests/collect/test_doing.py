"""What a training's thread is in the middle of, in real calls of MindSpore."""

import threading

import mindspore as ms
import pytest
from mindspore import nn, ops
from mindspore.train import Callback, CheckpointConfig, Model, ModelCheckpoint

from mswidget import TrainMonitor
from mswidget.run.doing import doing
from tests.training import AtStep, Regression, dataset, small_model


def now(*_):
    return doing(threading.get_ident())


class Looks(Callback):
    """Keeps what is found at an evaluation's steps."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def on_eval_step_end(self, run_context):  # noqa: ARG002 - a hook's
        self.seen.add(now())


def test_a_checkpoint_is_saved_whoever_asks_for_it(tmp_path):
    seen = set()
    network, file = nn.Dense(3, 1), str(tmp_path / "a.ckpt")
    ms.save_checkpoint(network, file, choice_func=lambda _: seen.add(now()) or True)
    assert seen == {"saving"}


def test_an_evaluation_is_one_whoever_asks_for_it():
    model = Model(nn.Dense(3, 1), nn.MSELoss(), metrics={"mae"})
    looks = Looks()
    model.eval(dataset(2), callbacks=[looks])
    assert looks.seen == {"evaluating"}


def test_a_graph_that_is_compiled_again_is_known():
    ms.set_context(mode=ms.GRAPH_MODE)
    seen = []

    @ops.constexpr(reuse_result=False)
    def look(_):
        seen.append(now())
        return 1.0

    class Network(nn.Cell):
        def construct(self, x):
            return x * look(ops.shape(x))

    Network()(ms.Tensor([1.0, 2.0]))
    assert set(seen) == {"compiling"}


def test_a_step_is_none_of_these(tmp_path):
    seen = set()

    class Network(Regression):
        def construct(self, x, y):
            seen.add(now())
            return super().construct(x, y)

    ms.set_context(mode=ms.PYNATIVE_MODE)
    monitor = TrainMonitor("run", tmp_path, display=False)
    small_model(Network()).train(1, dataset(3), callbacks=[monitor])
    assert None in seen
    assert now() is None


def test_a_thread_that_is_gone_does_nothing():
    thread = threading.Thread(target=list)
    thread.start()
    thread.join()
    assert doing(thread.ident) is None


def test_steps_that_are_not_logged_count_as_steps(tmp_path):
    found = []
    monitor = TrainMonitor("run", tmp_path, display=False, log_interval=100)
    look = AtStep(8, lambda _: found.append(monitor.run._head()["status"]))
    small_model().train(1, dataset(9), callbacks=[monitor, look])
    (status,) = found
    assert status["step"] is None
    assert status["last_step_s"] > status["begun_s"]
    assert status["usual_step_s"] > 0


@pytest.mark.parametrize("order", ["before", "behind"])
def test_a_training_that_saves_says_so(tmp_path, order, monkeypatch):
    monkeypatch.setattr("mswidget.widget.status._LOOK_S", -1.0)  # at once
    seen = []
    monitor = TrainMonitor("run", tmp_path, display=False)

    def save(*arguments, **options):
        seen.append(monitor.run._head()["status"]["phase"])
        ms.save_checkpoint(*arguments, **options)

    monkeypatch.setattr("mindspore.train.callback._checkpoint.save_checkpoint", save)
    saver = ModelCheckpoint("m", str(tmp_path), CheckpointConfig(2))
    callbacks = [saver, monitor] if order == "before" else [monitor, saver]
    small_model().train(1, dataset(4), callbacks=callbacks)
    assert seen == ["saving"] * 2
