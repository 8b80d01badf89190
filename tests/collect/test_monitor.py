"""`TrainMonitor` in real trainings."""

import json
import logging
import math
import shutil
import signal
import sys
import threading

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn
from mindspore.train import Callback, LossMonitor, Model, RunContext

import mswidget.collect.step_values
from mswidget import MonitoredTrainStep, TrainMonitor, load_run
from mswidget.collect.outputs.losses import OutputNamer
from mswidget.files.writer import Writer
from tests.training import BATCH, MODE_NAMES, MODES, AtStep, Regression, dataset

RATES = [0.01 * count for count in range(1, 31)]


@pytest.fixture(autouse=True)
def _pynative():
    """Nothing to compile: what does not depend on the mode runs fast."""
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.fixture
def monitor(tmp_path):
    return TrainMonitor("run", tmp_path)


def stock_model(network=None, rate=RATES, **options):
    network = network or Regression()
    step = nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), rate))
    return Model(step, **options)


def fit_model():
    """Return a model that evaluates, as its users build it."""
    network = nn.Dense(3, 1)
    optimizer = nn.SGD(network.trainable_params(), 0.01)
    return Model(network, nn.MSELoss(), optimizer, metrics={"mae"})


def events(run):
    lines = (run.path / "rank_0.jsonl").read_text(encoding="utf-8").splitlines()
    return [line["event"] for line in map(json.loads, lines) if "event" in line]


class Recorder(Callback):
    """Keeps what MindSpore itself says of each step."""

    def __init__(self):
        super().__init__()
        self.losses = []

    def on_train_step_end(self, run_context):
        outputs = run_context.original_args().net_outputs
        self.losses.append(float(outputs.asnumpy()))


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
def test_every_step_is_recorded_as_mindspore_saw_it(mode, monitor):
    ms.set_context(mode=mode)
    recorder = Recorder()
    stock_model().train(2, dataset(3), callbacks=[recorder, monitor])
    frame = monitor.run.to_pandas()
    assert frame.index.tolist() == [1, 2, 3, 4, 5, 6]
    assert frame["loss"].tolist() == recorder.losses
    assert frame["epoch"].tolist() == [1, 1, 1, 2, 2, 2]
    np.testing.assert_allclose(frame["lr"], RATES[:6], rtol=1e-6)
    assert monitor.run.notices == []


def test_the_file_holds_what_memory_holds(monitor):
    stock_model().train(2, dataset(3), callbacks=[monitor])
    saved = load_run(monitor.run.path).to_pandas()
    memory = monitor.run.to_pandas()
    assert saved["loss"].tolist() == memory["loss"].tolist()
    assert events(monitor.run) == [
        *("process", "train_begin", "epoch_end", "epoch_end", "train_end")
    ]
    assert monitor.run.phase == "finished"


def test_time_and_rate_belong_together_and_spare_the_compilation(monitor):
    stock_model().train(1, dataset(4), callbacks=[monitor])
    frame = monitor.run.to_pandas()
    assert math.isnan(frame["step_time_ms"][1])
    products = frame["step_time_ms"][1:] * frame["samples_per_s"][1:]
    np.testing.assert_allclose(products, 1000 * BATCH)


def test_the_header_knows_how_much_is_to_come(monitor):
    seen = []
    look = AtStep(2, lambda _: seen.append(monitor.run.status.copy()))
    stock_model().train(3, dataset(4), callbacks=[monitor, look])
    (status,) = seen
    assert status["total_steps"] == 12
    assert (status["epoch"], status["total_epochs"]) == (1, 3)
    assert (status["phase"], status["steps_per_epoch"]) == ("training", 4)


def test_the_first_step_is_called_compiling(monitor):
    phases = []

    class Look(Callback):
        def on_train_step_begin(self, run_context):  # noqa: ARG002 - MindSpore's
            phases.append(monitor.run.phase)

    stock_model().train(1, dataset(3), callbacks=[monitor, Look()])
    assert phases == ["compiling", "training", "training"]


