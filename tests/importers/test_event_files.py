"""Event files of real writers, whole, cut and damaged."""

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.importers.formats.event_file import EventFile, FileEvent
from mswidget.importers.formats.histogram import Histogram
from mswidget.importers.formats.tensorboard import TensorBoard
from mswidget.importers.formats.wire import fields
from tests.importers.logs import BY_FORMAT, curve, read, sample, values

SUMMARY = BY_FORMAT["MindSpore summary file"]
TENSORBOARD = BY_FORMAT["TensorBoard event file"]


def test_tensorboard_scalars_are_rows_by_step(tmp_path):
    rank = read(tmp_path, sample(TENSORBOARD), TENSORBOARD)
    assert [r.step for r in rank.records] == [1, 2, 3, 4, 5, 6]
    losses = [value for _, _, value in curve(rank)]
    assert losses[:3] == pytest.approx([2.3, 2.1, 1.9])
    assert math.isnan(losses[3])
    assert [step for _, step, _ in curve(rank, "eval/acc")] == [3, 6]


def test_tags_by_samples_say_nothing_twice(tmp_path):
    rank = read(tmp_path, sample(TENSORBOARD), TENSORBOARD)
    assert not [name for name in rank.history.names if "samples" in name]


def scalar(tag, value_bytes):
    text = tag.encode()
    return b"\x0a" + bytes([len(text)]) + text + b"\x15" + value_bytes


HALF = b"\0\0\0\x3f"


def test_tags_only_by_samples_stand_at_their_steps():
    board = TensorBoard()
    list(board(FileEvent(8, 1.0, (scalar("batch-size vs samples", b"\0\0\0\x41"),))))
    list(board(FileEvent(1, 1.0, (scalar("batch-size", b"\0\0\0\x41"),))))
    (note, point) = board(FileEvent(16, 1.0, (scalar("loss vs samples", HALF),)))
    assert (point.step, point.values) == (2, {"loss": 0.5})
    assert "batch-size" in note.text


def test_samples_without_a_batch_size_are_named_so():
    (note, point) = TensorBoard()(
        FileEvent(16, 1.0, (scalar("loss vs samples", HALF),))
    )
    assert (point.step, point.values) == (16, {"loss vs samples": 0.5})
    assert "no batch-size" in note.text


def test_summary_collector_says_losses_and_distributions(tmp_path):
    rank = read(tmp_path, sample(SUMMARY), SUMMARY)
    monitor = read(tmp_path, sample("loss_monitor.log"))
    printed = {step: value for _, step, value in curve(monitor)}
    losses = curve(rank)
    assert [step for _, step, _ in losses] == [1, 3, 6, 9, 12, 15, 18, 21, 24]
    for _, step, loss in losses:
        assert loss == pytest.approx(printed[step])
    first = rank.records[0].values
    assert first["weight_q/0.weight/min"] < 0 < first["weight_q/0.weight/max"]
    assert not any("more than once" in note for note in rank.notes)


@pytest.mark.parametrize("name", [SUMMARY, TENSORBOARD])
def test_a_damaged_event_costs_no_more_than_what_follows(tmp_path, name):
    data = bytearray(sample(name))
    whole = values(read(tmp_path, bytes(data), name))
    data[1000:1600] = b"\xff" * 600
    found = read(tmp_path, bytes(data), name)
    assert 0 < len(values(found)) < len(whole)
    assert set(values(found)) <= set(whole)
    assert any("damaged" in note for note in found.notes)


@given(st.binary(max_size=200))
def test_any_bytes_as_an_event_file_never_raise(data):
    head = sample(TENSORBOARD)[:200]
    for block in (data, head + data):
        used, found = EventFile(TensorBoard())(block)
        list(found)
        assert 0 <= used <= len(block)


@given(st.binary(max_size=60))
def test_any_bytes_are_fields_or_no_message(data):
    with contextlib.suppress(ValueError):
        assert all(number >= 0 for number, _ in fields(data))


def test_quantiles_lie_evenly_in_a_bucket():
    histogram = Histogram((0.0, 1.0), (1.0, 2.0), (50, 50), 0.0, 2.0)
    found = dict(histogram.quantiles())
    assert (found["min"], found["p50"], found["max"]) == (0.0, 1.0, 2.0)
    assert found["p25"] == pytest.approx(0.5)
    assert not list(Histogram((), (), (), 0.0, 0.0).quantiles())
