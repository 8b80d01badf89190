"""Which batch did it: an alert names it, and it can be fetched again."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
import pytest
from mindspore import nn
from mindspore.train import Model

import mswidget
from mswidget.records.batches import Batches
from tests.training import Regression

BATCHES, EPOCHS, BAD = 40, 5, 77


@pytest.fixture
def seed():
    before = ds.config.get_seed()
    ds.config.set_seed(7)
    yield 7
    ds.config.set_seed(before)


def shuffled():
    """Batches of 4, of which one row, once an epoch, is far too large."""
    random = np.random.default_rng(0)
    x = random.normal(size=(4 * BATCHES, 3)).astype(np.float32)
    y = x.sum(1, keepdims=True).astype(np.float32)
    y[BAD] = np.nan
    return ds.NumpySlicesDataset({"x": x, "y": y}, shuffle=True).batch(4)


def test_the_batch_that_an_alert_names_is_fetched_again(tmp_path, seed):
    ms.set_context(mode=ms.GRAPH_MODE)
    network = Regression()
    step = nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), 0.01))
    monitor = mswidget.TrainMonitor("run", tmp_path, display=False)
    Model(step).train(EPOCHS, shuffled(), callbacks=[monitor], dataset_sink_mode=False)
    alert = next(monitor.run.alerts.itertuples())
    assert alert.rule == "nonfinite"
    epoch, batch = divmod(alert.step - 1, BATCHES)
    named = (
        f"(batch {batch + 1} of {BATCHES} in epoch {epoch + 1}, dataset seed {seed})"
    )
    assert alert.message.endswith(named)

    ds.config.set_seed(seed)
    batches = shuffled().create_dict_iterator(num_epochs=EPOCHS, output_numpy=True)
    for _ in range(epoch):
        for _ in batches:
            pass
    fetched = [held["y"] for held in batches][batch]
    assert np.isnan(fetched).any()


def begin(**fields):
    return Batches.of({"steps_per_epoch": 10, **fields})


def test_without_a_seed_the_batch_alone_is_named():
    assert begin().words(25, 3) == " (batch 5 of 10 in epoch 3)"
    assert (
        begin(config={"data": "unknown"}).words(10, 1) == " (batch 10 of 10 in epoch 1)"
    )


def test_what_nobody_can_count_is_not_said():
    assert Batches.of({"steps_per_epoch": None}) is None
    assert Batches.of({}) is None
    assert begin().words(25, None) == begin().words(25, 7) == ""