def test_a_rate_that_the_network_returns_is_kept_as_it_is(tmp_path):
    monitor = TrainMonitor("run", tmp_path, parts=["lr", "grad_norm"])
    model = stock_model(Regression(returns="tuple"))
    model.train(1, dataset(3), callbacks=[monitor])
    frame = monitor.run.to_pandas()
    np.testing.assert_allclose(frame["grad_norm"], 2 * frame["lr"], rtol=1e-6)


def test_an_interval_keeps_every_nth_step_and_the_last(tmp_path):
    monitor = TrainMonitor("run", tmp_path, log_interval=3)
    stock_model().train(2, dataset(4), callbacks=[monitor])
    frame = monitor.run.to_pandas()
    assert frame.index.tolist() == [3, 6, 8]
    np.testing.assert_allclose(frame["lr"], [RATES[2], RATES[5], RATES[7]], rtol=1e-6)


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
def test_parts_of_a_monitored_step_have_their_names(mode, monitor):
    ms.set_context(mode=mode)
    network = Regression(returns="tuple")
    optimizer = nn.SGD(network.trainable_params(), 0.01)
    step = MonitoredTrainStep(network, optimizer, parts=["mae", "2mae"])
    Model(step).train(1, dataset(3), callbacks=[monitor])
    frame = monitor.run.to_pandas()
    assert {"loss", "loss/mae", "loss/2mae", "grad_norm", "lr"} <= set(frame)
    assert frame["loss/2mae"].tolist() == (2 * frame["loss/mae"]).tolist()
    assert monitor.run.notices == []


def test_a_stock_step_with_parts_says_that_it_trains_on_them(monitor):
    model = stock_model(Regression(returns="tuple"))
    model.train(1, dataset(2), callbacks=[monitor])
    frame = monitor.run.to_pandas()
    total = frame["loss/0"] + frame["loss/1"] + frame["loss/2"]
    assert frame["loss"].tolist() == total.tolist()
    (derived,) = monitor.run.notices
    assert "loss/0 + loss/1 + loss/2" in derived
    alerts = monitor.run.alerts
    (trained,) = alerts[alerts["rule"] == "trained_on_parts"].itertuples()
    assert (trained.rule, trained.step) == ("trained_on_parts", 1)
    assert "trains on the sum" in trained.message


def test_a_dict_names_its_losses(monitor):
    stock_model(Regression(returns="dict")).train(1, dataset(2), callbacks=[monitor])
    assert {"loss", "loss/mae"} <= set(monitor.run.to_pandas())


def test_parts_name_the_values_of_a_tuple(tmp_path):
    monitor = TrainMonitor("run", tmp_path, parts=["mae", "2mae"])
    stock_model(Regression(returns="tuple")).train(1, dataset(2), callbacks=[monitor])
    assert {"loss", "loss/mae", "loss/2mae"} <= set(monitor.run.to_pandas())


class Unreadable:
    def asnumpy(self):
        raise RuntimeError("device lost")


class Moody(nn.Cell):
    """Returns what it was given, step after step."""

    def __init__(self, outputs):
        super().__init__()
        self.returns = iter(outputs)

    def construct(self, x, y):  # noqa: ARG002 - what a dataset gives
        return next(self.returns)


def test_a_bad_loss_is_told_and_the_next_good_one_is_there(monitor):
    outputs = [
        1.0,
        None,
        "text",
        np.array(["a", "b"]),
        Unreadable(),
        math.nan,
        math.inf,
        2.0,
    ]
    Model(Moody(outputs)).train(1, dataset(8), callbacks=[monitor])
    losses = monitor.run.to_pandas()["loss"].tolist()
    assert [losses[i] for i in (0, 6, 7)] == [1.0, math.inf, 2.0]
    assert all(map(math.isnan, losses[1:6]))
    told = [text for text in monitor.run.notices if "no number" in text]
    assert [text.count("at step") for text in told] == [1, 1, 1, 1]
    assert "device lost" in "".join(told)


def test_a_sink_size_without_effect_on_a_cpu_changes_nothing(monitor):
    seen = []
    look = AtStep(1, lambda _: seen.append(monitor.run.status["total_steps"]))
    model = stock_model()
    model.train(
        2, dataset(4), callbacks=[monitor, look], dataset_sink_mode=True, sink_size=2
    )
    assert monitor.run.to_pandas().index.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert seen == [8]


