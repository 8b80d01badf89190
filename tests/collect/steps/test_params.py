"""What a step holds, by what MindSpore tells."""

import mindspore.dataset as ds
import pytest

from mswidget.collect.steps.params import batch_size
from tests.training import BATCH, dataset, samples


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
