"""What a page may ask of a training of MindSpore's, between two of its steps."""

import mindspore as ms
import numpy as np
import pytest
from mindspore.train import Callback

from mswidget import TrainMonitor, load_run
from tests.training import MODE_NAMES, MODES, AtStep, dataset, events, small_model

pytestmark = pytest.mark.usefixtures("pynative")


def ask(monitor, kind, value=None):
    """Return a call that asks for something as the page does."""
    return lambda _: monitor.run._commands.ask(kind, value)


def become_of(monitor, kind):
    """Return what the page is told of a command."""
    (command,) = (c for c in monitor.run.status["commands"] if c["kind"] == kind)
    return command


class Weights(Callback):
    """Keeps what the parameters are at the end of each step."""

    def __init__(self):
        super().__init__()
        self.at = {}

    def on_train_step_end(self, run_context):
        params = run_context.original_args()
        network = params.train_network
        self.at[params.cur_step_num] = {
            parameter.name: parameter.asnumpy().copy()
            for parameter in network.get_parameters()
        }


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
def test_a_checkpoint_holds_the_parameters_of_its_step(mode, monitor):
    ms.set_context(mode=mode)
    weights, press = Weights(), AtStep(3, ask(monitor, "ask_save"))
    small_model().train(2, dataset(4), callbacks=[press, monitor, weights])
    file = monitor.run.path / "checkpoint" / "step_3.ckpt"
    told = become_of(monitor, "ask_save")
    assert (told["state"], told["step"], told["text"]) == ("done", 3, str(file))
    saved = ms.load_checkpoint(str(file))
    expected, later = weights.at[3], weights.at[4]
    assert saved.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_array_equal(saved[name].asnumpy(), value)
    assert any((expected[name] != later[name]).any() for name in expected)


def test_a_checkpoint_is_marked_as_one_of_mindspore_is(monitor):
    press = AtStep(2, ask(monitor, "ask_save"))
    small_model().train(1, dataset(3), callbacks=[press, monitor])
    (event,) = events(monitor.run, "checkpoint")
    assert (event["step"], event["file"]) == (2, become_of(monitor, "ask_save")["text"])
    assert [
        m["step"] for m in monitor.run._head()["marks"] if m["kind"] == "checkpoint"
    ] == [2]
    assert len(load_run(monitor.run.path).to_pandas()) == 3


def test_a_checkpoint_that_cannot_be_written_stops_no_step(monitor):
    def block(_):
        (monitor.run.path / "checkpoint").write_text("", encoding="utf-8")
        monitor.run._commands.ask("ask_save")

    small_model().train(1, dataset(4), callbacks=[AtStep(2, block), monitor])
    run = monitor.run
    assert (run.phase, run.step) == ("finished", 4)
    assert become_of(monitor, "ask_save")["state"] == "failed"
    assert any("saving a checkpoint failed at step 2" in text for text in run.notices)


def test_a_function_of_the_user_saves_in_place_of_ours(tmp_path):
    def save(path):
        path.write_text("mine", encoding="utf-8")

    monitor = TrainMonitor("run", tmp_path, display=False, save=save)
    press = AtStep(1, ask(monitor, "ask_save"))
    small_model().train(1, dataset(2), callbacks=[press, monitor])
    file = monitor.run.path / "checkpoint" / "step_1.ckpt"
    assert file.read_text(encoding="utf-8") == "mine"


def test_a_save_that_is_no_function_is_refused(tmp_path):
    with pytest.raises(TypeError, match=r"save must be a function .* found True"):
        TrainMonitor("run", tmp_path, save=True)


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
def test_another_interval_counts_from_the_step_at_which_it_was_asked(mode, monitor):
    ms.set_context(mode=mode)
    press = AtStep(5, ask(monitor, "ask_log_interval", 4))
    small_model().train(1, dataset(15), callbacks=[press, monitor])
    steps = monitor.run.to_pandas().index.tolist()
    assert steps == [1, 2, 3, 4, 5, 8, 12, 15]
    told = become_of(monitor, "ask_log_interval")
    assert (told["state"], told["step"], told["value"]) == ("done", 5, 4)
    (event,) = events(monitor.run, "log_interval")
    assert (event["step"], event["steps"]) == (5, 4)


def test_another_interval_stays_for_the_next_call_of_train(monitor):
    model = small_model()
    press = AtStep(1, ask(monitor, "ask_log_interval", 3))
    model.train(1, dataset(4), callbacks=[press, monitor])
    model.train(1, dataset(5), callbacks=[monitor])
    assert monitor.run.to_pandas().index.tolist() == [1, 3, 4, 6, 9]
    assert become_of(monitor, "ask_log_interval")["value"] == 3


def test_weights_are_watched_at_steps_that_are_logged(tmp_path):
    monitor = TrainMonitor(
        "run", tmp_path, display=False, watch=["*"], watch_interval=4
    )
    press = AtStep(2, ask(monitor, "ask_log_interval", 3))
    small_model().train(1, dataset(20), callbacks=[press, monitor])
    frame = monitor.run.to_pandas()
    watched = frame[[name for name in frame if name.startswith("weight_")]]
    assert watched.dropna(how="all").index.tolist() == [1, 6, 12, 18]
