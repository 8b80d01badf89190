"""Where a training starts to count."""

import pytest

from mswidget.collect.steps.offset import Offset, find_offset
from tests.training import dataset


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
