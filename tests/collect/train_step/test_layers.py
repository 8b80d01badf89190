import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.collect.train_step.layers import MOST_GROUPS, group

NAMES = st.lists(
    st.lists(st.sampled_from(["a", "b", "0", "层"]), min_size=1, max_size=4)
    .map(".".join),
    min_size=1,
)  # fmt: skip


@given(NAMES, st.integers(1, 5))
def test_every_parameter_is_in_one_group_of_a_depth(names, depth):
    indices = [index for group_ in group(names, depth).values() for index in group_]
    assert sorted(indices) == list(range(len(names)))


@given(NAMES)
def test_by_default_there_are_some_groups_but_not_many(names):
    assert len(group(names, None)) in {0, *range(2, MOST_GROUPS + 1)}


def test_a_deep_network_is_grouped_by_block():
    names = [
        f"encoder.{block}.{layer}.weight"
        for block in range(24)
        for layer in ("attention", "mlp")
    ]
    assert list(group(names, None)) == [f"encoder.{block}" for block in range(24)]


def test_a_parameter_outside_of_any_layer_is_its_own():
    assert group(["position", "dense.weight"], 1) == {"position": (0,), "dense": (1,)}


def test_a_parameter_may_be_in_the_groups_of_two_patterns():
    names = ["a.weight", "a.bias"]
    assert group(names, ["a.*", "*.bias"]) == {"a.*": (0, 1), "*.bias": (1,)}


def test_no_groups_are_no_groups():
    assert group(["a.weight", "b.weight"], 0) == {}


def test_a_pattern_without_a_parameter_names_some_that_there_are():
    with pytest.raises(ValueError, match=r"'b\.\*' matches none .* are a\.weight"):
        group(["a.weight"], ["b.*"])
