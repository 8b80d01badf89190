"""The rules over real trainings that were recorded."""

import numpy as np
import pytest

from mswidget.alerts.check import check
from mswidget.records.rank import Rank
from tests.alerts.recorded import BAD_BATCH, DEAD_FROM, recorded
from tests.page import history_of

HEALTHY, SICK = recorded("healthy"), recorded("sick")
# They were recorded on a machine that others used: steps did become slow.
OF_THE_MACHINE = {"slow_steps", "data_wait"}


def alerts(values):
    held = {name: column[~np.isnan(column)] for name, column in values.items()}
    return check({0: Rank(0, history_of(held))})


def test_there_are_enough_healthy_trainings():
    assert len(HEALTHY) >= 13
    assert all(v["loss"][-10:].mean() < v["loss"][0] for v in HEALTHY.values())


@pytest.mark.parametrize("title", HEALTHY)
def test_a_healthy_training_raises_no_alert(title):
    found = alerts(HEALTHY[title])
    assert [a for a in found if a.rule not in OF_THE_MACHINE] == []


def test_a_rate_that_is_too_high_is_told_after_32_steps():
    (alert,) = alerts(SICK["rate too high"])
    assert (alert.rule, alert.step, alert.severity) == ("diverged", 32, "error")


def test_a_bad_batch_is_told_at_its_step():
    (alert,) = alerts(SICK["bad batch"])
    assert (alert.rule, alert.step) == ("spike", BAD_BATCH + 1)


def test_layers_that_are_cut_off_are_named():
    found = alerts(SICK["dead layers"])
    assert {alert.rule for alert in found} == {"dead_gradient"}
    assert all(DEAD_FROM < alert.step <= DEAD_FROM + 32 for alert in found)
    named = {alert.metric for alert in found}
    alive = {"grad_norm/network.norm", "grad_norm/network.scores"}
    layers = {name for name in SICK["dead layers"] if name.startswith("grad_norm/")}
    assert named == layers - alive
