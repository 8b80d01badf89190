"""What a user logs becomes one float64, or is named for what it is."""

import math
from decimal import Decimal
from fractions import Fraction

import mindspore as ms
import numpy as np
import pytest

from mswidget.records.values import BadValueError, is_deferred, to_float


class Tensor:
    """Stands for a device tensor."""

    def __init__(self, value):
        self.value = value

    def asnumpy(self):
        if isinstance(self.value, Exception):
            raise self.value
        return np.asarray(self.value)


class Params(dict):
    """Has no attribute at all, as MindSpore's ``cb_params``."""

    def __getattr__(self, name):
        return self[name]


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (1.5, 1.5),
        (3, 3.0),
        (2**60 + 1, float(2**60)),
        (True, 1.0),
        (np.float32(0.25), 0.25),
        (np.float64(0.1), 0.1),
        (np.int64(7), 7.0),
        (np.array([[2.5]]), 2.5),
        (Tensor(0.5), 0.5),
        (Tensor([4]), 4.0),
        (Decimal("0.1"), 0.1),
        (Fraction(1, 4), 0.25),
        (math.inf, math.inf),
        (Tensor(-np.inf), -math.inf),
        (ms.Tensor(0.5, ms.bfloat16), 0.5),
        (ms.Tensor([[3]], ms.int8), 3.0),
    ],
)
def test_a_scalar_of_any_kind_becomes_a_float(value, number):
    found = to_float(value)
    assert type(found) is float
    assert found == number


@pytest.mark.parametrize("value", [math.nan, np.float32("nan"), Tensor(np.nan)])
def test_nan_is_a_value(value):
    assert math.isnan(to_float(value))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        ("0.5", "text '0.5'"),
        (b"0.5", "text b'0.5'"),
        ([1.0], "list, not a number"),
        ({}, "dict, not a number"),
        (1j, "complex, not a number"),
        (object(), "object, not a number"),
        (np.array("x"), "ndarray, not a number"),
        (np.zeros(3), r"numbers of shape \(3,\)"),
        (np.zeros(0), r"numbers of shape \(0,\)"),
        (Tensor([1.0, 2.0]), r"numbers of shape \(2,\)"),
        (Tensor(RuntimeError("lost\nlines")), r"Tensor .* \(RuntimeError: lost\)"),
        (10**400, "int that cannot be read"),
        (Decimal("sNaN"), "Decimal that cannot be read"),
    ],
)
def test_what_is_no_number_is_named(value, text):
    with pytest.raises(BadValueError, match=text):
        to_float(value)


def test_an_object_without_any_attribute_is_named():
    with pytest.raises(BadValueError, match=r"Params .* \(KeyError: 'item'\)"):
        to_float(Params())


def test_values_that_are_bad_in_the_same_way_are_of_one_kind():
    kinds = set()
    for text in ("epoch 1", "epoch 2"):
        with pytest.raises(BadValueError) as caught:
            to_float(text)
        kinds.add(caught.value.kind)
    assert kinds == {"text"}


def test_only_what_a_device_may_hold_can_wait():
    assert is_deferred(Tensor(1.0))
    assert not any(map(is_deferred, (1.0, np.float32(1), None, "x", Params())))


def test_a_parameter_is_read_at_once_since_it_changes_in_place():
    # MindSpore's import takes two seconds, which no other test here needs.
    import mindspore as ms  # noqa: PLC0415

    tensor = ms.Tensor(0.1, ms.float32)
    assert is_deferred(tensor)
    assert not is_deferred(ms.Parameter(tensor, name="rate"))
