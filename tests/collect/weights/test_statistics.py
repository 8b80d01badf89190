import math

import mindspore as ms
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mswidget.collect.weights.statistics import SAMPLE, statistics, update_ratio
from mswidget.records.parameters import QUANTILES

FLOATS = st.floats(-1e6, 1e6, width=32)


@given(arrays(np.float32, st.integers(1, 300), elements=FLOATS))
def test_they_are_those_of_numpy(array):
    exact = array.astype("f8")
    expected = {
        "mean": exact.mean(),
        "std": exact.std(),
        "absmax": np.abs(exact).max(),
        "zeros": np.mean(exact == 0),
        **{name: np.quantile(exact, share) for name, share in QUANTILES.items()},
    }
    assert statistics(array) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("shape", [(1000, 512), (512, 1000), (3, 200_003)])
def test_quantiles_of_a_large_matrix_are_near_and_its_extremes_exact(shape):
    array = np.random.default_rng(7).normal(size=shape).astype(np.float32)
    # Columns that differ: a stride of the row's length would see one of them.
    array += np.linspace(-3, 3, shape[1], dtype=np.float32)
    array[1, 7], array[2, 5] = -90, 80
    found = statistics(array)
    assert (found["min"], found["max"]) == (-90, 80)
    for name, share in [*QUANTILES.items()][1:-1]:
        rank = np.mean(array <= found[name])
        assert rank == pytest.approx(share, abs=4 * math.sqrt(share / SAMPLE))


def test_they_are_the_same_each_time():
    array = np.random.default_rng(7).normal(size=300_000)
    assert statistics(array) == statistics(array.copy())


def test_one_bad_number_in_many_is_shown_and_counted():
    array = np.ones(500_000, np.float32)
    array[123_457] = np.nan
    found = statistics(array)
    assert math.isnan(found["mean"])
    assert math.isnan(found["std"])
    assert math.isnan(found["absmax"])
    assert found["nonfinite"] == 1
    assert (found["min"], found["p50"], found["max"]) == (1, 1, 1)


def test_an_infinity_is_the_largest():
    found = statistics(np.array([1.0, -np.inf, 2.0]))
    assert found["absmax"] == math.inf
    assert found["nonfinite"] == 1
    assert (found["min"], found["max"]) == (1, 2)


def test_without_a_finite_number_there_are_no_quantiles():
    found = statistics(np.full(3, np.nan, np.float16))
    assert found["nonfinite"] == 3
    assert "p50" not in found
    assert "min" not in found


def test_nothing_has_no_statistics():
    assert statistics(np.empty((0, 3))) == {}


@pytest.mark.parametrize("kind", [ms.float16, ms.bfloat16, ms.float64, ms.int8])
def test_every_type_of_a_parameter_is_understood(kind):
    found = statistics(ms.Tensor([[-2, 0], [0, 4]], kind).asnumpy())
    assert (found["mean"], found["zeros"], found["absmax"]) == (0.5, 0.5, 4)


def test_the_sum_of_large_float16_numbers_does_not_overflow():
    assert statistics(np.full(100, 60_000, np.float16))["mean"] == 60_000


def test_the_update_ratio_is_that_of_the_norms():
    before, after = np.array([3.0, 4.0]), np.array([3.0, 4.5])
    assert update_ratio(before, after) == pytest.approx(0.1)
    assert update_ratio(before, before) == 0


def test_of_zeros_there_is_no_update_ratio():
    assert update_ratio(np.zeros(3), np.ones(3)) is None


def test_an_update_to_nan_is_nan():
    assert math.isnan(update_ratio(np.ones(2), np.array([1, np.nan])))
