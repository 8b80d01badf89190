import math

import numpy as np

from mswidget.collect.train_step.norms import group_norms

GROUPS = {"a": (0, 1), "b": (2,), "all": (0, 1, 2)}


class Changing:
    """Stands for a tensor: counts its readings, and holds something else each time."""

    def __init__(self):
        self.count = 0

    def asnumpy(self):
        self.count += 1
        return self.count**2 * np.array([9, 16, 144], np.float32)


def test_a_groups_norm_is_that_of_its_parameters():
    norms = group_norms(Changing(), GROUPS)
    assert {name: norm.asnumpy() for name, norm in norms.items()} == {
        "a": 5,
        "b": 12,
        "all": 13,
    }


def test_all_groups_cost_one_reading():
    tensor = Changing()
    for norm in group_norms(tensor, GROUPS).values():
        norm.asnumpy()
    assert tensor.count == 1


def test_a_value_that_changes_is_seen_when_read_again():
    norms = group_norms(Changing(), GROUPS)
    for times in (1, 2, 3):
        assert [norm.asnumpy() for norm in norms.values()] == [
            5 * times,
            12 * times,
            13 * times,
        ]


def test_nan_stays_in_its_own_group():
    class WithNan:
        def asnumpy(self):
            return np.array([9, 16, np.nan], np.float32)

    norms = group_norms(WithNan(), GROUPS)
    assert norms["a"].asnumpy() == 5
    assert math.isnan(norms["b"].asnumpy())
    assert math.isnan(norms["all"].asnumpy())
