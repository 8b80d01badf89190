"""Rules find what is wrong, and nothing in an ordinary training."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.alerts.rules import (
    FROZEN_VALUES,
    RULES,
    dead_gradient,
    frozen_part,
    rules_of,
    shrinking_weights,
)
from tests.page import history_of

NOISE = np.random.default_rng(3).normal(size=400)
FALLING = 3 * np.exp(-np.arange(400) / 90)
ORDINARY = FALLING * np.exp(0.2 * NOISE)
FROZEN = float(np.float32(0.7312842))


def losses(part, loss=ORDINARY):
    return history_of({"loss": loss[: len(part)], "loss/ce": part})


def norms(**layers):
    return history_of({f"grad_norm/{name}": norm for name, norm in layers.items()})


def dying(at, share=1e-5):
    return np.where(np.arange(400) < at, ORDINARY, share * ORDINARY)


def found(history):
    """Return the rules that find something in any metric."""
    return {
        rule.name
        for name in history.names
        for rule in rules_of(name)
        if rule.check(history, name)
    }


def test_a_frozen_part_is_found():
    finding = frozen_part(losses(np.full(60, FROZEN)), "loss/ce")
    assert finding.severity == "error"
    assert "loss/ce is 0.731284 to the last bit" in finding.message
    assert "tuple instead of a dict" in finding.advice


def test_a_part_that_moved_lately_is_not_frozen():
    part = np.full(60, FROZEN)
    part[-FROZEN_VALUES] = np.nextafter(FROZEN, 1)
    assert frozen_part(losses(part), "loss/ce") is None


def test_a_few_equal_values_are_no_frozen_part():
    assert frozen_part(losses(np.full(FROZEN_VALUES - 1, FROZEN)), "loss/ce") is None


def test_nothing_is_frozen_while_the_loss_does_not_move():
    part = np.full(60, FROZEN)
    assert frozen_part(losses(part, part), "loss/ce") is None
    assert frozen_part(losses(part, part + 1e-4 * NOISE[:60]), "loss/ce") is None


@pytest.mark.parametrize("value", [0.0, 1.0, 0.05, 1e-4, 32.0, 65536.0, -2.5, np.nan])
def test_a_number_that_somebody_has_set_is_not_frozen(value):
    part = np.full(60, np.float32(value), float)
    assert frozen_part(losses(part), "loss/ce") is None


def test_a_gradient_that_dies_among_living_ones_is_found():
    history = norms(head=ORDINARY, embedding=dying(200), body=ORDINARY)
    finding = dead_gradient(history, "grad_norm/embedding")
    assert finding.message.startswith("the gradient of embedding is at")
    assert dead_gradient(history, "grad_norm/head") is None


def test_a_gradient_of_exactly_zero_is_dead():
    history = norms(head=ORDINARY, body=dying(200, share=0.0))
    assert found(history) == {"dead_gradient"}


def test_gradients_that_all_vanish_together_are_not_dead():
    assert found(norms(a=dying(200), b=dying(200), c=dying(200))) == set()


def test_a_layer_that_never_had_a_gradient_is_not_dead():
    assert found(norms(frozen=np.zeros(400), head=ORDINARY)) == set()


def test_a_layer_that_lives_again_is_not_dead():
    norm = dying(200)
    norm[-5:] = ORDINARY[-5:]
    assert found(norms(head=ORDINARY, body=norm)) == set()


def test_weights_that_collapse_are_found():
    history = history_of({"weight_std/w": np.geomspace(0.05, 0.001, 40)})
    finding = shrinking_weights(history, "weight_std/w")
    assert "of w collapse: " in finding.message
    assert "from 0.05 to 0.001" in finding.message


@pytest.mark.parametrize(
    "std",
    [
        np.geomspace(0.05, 0.01, 40),
        np.append(np.geomspace(0.05, 0.001, 39), 0.0011),
        np.zeros(40),
        np.linspace(0, 0.1, 40),
        [0.05, 0.049, 0.048, 0.047, 0.046, 0.001],
        [0.05, 0.001],
        [0.05, 0.04, 0.03, np.nan, 0.002, 0.001],
    ],
    ids=[
        "a little",
        "not any more",
        "none",
        "growing",
        "once",
        "two values",
        "with NaN",
    ],
)
def test_other_weights_do_not_collapse(std):
    assert found(history_of({"weight_std/w": std})) == set()


@given(
    seed=st.integers(0, 2**32 - 1),
    noise=st.floats(0.01, 1),
    rate=st.floats(0, 0.02),
    steps=st.integers(0, 400),
)
def test_an_ordinary_training_raises_no_alert(seed, noise, rate, steps):
    random = np.random.default_rng(seed)
    fall = np.exp(-rate * np.arange(steps))
    names = ["loss", "loss/a", "grad_norm/a", "grad_norm/b", "grad_norm/c"]
    curves = {n: fall * np.exp(noise * random.normal(size=steps)) for n in names}
    # Weight decay alone takes the weights to a third.
    decay = np.linspace(1, 0.3, steps) * np.exp(0.01 * random.normal(size=steps))
    assert found(history_of(curves | {"weight_std/a": decay})) == set()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_content_with_any_short_history(rule):
    name = rule.pattern.replace("*", "x")
    odd = [0.0, np.nan, np.inf, -np.inf, 5e-324, 1e308]
    for length in range(30):
        values = [odd[i % len(odd)] for i in range(length)]
        assert rule.check(history_of({name: values, "loss": values}), name) is None


def test_a_name_is_watched_by_the_rules_whose_pattern_fits():
    assert [rule.name for rule in rules_of("loss/[a]*")] == ["frozen_part"]
    assert rules_of("loss") == rules_of("学习率") == ()
