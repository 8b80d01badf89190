"""Data sink as on an Ascend, imitated: a CPU has none.

`Sink` calls a real `TrainMonitor` as MindSpore 2.10's ``Model`` does there: one step's
begin and end, and what it calls an epoch, for each sink. The steps in it are real.
"""

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn
from mindspore.train import Model, RunContext
from mindspore.train.callback._callback import CallbackManager, InternalCallbackParam

from mswidget import TrainMonitor
from mswidget.collect.options.tokens import Tokens
from mswidget.collect.sources.pace import Pace
from mswidget.collect.steps.epochs import Epochs
from mswidget.collect.steps.offset import Offset
from mswidget.collect.steps.progress import Progress
from tests.training import (
    BATCH,
    MODE_NAMES,
    MODES,
    AtStep,
    Regression,
    dataset,
    events,
    tensors,
)

RATES = [0.01 * count for count in range(1, 31)]


@pytest.fixture(params=MODES, ids=MODE_NAMES)
def mode(request):
    ms.set_context(mode=request.param)


def step_cell():
    network = Regression()
    return nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), RATES))


class Sink:
    """Trains in sinks of so many steps.

    ``each_step`` calls back at each step all the same, as PyNative mode does.
    """

    def __init__(self, batches, size, *, each_step=False, initial_step=None):
        self.batches, self.size, self.each_step = batches, size, each_step
        self.network = step_cell().set_train()
        self.params = InternalCallbackParam(
            cur_step_num=0, mode="train", parallel_mode="stand_alone", device_number=1,
            batch_num=size, dataset_sink_mode=True, sink_size=size, optimizer=None,
            train_dataset=dataset(batches), initial_step=initial_step,
            network=self.network, train_network=self.network,
        )  # fmt: skip

    def train(self, sinks, *callbacks):
        self.params.update(epoch_num=sinks, list_callback=list(callbacks))
        context = RunContext(self.params)
        data = [*tensors(self.batches)] * sinks
        with CallbackManager(list(callbacks)) as manager:
            manager.on_train_begin(context)
            for sink in range(sinks):
                self.params["cur_epoch_num"] = sink + 1
                manager.on_train_epoch_begin(context)
                self.run(data, context, manager)
                manager.on_train_epoch_end(context)
                if context.get_stop_requested():
                    break
            manager.on_train_end(context)

    def run(self, data, context, manager):
        calls = self.size if self.each_step else 1
        for _ in range(calls):
            done = self.params["cur_step_num"]
            self.params["cur_step_num"] = done + self.size // calls
            self.params["train_dataset_element"] = []
            manager.on_train_step_begin(context)
            for batch in data[done : self.params["cur_step_num"]]:
                self.params["net_outputs"] = self.network(*batch)
            manager.on_train_step_end(context)


@pytest.fixture
def monitor(tmp_path):
    return TrainMonitor("run", tmp_path, watch=False)


@pytest.mark.usefixtures("mode")
def test_points_stand_at_the_true_steps_with_their_values(tmp_path, monitor):
    Sink(6, 4).train(6, monitor)
    found = monitor.run.to_pandas()
    every = TrainMonitor("each", tmp_path, watch=False)
    Model(step_cell()).train(4, dataset(6), callbacks=[every])
    steps = every.run.to_pandas()
    assert found.index.tolist() == [4, 8, 12, 16, 20, 24]
    for name in ("loss", "lr", "epoch"):
        assert found[name].tolist() == steps[name][found.index].tolist()


def test_the_sink_that_another_callback_died_of_has_its_true_epoch(monitor):
    def fail(_):
        raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        Sink(6, 4).train(6, AtStep(8, fail), monitor)
    assert monitor.run.to_pandas()["epoch"].to_dict() == {4: 1, 8: 2}


def test_the_header_counts_true_epochs(monitor):
    seen = []

    class Look(ms.train.Callback):
        def on_train_step_end(self, run_context):  # noqa: ARG002 - MindSpore's
            seen.append(monitor.run.status.copy())

    Sink(6, 4).train(6, monitor, Look())
    assert [status["epoch"] for status in seen] == [1, 2, 2, 3, 4, 4]
    assert seen[0]["steps_per_epoch"] == 6
    assert (seen[0]["total_epochs"], seen[0]["total_steps"]) == (4, 24)
    assert seen[0]["detail"] == "every 4 steps (data sink)"