def test_a_data_sink_stands_for_its_steps(monitor):
    """As on an Ascend: one callback a sink. A CPU has none, so we call the hooks."""
    model = stock_model(rate=0.01)
    params = {
        "cur_step_num": 0, "cur_epoch_num": 1, "epoch_num": 3, "batch_num": 50,
        "mode": "train", "dataset_sink_mode": True, "train_dataset": dataset(50),
        "network": model.train_network, "train_network": model.train_network,
    }  # fmt: skip
    context = RunContext(params)
    with monitor:
        monitor.on_train_epoch_begin(context)
        for sink in (1, 2, 3):
            params["cur_step_num"] = 50 * sink
            monitor.on_train_step_begin(context)
            params["net_outputs"] = ms.Tensor(1 / sink)
            monitor.on_train_step_end(context)
        assert monitor.run.status["detail"] == "every 50 steps (data sink)"
        assert monitor.run.status["total_steps"] == 150
    frame = monitor.run.to_pandas()
    assert frame.index.tolist() == [50, 100, 150]
    assert frame["lr"].tolist() == pytest.approx([0.01] * 3)
    products = frame["step_time_ms"][1:] * frame["samples_per_s"][1:]
    np.testing.assert_allclose(products, 1000 * BATCH)


def test_evaluation_stands_at_the_step_that_it_followed(monitor):
    fit_model().fit(2, dataset(3), dataset(2), callbacks=[monitor])
    frame = monitor.run.to_pandas()
    assert frame["eval/mae"].dropna().index.tolist() == [3, 6]
    assert frame["loss"].dropna().index.tolist() == [1, 2, 3, 4, 5, 6]
    assert events(monitor.run).count("eval") == 2


def test_an_evaluation_alone_begins_no_run(monitor):
    fit_model().eval(dataset(2), callbacks=[monitor])
    with pytest.raises(RuntimeError, match=r"begins with Model\.train"):
        _ = monitor.run


def test_an_evaluation_inside_a_training_does_not_end_it(monitor):
    model = fit_model()
    evaluate = AtStep(2, lambda _: model.eval(dataset(2), callbacks=[monitor]))
    model.train(1, dataset(4), callbacks=[monitor, evaluate])
    frame = monitor.run.to_pandas()
    assert frame["loss"].dropna().index.tolist() == [1, 2, 3, 4]
    assert frame["eval/mae"].dropna().index.tolist() == [2]
    assert monitor.run.phase == "finished"


def test_training_on_goes_on_in_the_same_run(monitor):
    model = stock_model()
    model.train(1, dataset(3), callbacks=[monitor])
    run = monitor.run
    model.train(1, dataset(3), callbacks=[monitor])
    assert monitor.run is run
    assert run.to_pandas().index.tolist() == [1, 2, 3, 4, 5, 6]


def test_own_panels_are_written_once_a_run(tmp_path):
    own = {"speed": ["samples_per_s", "step_time_ms"]}
    monitor = TrainMonitor("run", tmp_path, panels=own)
    model = stock_model()
    for _ in range(2):
        model.train(1, dataset(4), callbacks=[monitor], dataset_sink_mode=False)
    monitor.run.flush()
    assert events(monitor.run).count("panels") == 1
    panels = {m["name"]: m["panel"] for m in monitor.run._head()["metrics"]}
    assert (panels["samples_per_s"], panels["loss"]) == ("speed", "loss")


def test_another_network_is_another_run(monitor):
    for _ in range(2):
        stock_model().train(1, dataset(2), callbacks=[monitor])
    assert monitor.run.name == "run-2"
    assert monitor.run.to_pandas().index.tolist() == [1, 2]


def test_an_optimizer_that_has_counted_gives_the_first_step(monitor):
    model = stock_model()
    model.train(1, dataset(3))
    model.train(1, dataset(2), callbacks=[monitor])
    assert monitor.run.to_pandas().index.tolist() == [4, 5]


def test_the_users_first_step_goes_before_all(tmp_path):
    monitor = TrainMonitor("run", tmp_path, start_step=100)
    stock_model().train(1, dataset(2), callbacks=[monitor])
    assert monitor.run.to_pandas().index.tolist() == [101, 102]


