"""A rule about a learning rate that cannot do what its schedule says."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mswidget.alerts.glance import Fault, Glance
from mswidget.records.begin import inside


def lr_schedule(glance: Glance) -> Fault | None:
    """Find a schedule that does not fit the run, or that nobody follows.

    It is too short for the run, or its highest rate lies behind the run's end, or it
    has come to its end and the rate has never changed.
    """
    rates = inside(inside(glance.begin, "config"), "learning_rate")
    schedule = inside(rates, glance.metric)
    sentence = _misfit(schedule, glance.begin) or _unfollowed(schedule, glance)
    if not sentence:
        return None
    bad = np.ones(len(glance.new), bool)
    return Fault(bad, lambda _place: f"{glance.name}: {sentence}")


def _misfit(schedule: Mapping[str, object], begin: Mapping[str, object]) -> str:
    """Return how a schedule does not fit the length of a run; empty when it does."""
    total = begin.get("total_steps")
    peak = schedule.get("max_step", schedule.get("warmup_steps"))
    steps = schedule.get("steps")
    if type(total) is not int:
        return ""
    if type(peak) is int and peak > total and not _is_flat(schedule):
        return f"it rises until step {peak:,}, and the run ends at step {total:,}"
    if type(steps) is int and steps < total:
        return f"its list has {steps:,} rates, and the run makes {total:,} steps"
    return ""


def _unfollowed(schedule: Mapping[str, object], glance: Glance) -> str:
    """Return that a list has come to its end, while the rate never changed."""
    steps = schedule.get("steps")
    if type(steps) is not int or _is_flat(schedule) or glance.stop < steps:
        return ""
    values = glance.values
    if values[0] != values[-1] or np.ptp(values):
        return ""
    return f"it has been {values[0]:.4g} for {glance.stop:,} values, unlike its list"


def _is_flat(schedule: Mapping[str, object]) -> bool:
    return "max" in schedule and schedule.get("first") == schedule.get("max")