def test_an_epochs_end_is_marked_once_and_where_it_is_known(monitor):
    Sink(6, 4).train(6, monitor)
    marks = [(e["step"], e["epoch"]) for e in events(monitor.run, "epoch_end")]
    assert marks == [(8, 1), (12, 2), (20, 3), (24, 4)]


def test_a_sink_of_a_whole_epoch_is_an_epoch(monitor):
    Sink(3, 3).train(2, monitor)
    assert monitor.run.to_pandas()["epoch"].tolist() == [1, 2]
    assert [e["epoch"] for e in events(monitor.run, "epoch_end")] == [1, 2]
    assert monitor.run.status["total_epochs"] == 2


def test_a_sink_of_several_epochs_marks_the_last(monitor):
    Sink(2, 4).train(2, monitor)
    assert monitor.run.to_pandas()["epoch"].tolist() == [2, 4]
    assert [e["epoch"] for e in events(monitor.run, "epoch_end")] == [2, 4]


def test_the_first_sink_compiles(monitor):
    phases = []

    class Look(ms.train.Callback):
        def on_train_step_begin(self, run_context):  # noqa: ARG002 - MindSpore's
            phases.append(monitor.run.phase)

    Sink(4, 2).train(4, monitor, Look())
    assert phases == ["compiling", "training", "training", "training"]


def test_a_steps_time_is_that_of_its_sink_by_its_steps(monitor):
    Sink(4, 4).train(3, monitor)
    frame = monitor.run.to_pandas()
    assert np.isnan(frame["step_time_ms"][4])
    products = frame["step_time_ms"][1:] * frame["samples_per_s"][1:]
    np.testing.assert_allclose(products, 1000 * BATCH)


def test_a_time_is_that_of_all_the_steps_of_a_sink():
    params = {"cur_step_num": 0}
    progress = Progress(params, Offset(0, "a new training"))
    pace = Pace(lambda _: 0, Tokens(), clock=iter((10.0, 15.0)).__next__)
    for params["cur_step_num"] in (50, 100):  # the first compiles
        progress.end()
        pace.step_end(progress)
    assert pace.read(progress) == {"step_time_ms": 100.0}


def test_an_interval_is_met_by_the_sink_that_holds_the_step(tmp_path):
    monitor = TrainMonitor("run", tmp_path, watch=False, log_interval=10)
    Sink(6, 4).train(6, monitor)
    assert monitor.run.to_pandas().index.tolist() == [12, 20, 24]


def test_a_stop_ends_after_the_sink_that_holds_it(monitor):
    class Stop(ms.train.Callback):
        def on_train_step_begin(self, run_context):
            if run_context.original_args().cur_step_num == 8:
                monitor.stop()

    Sink(6, 4).train(6, Stop(), monitor)
    assert monitor.run.to_pandas().index.tolist() == [4, 8]
    assert monitor.run.phase == "stopped"


def test_in_pynative_mode_each_step_is_told(monitor):
    Sink(6, 4, each_step=True).train(6, monitor)
    frame = monitor.run.to_pandas()
    assert frame.index.tolist() == [*range(1, 25)]
    assert frame["epoch"].tolist() == [1] * 6 + [2] * 6 + [3] * 6 + [4] * 6
    np.testing.assert_allclose(frame["lr"], RATES[:24], rtol=1e-6)
    marks = [(e["step"], e["epoch"]) for e in events(monitor.run, "epoch_end")]
    assert marks == [(8, 1), (12, 2), (20, 3), (24, 4)]


def test_a_resumed_training_goes_on_in_its_epoch(monitor):
    Sink(6, 4, initial_step=12).train(2, monitor)
    frame = monitor.run.to_pandas()
    assert frame.index.tolist() == [16, 20]
    assert frame["epoch"].tolist() == [3, 4]


def test_on_a_cpu_the_size_of_a_sink_changes_nothing(monitor):
    model = Model(step_cell())
    model.train(2, dataset(4), callbacks=[monitor], dataset_sink_mode=True, sink_size=3)
    frame = monitor.run.to_pandas()
    assert frame.index.tolist() == [*range(1, 9)]
    assert frame["epoch"].tolist() == [1] * 4 + [2] * 4
    assert [e["step"] for e in events(monitor.run, "epoch_end")] == [4, 8]
    assert monitor.run.status["total_steps"] == 8


@pytest.mark.parametrize(
    ("length", "called", "epoch"), [(6, 4, 2), (6, 6, 9), (None, 4, 9), (6, None, 9)]
)
def test_mindspores_own_count_is_right_unless_a_sink_has_another_size(
    length, called, epoch
):
    assert Epochs(length, called).of(7, 9) == epoch