def test_an_initial_epoch_gives_the_first_step(monitor):
    stock_model().train(3, dataset(2), callbacks=[monitor], initial_epoch=2)
    frame = monitor.run.to_pandas()
    assert frame.index.tolist() == [5, 6]
    assert frame["epoch"].tolist() == [3, 3]


def test_a_run_of_that_name_is_resumed_when_asked(tmp_path):
    for resume in (False, True):
        monitor = TrainMonitor("run", tmp_path, resume=resume, start_step=2 * resume)
        stock_model().train(1, dataset(2), callbacks=[monitor])
    frame = load_run(tmp_path / "run").to_pandas()
    assert frame.index.tolist() == [1, 2, 3, 4]
    assert frame["attempt"].tolist() == ["a1", "a1", "a2", "a2"]


def trained_weights(*callbacks):
    network = Regression()
    schedule = nn.CosineDecayLR(0.01, 0.1, 20)
    stock_model(network, schedule).train(2, dataset(10), callbacks=[*callbacks])
    return [weight.asnumpy().copy() for weight in network.get_parameters()]


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
def test_a_watched_training_gives_the_same_weights_to_the_last_bit(mode, tmp_path):
    ms.set_context(mode=mode)
    monitor = TrainMonitor("run", tmp_path, watch_interval=1)
    np.testing.assert_equal(trained_weights(monitor), trained_weights())
    assert monitor.run.step == 20


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
def test_the_step_that_another_callback_died_of_is_recorded(mode, monitor):
    ms.set_context(mode=mode)
    callbacks = [LossMonitor(), monitor]
    with pytest.raises(ValueError, match="NAN or INF"):
        stock_model().train(1, dataset(9, nan_at=7), callbacks=callbacks)
    frame = monitor.run.to_pandas()
    assert frame.index[-1] == 7
    assert math.isnan(frame["loss"][7])
    assert frame["lr"][7] == pytest.approx(RATES[6])
    assert monitor.run.phase == "failed"
    assert monitor.run.status["detail"].startswith("ValueError")


class FailsBefore(Callback):
    """Raises at the begin of the third step."""

    def on_train_step_begin(self, run_context):
        if run_context.original_args().cur_step_num == 3:
            raise OSError("disk")


@pytest.mark.parametrize("interval", [1, 2, 5])
def test_a_step_that_never_ran_is_not_recorded(interval, tmp_path):
    monitor = TrainMonitor("run", tmp_path, log_interval=interval)
    with pytest.raises(OSError, match="disk"):
        stock_model().train(1, dataset(5), callbacks=[FailsBefore(), monitor])
    frame = monitor.run.to_pandas()
    assert 3 not in frame.index
    assert frame.index[-1] == 2
    assert frame["lr"][2] == pytest.approx(RATES[1])


class Fails(Callback):
    """Raises when it is told of something, once five steps have ended."""

    def __init__(self, hook):
        super().__init__()
        setattr(self, hook, self._fail)

    def _fail(self, run_context):
        if run_context.original_args().cur_step_num >= 5:
            raise OSError("disk")


@pytest.mark.parametrize(
    "hook", ["on_train_step_begin", "on_train_epoch_begin", "on_eval_step_end"]
)
def test_the_last_step_is_recorded_whatever_fails_behind_it(hook, tmp_path):
    frames = []
    for interval in (1, 4):
        monitor = TrainMonitor("run", tmp_path, log_interval=interval)
        ms.set_seed(0)
        with pytest.raises(OSError, match="disk"):
            fit_model().fit(2, dataset(5), dataset(5), callbacks=[monitor, Fails(hook)])
        frames.append(monitor.run.to_pandas(["loss"]).dropna(subset="loss"))
    every, some = frames
    last = every.iloc[-1:]
    assert some.index[-1] == last.index[0]
    assert some["epoch"].iloc[-1] == last["epoch"].iloc[0] == 1
    assert some["loss"].iloc[-1] == last["loss"].iloc[0]


