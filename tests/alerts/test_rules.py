"""Rules find what is wrong, and nothing in an ordinary training."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mswidget.alerts.inspector import Inspector
from mswidget.alerts.rule_table import RULES
from mswidget.alerts.rules.parts import FROZEN_VALUES
from mswidget.guard import Guard
from mswidget.records.history import History
from tests.alerts.curves import SICK, TUNING, healthy, sick
from tests.page import history_of

NOISE = np.random.default_rng(3).normal(size=400)
FALLING = 3 * np.exp(-np.arange(400) / 90)
ORDINARY = FALLING * np.exp(0.2 * NOISE)
FROZEN = float(np.float32(0.7312842))
PART = FROZEN + 0.01 * NOISE


def alerts_of(columns, sizes=(10**9,)):
    """Return the alerts of values by metric, logged some at a time."""
    whole, history, failures = history_of(columns), History(), []
    inspector = Inspector(history, RULES, Guard(failures.append), 0)
    alerts = []
    while len(history) < len(whole):
        size = sizes[len(history) % len(sizes)]
        history.append(whole.rows(len(history), len(history) + size))
        for metric in columns:
            while not inspector.is_done(metric):
                alerts += inspector.inspect(metric)
    assert not failures
    return alerts


def found(columns):
    """Return rule and metric of what was found, each once."""
    return sorted({(alert.rule, alert.metric) for alert in alerts_of(columns)})


def only(columns):
    """Return the one alert, as it began."""
    first, *rest = alerts_of(columns)
    assert {(a.rule, a.metric, a.step) for a in rest} <= {
        (first.rule, first.metric, first.step)
    }
    return first


def losses(part, loss=ORDINARY):
    return {"loss": loss[: len(part)], "loss/ce": part}


def norms(**layers):
    return {f"grad_norm/{name}": norm for name, norm in layers.items()}


def dying(at, share=1e-5):
    return np.where(np.arange(400) < at, ORDINARY, share * ORDINARY)


def changed(values, at, change):
    values = values.copy()
    values[at] = change
    return values


@pytest.mark.parametrize(
    ("value", "kind"), [(np.nan, "NaN"), (np.inf, "Infinity"), (-np.inf, "-Infinity")]
)
def test_a_loss_that_is_no_number_is_found_at_its_step(value, kind):
    alert = only({"loss": changed(ORDINARY, slice(40, 90), value)})
    assert (alert.rule, alert.step, alert.severity) == ("nonfinite", 41, "error")
    assert alert.message == f"loss is {kind}"


def test_the_component_that_went_bad_first_is_named():
    columns = {
        "loss": changed(ORDINARY, slice(45, None), np.nan),
        "loss/box": changed(PART, slice(45, None), np.nan),
        "loss/mask": changed(PART, slice(43, None), np.inf),
        "grad_norm": changed(ORDINARY, slice(44, None), np.nan),
    }
    messages = {alert.metric: alert.message for alert in alerts_of(columns)}
    assert messages["loss"] == "loss is NaN; loss/mask was the first, at step 44"


def test_an_update_that_overflowed_and_was_skipped_is_no_alert():
    overflow = np.zeros(400)
    overflow[[0, 1, 2, 90, 300]] = 1
    norm = np.where(overflow > 0, np.inf, ORDINARY)
    assert found({"loss": ORDINARY, "overflow": overflow, "grad_norm": norm}) == []


def test_updates_that_overflow_one_after_the_other_are_found():
    overflow = changed(np.zeros(400), slice(100, 130), 1)
    scale = np.full(400, 1.0)
    alert = only({"loss": ORDINARY, "overflow": overflow, "loss_scale": scale})
    assert (alert.rule, alert.step) == ("overflow_streak", 120)
    assert alert.message.endswith("the loss scale is 1")


def test_a_loss_scale_that_begins_too_high_may_overflow_for_a_while():
    overflow = changed(np.zeros(400), slice(0, 24), 1)
    assert found({"loss": ORDINARY, "overflow": overflow}) == []


def test_weights_that_are_no_numbers_are_found():
    alert = only({"weight_nonfinite/head": [0.0, 0.0, 12.0, 12.0]})
    assert (alert.rule, alert.step) == ("nonfinite_weights", 3)
    assert alert.message == "head has 12 values that are not finite"


def test_a_loss_that_explodes_over_200_steps_is_found():
    rise = np.exp(np.maximum(np.arange(400) - 200, 0) / 25)
    alert = only({"loss": ORDINARY * rise})
    assert alert.rule == "diverged"
    assert 200 < alert.step <= 300
    assert "from 0." in alert.message


def test_a_bad_batch_is_found_at_its_step():
    alert = only({"loss": changed(ORDINARY, 300, 9.0)})
    assert (alert.rule, alert.step) == ("spike", 301)
    assert alert.message.startswith("loss jumps to 9, from about 0.1")


def test_a_layer_whose_gradient_explodes_is_named():
    grown = ORDINARY * np.exp(np.clip(np.arange(400) - 200, 0, 100) / 8)
    alert = only(norms(head=grown, body=ORDINARY))
    assert (alert.rule, alert.metric) == ("gradient_explosion", "grad_norm/head")
    assert alert.message.startswith("the gradient of head has grown to")


def test_a_gradient_may_vanish_with_the_loss():
    gone = np.exp(-np.arange(400) / 20)
    assert found({"loss": gone, "grad_norm": gone}) == []
    stays = 2 + 0.3 * np.sin(np.arange(400) / 60)
    assert found({"loss": stays, "grad_norm": gone}) == [
        ("gradient_vanishing", "grad_norm")
    ]


def test_a_group_that_is_never_trained_has_no_rate():
    rate = np.linspace(1e-3, 1e-5, 400)
    assert found({"lr": rate, "lr/backbone": 0 * rate}) == []
    ends = changed(rate, slice(350, None), 0)
    assert found({"lr": ends, "lr/head": ends}) == [
        ("lr_zero", "lr"),
        ("lr_zero", "lr/head"),
    ]


def test_the_share_of_the_wait_is_told():
    step_ms, wait_ms = 1000 + 3 * NOISE, 200 + NOISE
    columns = {"step_time_ms": step_ms, "data_time_ms": wait_ms}
    assert found(columns) == []
    alert = only({**columns, "data_time_ms": changed(wait_ms, slice(200, None), 800)})
    assert alert.message.startswith("each step waits 800 ms for its data, 8")


def test_steps_that_become_slow_are_found():
    alert = only({"step_time_ms": changed(400 + NOISE, slice(200, None), 1200)})
    assert (alert.rule, alert.step) == ("slow_steps", 272)
    assert "3.0 times as long as it did" in alert.message


def test_a_slowness_of_some_seconds_wakes_nobody():
    steps_ms = changed(100 + NOISE, slice(200, 380), 300)
    assert found({"step_time_ms": steps_ms}) == []


def test_a_frozen_part_is_found():
    alert = only(losses(np.full(60, FROZEN)))
    assert (alert.rule, alert.severity) == ("frozen_part", "error")
    assert "loss/ce is 0.731284 to the last bit" in alert.message
    assert "tuple instead of a dict" in alert.advice


def test_a_part_that_moves_now_and_then_is_not_frozen():
    part = np.full(60, FROZEN)
    part[:: FROZEN_VALUES - 1] = np.nextafter(FROZEN, 1)
    assert found(losses(part)) == []


def test_nothing_is_frozen_while_the_loss_does_not_move():
    part = np.full(60, FROZEN)
    assert found(losses(part, part)) == []
    assert found(losses(part, part + 1e-4 * NOISE[:60])) == []


@pytest.mark.parametrize("value", [0.0, 1.0, 0.05, 1e-4, 32.0, 65536.0, -2.5])
def test_a_number_that_somebody_has_set_is_not_frozen(value):
    assert found(losses(np.full(60, np.float32(value), float))) == []


def test_a_gradient_that_dies_among_living_ones_is_found():
    alert = only(norms(head=ORDINARY, embedding=dying(200), body=ORDINARY))
    assert (alert.rule, alert.metric) == ("dead_gradient", "grad_norm/embedding")
    assert alert.message.startswith("the gradient of embedding is at")


def test_a_gradient_of_exactly_zero_is_dead():
    history = norms(head=ORDINARY, body=dying(200, share=0.0))
    assert found(history) == [("dead_gradient", "grad_norm/body")]


def test_gradients_that_all_vanish_together_are_not_dead():
    assert found(norms(a=dying(200), b=dying(200), c=dying(200))) == []


def test_a_layer_that_never_had_a_gradient_is_not_dead():
    assert found(norms(frozen=np.zeros(400), head=ORDINARY)) == []


def test_a_layer_that_pauses_now_and_then_is_not_dead():
    norm = dying(200)
    norm[::10] = ORDINARY[::10]
    assert found(norms(head=ORDINARY, body=norm)) == []


def test_weights_that_collapse_are_found():
    alert = only({"weight_std/w": np.geomspace(0.05, 0.001, 40)})
    assert "of w collapse: " in alert.message
    assert "from 0.05 to 0.00" in alert.message


@pytest.mark.parametrize(
    "std",
    [
        np.geomspace(0.05, 0.01, 40),
        np.zeros(40),
        np.linspace(0, 0.1, 40),
        [0.05, 0.049, 0.048, 0.047, 0.046, 0.001],
        [0.05, 0.001],
        [0.05, 0.04, 0.03, np.nan, 0.002, 0.001],
    ],
    ids=["a little", "none", "growing", "once", "two values", "with NaN"],
)
def test_other_weights_do_not_collapse(std):
    assert found({"weight_std/w": std}) == []


@given(
    seed=st.integers(0, 2**32 - 1),
    noise=st.floats(0.01, 0.5),
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
    assert found(curves | {"weight_std/a": decay}) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_content_with_any_short_history(rule):
    name = rule.patterns[0].replace("*", "x")
    odd = [0.0, 5e-324, 1e308]
    for length in range(30):
        values = [odd[i % len(odd)] for i in range(length)]
        alerts_of({name: values, "loss": values})


def test_few_healthy_trainings_raise_an_alert():
    trainings = [healthy(seed) for seed in TUNING[:60]]
    alarmed = [t.kind for t in trainings if alerts_of(t.values)]
    assert len(alarmed) <= 1, alarmed


@pytest.mark.parametrize("kind", SICK)
def test_most_sick_trainings_are_found(kind):
    rule, *_ = kind.split()
    missed = Counter()
    for seed in TUNING[:12]:
        training = sick(kind, seed)
        begins = [a.step for a in alerts_of(training.values) if a.rule == rule]
        missed[not begins or begins[0] <= training.onset] += 1
    assert missed[True] <= 2


@settings(max_examples=20)
@given(
    kind=st.sampled_from([*SICK]),
    seed=st.sampled_from(TUNING),
    sizes=st.lists(st.integers(1, 700), min_size=1, max_size=5),
)
def test_alerts_are_the_same_however_the_values_come(kind, seed, sizes):
    values = {name: v[:1500] for name, v in sick(kind, seed).values.items()}
    assert begun(alerts_of(values, sizes)) == begun(alerts_of(values))


def begun(alerts):
    return {(a.rule, a.metric, a.step, a.message, a.last_step) for a in alerts}
