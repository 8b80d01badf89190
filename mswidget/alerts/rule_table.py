"""The rules, each a line of one table."""

from __future__ import annotations

from mswidget.alerts.glance import Rule
from mswidget.alerts.rules.gradients import (
    dead_gradient,
    gradient_explosion,
    gradient_vanishing,
    shrinking_weights,
)
from mswidget.alerts.rules.pace import data_wait, slow_steps
from mswidget.alerts.rules.parts import frozen_part
from mswidget.alerts.rules.schedule import lr_schedule
from mswidget.alerts.rules.trend import diverged, oscillation, part_diverged, plateau
from mswidget.alerts.rules.values import (
    lr_zero,
    nonfinite,
    nonfinite_weights,
    overflow_streak,
    spike,
)

LOSSES = ("loss", "train/loss", "train_loss")
"""What the loss of a training is called, by mswidget and by others."""
RULES: tuple[Rule, ...] = (
    Rule(
        "nonfinite",
        (*LOSSES, "loss/*", "grad_norm", "grad_norm/*"),
        "error",
        "a lower learning rate, a clipped gradient, or float32 where values overflow; "
        "look at the batch of that step",
        nonfinite,
        names_batch=True,
    ),
    Rule(
        "nonfinite_weights",
        ("weight_nonfinite/*", "grad_nonfinite/*"),
        "error",
        "what is trained from here on is lost: go back to an earlier checkpoint",
        nonfinite_weights,
    ),
    Rule(
        "diverged",
        LOSSES,
        "error",
        "go back to a checkpoint before the climb, with a lower learning rate or a "
        "longer warm-up",
        diverged,
    ),
    Rule(
        "part_diverged",
        ("loss/*",),
        "warning",
        "look at the weight of this part, and at the head and the labels behind it",
        part_diverged,
    ),
    Rule(
        "spike",
        LOSSES,
        "warning",
        "look at the batch of that step; clip the gradient",
        spike,
        names_batch=True,
    ),
    Rule(
        "oscillation",
        LOSSES,
        "warning",
        "a lower learning rate, or less momentum",
        oscillation,
    ),
    Rule(
        "plateau",
        LOSSES,
        "info",
        "look at the learning rate, at the labels, and at whether the gradient reaches "
        "all layers",
        plateau,
    ),
    Rule(
        "gradient_explosion",
        ("grad_norm", "grad_norm/*"),
        "warning",
        "clip the gradient, or lower the learning rate",
        gradient_explosion,
    ),
    Rule(
        "gradient_vanishing",
        ("grad_norm",),
        "warning",
        "look at activations that saturate, at the loss scale, and at what cuts the "
        "network off from its loss",
        gradient_vanishing,
    ),
    Rule(
        "overflow_streak",
        ("overflow",),
        "error",
        "nothing is learned meanwhile: look for what overflows in float16",
        overflow_streak,
    ),
    Rule(
        "lr_zero",
        ("lr", "lr/*"),
        "warning",
        "look at how many steps the schedule was made for",
        lr_zero,
    ),
    Rule(
        "lr_schedule",
        ("lr", "lr/*"),
        "warning",
        "make the schedule for the steps of this run: epochs times batches",
        lr_schedule,
    ),
    Rule(
        "slow_steps",
        ("step_time_ms",),
        "warning",
        "look for another process on this machine, and at the data; %mswidget profile "
        "tells where the time goes",
        slow_steps,
    ),
    Rule(
        "data_wait",
        ("data_time_ms",),
        "warning",
        "more num_parallel_workers in map and batch, prefetching, or data that was "
        "decoded before",
        data_wait,
    ),
    Rule(
        "frozen_part",
        ("loss/*",),
        "error",
        "in graph mode MindSpore freezes what value_and_grad(has_aux=True) returns in "
        "a dict at the first step's values: return a tuple instead of a dict",
        frozen_part,
    ),
    Rule(
        "dead_gradient",
        ("grad_norm/*",),
        "warning",
        "look for what cuts the layer off: a dropout in the wrong mode, a mask of "
        "zeros, stop_gradient, a saturated activation",
        dead_gradient,
    ),
    Rule(
        "shrinking_weights",
        ("weight_std/*",),
        "warning",
        "look at the weight decay and the learning rate of this parameter, and at "
        "whether its layer still gets a gradient",
        shrinking_weights,
    ),
)
