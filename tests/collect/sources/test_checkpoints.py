"""The checkpoints that MindSpore's callback writes."""

import mindspore as ms
import pytest
from mindspore.train import CheckpointConfig, ModelCheckpoint

from mswidget.collect.sources.checkpoints import Checkpoints
from tests.training import (
    MODE_NAMES,
    MODES,
    AtStep,
    dataset,
    events,
    small_model,
)

pytestmark = pytest.mark.usefixtures("pynative")


def saver(folder, every=2):
    config = CheckpointConfig(save_checkpoint_steps=every, keep_checkpoint_max=9)
    return ModelCheckpoint("net", str(folder / "ckpt"), config)


@pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)
@pytest.mark.parametrize("place", ["before", "behind"])
def test_a_checkpoint_stands_at_its_step_wherever_its_callback_is(
    place, mode, monitor, tmp_path
):
    ms.set_context(mode=mode)
    callbacks = [saver(tmp_path), monitor]
    if place == "behind":
        callbacks.reverse()
    small_model().train(2, dataset(5), callbacks=callbacks)
    saved = events(monitor.run, "checkpoint")
    assert [event["step"] for event in saved] == [2, 4, 6, 8, 10]
    written = {str(path) for path in (tmp_path / "ckpt").glob("*.ckpt")}
    assert {event["file"] for event in saved} == written
    marks = monitor.run._head()["marks"]
    assert [m["step"] for m in marks if m["kind"] == "checkpoint"] == [2, 4, 6, 8, 10]


def test_the_checkpoint_of_the_end_is_there_too(monitor, tmp_path):
    small_model().train(1, dataset(5), callbacks=[monitor, saver(tmp_path, every=2)])
    assert [event["step"] for event in events(monitor.run, "checkpoint")] == [2, 4, 5]


def test_a_second_training_counts_its_checkpoints_on(monitor, tmp_path):
    trained = small_model()
    for _ in range(2):
        trained.train(1, dataset(4), callbacks=[monitor, saver(tmp_path, every=3)])
    steps = [event["step"] for event in events(monitor.run, "checkpoint")]
    assert steps == [3, 4, 7, 8]


def test_the_same_file_written_again_is_another_checkpoint(monitor, tmp_path):
    config = CheckpointConfig(save_checkpoint_steps=2)
    same = ModelCheckpoint(lambda _: "net", str(tmp_path / "ckpt"), config)
    small_model().train(1, dataset(6), callbacks=[same, monitor])
    saved = events(monitor.run, "checkpoint")
    assert [event["step"] for event in saved] == [2, 4, 6]
    assert len({event["file"] for event in saved}) == 1


def test_a_checkpoint_that_fails_is_none(monitor, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError("no space left")

    module = "mindspore.train.callback._checkpoint.save_checkpoint"
    broken = AtStep(3, lambda _: monkeypatch.setattr(module, full))
    callbacks = [monitor, broken, saver(tmp_path, every=2)]
    with pytest.raises(OSError, match="no space left"):
        small_model().train(1, dataset(6), callbacks=callbacks)
    assert [event["step"] for event in events(monitor.run, "checkpoint")] == [2]


def test_without_a_checkpoint_callback_nothing_is_watched():
    class Nothing:
        params = {"list_callback": [AtStep(1, None)]}  # noqa: RUF012 - read only

    assert Checkpoints.of(Nothing()) is None
