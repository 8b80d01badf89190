"""Where a training starts to count, and what a step holds."""

import mindspore.dataset as ds
import pytest

from mswidget.collect.steps.offset import Offset, find_offset
from mswidget.collect.steps.params import batch_size
from mswidget.collect.steps.progress import Progress
from tests.training import BATCH, dataset, samples


def offset(*, start_step=None, own_last=0, **params):
    given = {"train_dataset": dataset(5), "cur_step_num": 0, **params}
    return find_offset(given, start_step=start_step, own_last=own_last, optimizer=None)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, Offset(0, "a new training")),
        ({"cur_epoch_num": 3}, Offset(10, "initial_epoch")),
        ({"cur_epoch_num": 3, "initial_step": 7}, Offset(7, "initial_step")),
        ({"initial_step": 7, "own_last": 9}, Offset(9, "this monitor")),
        ({"own_last": 9, "start_step": 0}, Offset(0, "start_step")),
    ],
)
def test_the_most_certain_source_gives_the_first_step(given, found):
    assert offset(**given) == found


def test_a_count_that_does_not_begin_at_zero_is_not_counted_twice():
    params = {"cur_step_num": 100}
    progress = Progress(params, Offset(100, "initial_step"))
    params["cur_step_num"] = 101
    progress.begin()
    progress.end()
    assert (progress.step, progress.steps, progress.last_step) == (101, 1, 101)


def test_a_data_sink_stands_for_all_its_steps():
    params = {"cur_step_num": 0}
    progress = Progress(params, Offset(5, "start_step"))
    told = []
    for params["cur_step_num"] in (20, 40):
        progress.begin()
        told.append((progress.step, progress.steps))
        progress.end()
        told.append((progress.step, progress.steps))
    assert told == [(25, 20), (25, 20), (45, 20), (45, 20)]


def batches(columns):
    x, y = samples(2)
    for start in (0, BATCH):
        part = slice(start, start + BATCH)
        yield (x[part], y[part]) if columns == "batch" else (x[start], y[start, 0])


@pytest.mark.parametrize(("columns", "size"), [("batch", BATCH), ("sample", None)])
def test_a_dataset_without_batch_is_judged_by_its_arrays(columns, size):
    data = ds.GeneratorDataset(lambda: batches(columns), ["x", "y"], shuffle=False)
    element = next(data.create_tuple_iterator())
    assert batch_size({"train_dataset": data, "train_dataset_element": element}) == size


def test_the_datasets_own_batch_size_goes_before():
    assert batch_size({"train_dataset": dataset(2)}) == BATCH