def test_a_failing_callback_fails_the_run_after_the_last_step(monitor):
    def fail(_):
        raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        stock_model().train(1, dataset(5), callbacks=[monitor, AtStep(3, fail)])
    assert monitor.run.to_pandas().index.tolist() == [1, 2, 3]
    assert monitor.run.status["detail"] == "OSError: disk"
    assert events(monitor.run)[-1] == "failed"


@pytest.mark.parametrize(
    ("ask", "detail"),
    [
        (lambda monitor, _: monitor.stop(), "on request"),
        (lambda _, context: context.request_stop(), "by another callback"),
    ],
)
def test_a_stop_ends_after_the_running_step(monitor, ask, detail):
    stop = AtStep(2, lambda context: ask(monitor, context))
    stock_model().train(1, dataset(9), callbacks=[stop, monitor])
    assert monitor.run.to_pandas().index.tolist() == [1, 2]
    assert monitor.run.phase == "stopped"
    assert monitor.run.status["detail"] == detail


def test_an_interrupt_leaves_fit_without_its_evaluation(monitor, monkeypatch):
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)  # a prompt to return to
    interrupt = AtStep(2, lambda _: signal.raise_signal(signal.SIGTERM))
    with pytest.raises(KeyboardInterrupt):
        fit_model().fit(2, dataset(3), dataset(2), callbacks=[interrupt, monitor])
    frame = monitor.run.to_pandas()
    assert frame.index.tolist() == [1, 2]
    assert "eval/mae" not in frame
    assert (monitor.run.phase, monitor.run.status["detail"]) == (
        "stopped",
        "interrupted",
    )


def test_an_interrupt_works_without_a_run_too(monitor, monkeypatch):
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    monkeypatch.delattr(mswidget.collect.runs, "open_run")
    recorder = Recorder()
    interrupt = AtStep(2, lambda _: signal.raise_signal(signal.SIGTERM))
    with pytest.raises(KeyboardInterrupt):
        stock_model().train(1, dataset(9), callbacks=[recorder, interrupt, monitor])
    assert len(recorder.losses) == 2


def test_a_training_in_another_thread_is_recorded(monitor):
    model = stock_model()
    thread = threading.Thread(
        target=model.train, args=(1, dataset(3)), kwargs={"callbacks": [monitor]}
    )
    thread.start()
    thread.join()
    assert monitor.run.to_pandas().index.tolist() == [1, 2, 3]
    assert monitor.run.phase == "finished"


