"""Metrics of the user's own, beside what a training tells by itself."""

import threading

import mindspore as ms
import pytest

from mswidget import TrainMonitor
from tests.collect.test_monitor import stock_model
from tests.training import MODE_NAMES, MODES, AtStep, dataset


@pytest.fixture
def monitor(tmp_path):
    return TrainMonitor("own", tmp_path)


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
def test_a_function_of_the_user_is_called_every_so_many_steps(monitor, mode):
    ms.set_context(mode=mode)
    monitor.add_metric("twice", lambda params: 2 * params.net_outputs, every=3)
    stock_model().train(2, dataset(5), callbacks=[monitor])
    frame = monitor.run.to_pandas()
    assert frame["twice"].dropna().index.tolist() == [3, 6, 9]
    assert frame["twice"].dropna().tolist() == (2 * frame["loss"])[[3, 6, 9]].tolist()


def test_one_that_raises_is_off_and_the_others_go_on(monitor):
    monitor.add_metric("broken", lambda _: 1 / 0)
    monitor.add_metric("text", lambda _: "no number")
    monitor.add_metric("步数", lambda params: params.cur_step_num)
    stock_model().train(1, dataset(5), callbacks=[monitor])
    frame = monitor.run.to_pandas()
    assert frame["步数"].tolist() == [1, 2, 3, 4, 5]
    assert {"broken", "text"}.isdisjoint(frame)
    assert sum("metric broken failed" in text for text in monitor.run.notices) == 1
    assert any(text.startswith("text: no number") for text in monitor.run.notices)


def test_one_added_while_the_training_runs_counts_from_there(monitor):
    late = AtStep(3, lambda _: monitor.add_metric("late", lambda _: 1.0))
    stock_model().train(1, dataset(5), callbacks=[monitor, late])
    assert monitor.run.to_pandas()["late"].dropna().index.tolist() == [4, 5]


def test_another_thread_logs_at_the_step_at_hand_and_at_a_past_one(monitor):
    def evaluate(_):
        values = {"eval/bleu": 0.3, "perplexity": 12.5}
        logs = threading.Thread(target=monitor.run.log, args=(values,))
        late = threading.Thread(
            target=monitor.run.log, args=({"eval/late": 1.0},), kwargs={"step": 2}
        )
        for thread in (logs, late):
            thread.start()
            thread.join()

    stock_model().train(1, dataset(8), callbacks=[monitor, AtStep(5, evaluate)])
    frame = monitor.run.to_pandas()
    assert frame["perplexity"].dropna().index.tolist() == [5]
    assert frame["eval/late"].dropna().index.tolist() == [2]
    assert frame["loss"].dropna().index.tolist() == list(range(1, 9))
    assert monitor.run.step == 8


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("", abs), TypeError, "must be text"),
        (("a", 3), TypeError, "function of MindSpore's callback parameters"),
        (("a", abs, 0), ValueError, "every must be a whole number of at least 1"),
    ],
)
def test_a_metric_that_makes_no_sense_is_refused(monitor, arguments, error, words):
    with pytest.raises(error, match=words):
        monitor.add_metric(*arguments)
