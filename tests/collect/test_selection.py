import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.collect.options.selection import (
    MOST_NUMBERS,
    MOST_PARAMETERS,
    Allowance,
    Turns,
    Watch,
    choose,
    explain,
)
from mswidget.records.parameters import Parameter


def parameter(name, *shape, trainable=True):
    return Parameter(name, shape or (2, 2), "float32", trainable)


def watched(parameters, watch=True):  # noqa: FBT002 - as TrainMonitor's
    return [one.name for one in choose(parameters, Watch(watch)) if one.watched]


SMALL = [parameter("a.weight"), parameter("a.mean", trainable=False), parameter("b")]
LARGE = [
    parameter(f"{layer}.{name}", *shape)
    for layer in range(100)
    for name, shape in [("weight", (9, 9)), ("bias", (9,))]
]


def test_all_that_a_small_network_trains_is_watched():
    assert watched(SMALL) == ["a.weight", "b"]
    assert [p.unwatched for p in choose(SMALL, Watch())] == ["", "frozen", ""]
    assert explain(choose(SMALL, Watch()), Watch()) == []


def test_matrices_of_all_depths_are_watched_of_a_large_network():
    names = watched(LARGE)
    assert len(names) == MOST_PARAMETERS
    assert (names[0], names[-1]) == ("0.weight", "99.weight")
    (text,) = explain(choose(LARGE, Watch()), Watch())
    assert "32 of 200" in text


def test_a_large_embedding_does_not_cost_the_rest():
    embedding = parameter("embedding", MOST_NUMBERS, 2)
    chosen = choose([embedding, *SMALL], Watch())
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
    chosen = choose([parameter(f"p{i}", size) for i, size in enumerate(sizes)], Watch())
    taken = [one for one in chosen if one.watched]
    assert len(taken) <= MOST_PARAMETERS
    assert sum(one.size for one in taken) <= MOST_NUMBERS
    assert [one.name for one in chosen] == [f"p{i}" for i in range(len(sizes))]


def test_patterns_choose_without_a_bound_also_what_is_frozen():
    assert watched(SMALL, ["a.*"]) == ["a.weight", "a.mean"]
    assert len(watched(LARGE, "*")) == 200


def test_a_pattern_that_matches_nothing_is_told():
    watch = Watch(["a.*", "c.*"])
    (text,) = explain(choose(SMALL, watch), watch)
    assert "'c.*' matches none of the 3 parameters, such as a.weight" in text


def test_nothing_is_watched_when_not_wanted():
    assert watched(SMALL, watch=False) == []
    watch = Watch(chosen=False)
    assert explain(choose(SMALL, watch), watch) == []


def turns(interval, log_interval, steps, before=0):
    ask = Turns(interval, log_interval, before).is_due
    return [step for step in steps if ask(step)]


def test_the_first_step_and_every_kth_have_their_turn():
    assert turns(50, 1, range(1, 151)) == [1, 50, 100, 150]
    assert turns(1, 1, range(1, 4)) == [1, 2, 3]


def test_only_steps_that_are_logged_have_their_turn():
    assert turns(50, 7, range(1, 120)) == [7, 56, 112]


def test_a_resumed_training_keeps_to_whole_steps():
    assert turns(50, 1, range(31, 101), before=30) == [31, 50, 100]


def test_a_data_sink_stands_for_the_turns_in_it():
    assert turns(50, 1, range(20, 201, 20)) == [20, 60, 100, 160, 200]


def test_what_takes_long_is_done_more_rarely():
    allowance = Allowance(0.01)
    assert allowance.allows(5.0)
    allowance.spend(0.125, now_s=5.0)
    assert not allowance.allows(17.25)
    assert allowance.allows(17.5)


def test_only_the_default_is_held_to_a_share_of_the_time():
    """Ranks must ask for the same gradients, and the user for what he likes."""
    assert Watch().share < 1
    for exact in (Watch(interval=50), Watch(gradients=True)):
        allowance = Allowance(exact.share)
        allowance.spend(1.0, now_s=5.0)
        assert allowance.allows(5.0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"chosen": 3}, "patterns of parameter names"),
        ({"chosen": [3]}, "patterns of parameter names"),
        ({"chosen": None}, "patterns of parameter names"),
        ({"interval": 0}, "at least 1"),
        ({"interval": 2.5}, "at least 1"),
        ({"gradients": "yes"}, "True or False"),
    ],
)
def test_what_makes_no_sense_is_told(options, words):
    with pytest.raises(ValueError, match=words):
        Watch(**options)