def test_two_monitors_agree(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    monitors = [TrainMonitor(name, tmp_path) for name in ("one", "two")]
    interrupt = AtStep(2, lambda _: signal.raise_signal(signal.SIGTERM))
    with pytest.raises(KeyboardInterrupt):
        stock_model().train(1, dataset(9), callbacks=[interrupt, *monitors])
    for monitor in monitors:
        assert monitor.run.to_pandas().index.tolist() == [1, 2]
        assert monitor.run.phase == "stopped"


def test_an_epoch_that_a_stop_cuts_is_not_marked_as_ended(monitor):
    stop = AtStep(6, lambda _: monitor.stop())
    stock_model().train(2, dataset(4), callbacks=[stop, monitor])
    marks = monitor.run._head()["marks"]
    assert [m["step"] for m in marks if m["kind"] == "epoch_end"] == [4]


def test_a_stop_of_the_last_training_does_not_stop_the_next(monitor):
    model = stock_model()
    model.train(1, dataset(4), callbacks=[AtStep(2, lambda _: monitor.stop()), monitor])
    model.train(1, dataset(2), callbacks=[monitor])
    assert monitor.run.to_pandas().index.tolist() == [1, 2, 3, 4]
    assert monitor.run.phase == "finished"


@pytest.mark.parametrize(
    ("owner", "method"),
    [
        (OutputNamer, "__call__"),
        (mswidget.collect.rates.learning_rate.LearningRates, "at"),
        (mswidget.collect.training.Training, "step_end"),
        (mswidget.collect.training.Training, "epoch_begin"),
        (mswidget.collect.runs, "open_run"),
        (Writer, "write"),
    ],
)
def test_an_error_of_ours_never_ends_the_training(
    monitor, monkeypatch, caplog, owner, method
):
    ms.set_context(mode=ms.GRAPH_MODE)

    def fail(*_, **__):
        raise RuntimeError("ours")

    monkeypatch.setattr(owner, method, fail)
    recorder = Recorder()
    with caplog.at_level(logging.WARNING, "mswidget"):
        stock_model(rate=0.01).train(2, dataset(100), callbacks=[monitor, recorder])
    assert len(recorder.losses) == 200
    # Writing fails for records and for alerts.
    assert {r.getMessage().count("RuntimeError: ours") for r in caplog.records} == {1}


def test_the_loss_goes_on_without_the_learning_rate(monitor, monkeypatch):
    monkeypatch.delattr(mswidget.collect.rates.learning_rate.LearningRates, "at")
    stock_model().train(1, dataset(3), callbacks=[monitor])
    frame = monitor.run.to_pandas()
    assert len(frame["loss"].dropna()) == 3
    assert "lr" not in frame


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"name": "a/b"}, ValueError, "'/'"),
        ({"log_interval": 0}, ValueError, "at least 1; found 0"),
        ({"log_interval": True}, ValueError, "found True"),
        ({"start_step": -1}, ValueError, "at least 0"),
        ({"parts": "ce"}, ValueError, "list of names"),
        ({"parts": []}, ValueError, r"or None to number them; found \[\]"),
        ({"outputs": []}, ValueError, r"or None to find out; found \[\]"),
        ({"watch": []}, ValueError, r"watch=\[\]: .* False to watch none"),
        ({"watch": ""}, ValueError, "watch='': expected patterns"),
        ({"resume": "x"}, ValueError, "name='x', resume=True"),
        ({"resume": 1}, ValueError, "True or False; found 1"),
        ({"read": "later"}, ValueError, "'deferred' or 'now'"),
        ({"log_intervall": 2}, TypeError, "Did you mean 'log_interval'"),
    ],
)
def test_a_wrong_option_is_told_at_once(tmp_path, options, error, words):
    with pytest.raises(error, match=words):
        TrainMonitor(**{"log_dir": tmp_path, **options})


def test_a_log_dir_that_is_a_file_is_told_at_once(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(OSError, match="give log_dir= a folder"):
        TrainMonitor("run", tmp_path / "taken")


def test_a_model_name_that_is_no_folder_is_told_at_once(tmp_path, monkeypatch):
    monkeypatch.setenv("MODEL_NAME", "a/b")
    with pytest.raises(ValueError, match="'/'"):
        TrainMonitor(log_dir=tmp_path)


def test_without_a_name_the_network_gives_one(tmp_path, monkeypatch):
    monkeypatch.delenv("MODEL_NAME", raising=False)
    monitor = TrainMonitor(log_dir=tmp_path)
    fit_model().train(1, dataset(2), callbacks=[monitor])
    assert monitor.run.name.startswith("Dense-")


def test_a_log_dir_that_vanished_before_the_training_is_made_again(tmp_path):
    monitor = TrainMonitor("run", tmp_path / "logs")
    shutil.rmtree(tmp_path / "logs")
    stock_model().train(1, dataset(2), callbacks=[monitor])
    assert len(load_run(tmp_path / "logs" / "run").to_pandas()) == 2


def test_before_the_training_there_is_no_run(monitor):
    with pytest.raises(RuntimeError, match="no run yet"):
        monitor.stop()


def test_the_begin_says_how_long_the_training_will_be(monitor):
    stock_model().train(2, dataset(3), callbacks=[monitor])
    begin = load_run(monitor.run.path).ranks[0].events[0]
    totals = ("total_steps", "total_epochs", "steps_per_epoch")
    assert [begin.fields[name] for name in totals] == [6, 2, 3]


def test_between_two_trainings_a_kernel_may_be_in_c_for_long(monitor):
    busy = []

    class Asks(Callback):
        def on_train_begin(self, run_context):  # noqa: ARG002
            busy.append(monitor._busy())

        def on_train_end(self, run_context):  # noqa: ARG002
            monitor.run.flush()
            busy.append(monitor._busy())

    for _ in range(2):
        stock_model().train(1, dataset(20), callbacks=[monitor, Asks()])
    assert busy == [True, False, True, False]
