"""What a metric is called, measured in, and where it is drawn: one table."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

Better = Literal["lower", "higher", ""]

PANELS = (
    "loss",
    "parts",
    "lr",
    "grad_norm",
    "throughput",
    "evaluation",
    "other",
    "layers",
    "distributions",
    "device",
)
"""The panels in the order in which they stand: the ids of ``js/src/panels``."""


@dataclass(frozen=True)
class Metric:
    """How one metric, or all metrics of a pattern, are shown.

    Parameters
    ----------
    pattern
        The metric's name, or a shell pattern such as ``loss/*``.
    panel
        The panel that draws it: one of `PANELS`.
    unit
        Shown in brackets; empty for a plain number.
    better
        Which direction is good: ``lower``, ``higher``, or empty when neither is.
    label
        The title in words; empty means the name itself.
    """

    pattern: str
    panel: str
    unit: str = ""
    better: Better = ""
    label: str = ""


METRICS: tuple[Metric, ...] = (
    Metric("loss", "loss", better="lower", label="loss"),
    Metric("loss/*", "parts", better="lower"),
    Metric("lr", "lr", label="learning rate"),
    Metric("lr/*", "lr"),
    Metric("grad_norm", "grad_norm", label="gradient norm"),
    Metric("grad_norm_clipped", "grad_norm", label="gradient norm, clipped"),
    Metric("grad_norm/*", "layers"),
    Metric("weight_q/*", "distributions"),
    Metric("grad_q/*", "distributions"),
    Metric("update_ratio/*", "distributions"),
    Metric("weight_mean/*", "distributions"),
    Metric("weight_std/*", "distributions"),
    Metric("weight_absmax/*", "distributions"),
    Metric("weight_zeros/*", "distributions"),
    Metric("grad_mean/*", "distributions"),
    Metric("grad_std/*", "distributions"),
    Metric("grad_absmax/*", "distributions"),
    Metric("grad_zeros/*", "distributions"),
    Metric("samples_per_s", "throughput", "1/s", "higher", "samples"),
    Metric("tokens_per_s", "throughput", "1/s", "higher", "tokens"),
    Metric("step_time_ms", "throughput", "ms", "lower", "step time"),
    Metric("data_time_ms", "throughput", "ms", "lower", "data wait"),
    Metric("tflops_per_npu", "throughput", "TFLOP/s", "higher", "TFLOP/s per NPU"),
    Metric("mfu", "throughput", "", "higher", "model FLOPs utilisation"),
    Metric("loss_scale", "other", label="loss scale"),
    Metric("overflow", "other", better="lower", label="overflow"),
    Metric("eval/*", "evaluation"),
    Metric("*", "other"),
)


def describe(name: str) -> Metric:
    """Return the first entry of `METRICS` whose pattern fits ``name``."""
    return next(metric for metric in METRICS if _fits(name, metric.pattern))


def _fits(name: str, pattern: str) -> bool:
    return name == pattern or ("*" in pattern and fnmatchcase(name, pattern))
