from hypothesis import given
from hypothesis import strategies as st

from mswidget.collect.options.weight_options import WeightOptions
from mswidget.collect.weights.selection import (
    MOST_NUMBERS,
    MOST_PARAMETERS,
    choose,
    explain,
)
from mswidget.records.parameters import Parameter


def parameter(name, *shape, trainable=True):
    return Parameter(name, shape or (2, 2), "float32", trainable)


def watched(parameters, watch=True):  # noqa: FBT002 - as TrainMonitor's
    return [one.name for one in choose(parameters, WeightOptions(watch)) if one.watched]


SMALL = [parameter("a.weight"), parameter("a.mean", trainable=False), parameter("b")]
LARGE = [
    parameter(f"{layer}.{name}", *shape)
    for layer in range(100)
    for name, shape in [("weight", (9, 9)), ("bias", (9,))]
]


def test_all_that_a_small_network_trains_is_watched():
    assert watched(SMALL) == ["a.weight", "b"]
    assert [p.unwatched for p in choose(SMALL, WeightOptions())] == ["", "frozen", ""]
    assert explain(choose(SMALL, WeightOptions()), WeightOptions()) == []


def test_matrices_of_all_depths_are_watched_of_a_large_network():
    names = watched(LARGE)
    assert len(names) == MOST_PARAMETERS
    assert (names[0], names[-1]) == ("0.weight", "99.weight")
    (text,) = explain(choose(LARGE, WeightOptions()), WeightOptions())
    assert "32 of 200" in text


def test_a_large_embedding_does_not_cost_the_rest():
    embedding = parameter("embedding", MOST_NUMBERS, 2)
    chosen = choose([embedding, *SMALL], WeightOptions())
    assert [p.name for p in chosen if p.watched] == ["a.weight", "b"]
    assert chosen[0].unwatched == "too large: watch= chooses"


def test_large_matrices_are_watched_from_the_first_to_the_last():
    side = int((MOST_NUMBERS / 6) ** 0.5)
    names = watched([parameter(f"{layer}", side, side) for layer in range(24)])
    assert names == ["0", "5", "9", "14", "18", "23"]


def test_a_network_of_huge_matrices_has_its_vectors_watched():
    huge = [
        parameter(f"{layer}.{name}", *shape)
        for layer in range(8)
        for name, shape in [("weight", (9000, 9000)), ("norm", (9000,))]
    ]
    assert watched(huge) == [f"{layer}.norm" for layer in range(8)]


SIZES = st.lists(st.integers(0, MOST_NUMBERS), max_size=80)


@given(SIZES)
def test_the_choice_is_bounded_and_the_rest_is_explained(sizes):
    chosen = choose(
        [parameter(f"p{i}", size) for i, size in enumerate(sizes)], WeightOptions()
    )
    taken = [one for one in chosen if one.watched]
    assert len(taken) <= MOST_PARAMETERS
    assert sum(one.size for one in taken) <= MOST_NUMBERS
    assert [one.name for one in chosen] == [f"p{i}" for i in range(len(sizes))]


def test_patterns_choose_without_a_bound_also_what_is_frozen():
    assert watched(SMALL, ["a.*"]) == ["a.weight", "a.mean"]
    assert len(watched(LARGE, "*")) == 200


def test_a_pattern_that_matches_nothing_is_told():
    options = WeightOptions(["a.*", "c.*"])
    (text,) = explain(choose(SMALL, options), options)
    assert "'c.*' matches none of the 3 parameters, such as a.weight" in text


def test_nothing_is_watched_when_not_wanted():
    assert watched(SMALL, watch=False) == []
    options = WeightOptions(watch=False)
    assert explain(choose(SMALL, options), options) == []
