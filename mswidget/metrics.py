"""What a metric is called, measured in, and where it is drawn: one table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Literal

Better = Literal["lower", "higher", ""]

PANELS = (
    "loss",
    "parts",
    "lr",
    "evaluation",
    "throughput",
    "grad_norm",
    "difference",
    "layers",
    "distributions",
    "other",
    "device",
)
"""The panels, what matters most first: the ids of ``js/src/panels``.

Metrics stand in this order in every picture, table and line of text.
"""

FOLDED = ("layers", "distributions")
"""Those of which there are so many that they are closed at first."""


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
    planned
        It follows from the settings and the step alone: what another run of the same
        settings has is the same to the last bits.
    """

    pattern: str
    panel: str
    unit: str = ""
    better: Better = ""
    label: str = ""
    planned: bool = False


_WILD = frozenset("*?[")
# Evaluations are named by the user: these parts of names tell the direction.
_LOWER_IS_BETTER = ("loss", "perplexity", "error", "mae", "mse")
_HIGHER_IS_BETTER = ("acc", "f1", "recall", "precision", "auc", "bleu", "mAP", "iou")

METRICS: tuple[Metric, ...] = (
    Metric("loss", "loss", better="lower", label="loss"),
    Metric("eval/loss", "loss", better="lower", label="validation loss"),
    Metric("loss_raw", "other", label="loss as returned, before it is divided"),
    Metric("loss/*", "parts", better="lower"),
    Metric("lr", "lr", label="learning rate", planned=True),
    Metric("lr/*", "lr", planned=True),
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
    Metric("weight_nonfinite/*", "other", better="lower"),
    Metric("grad_nonfinite/*", "other", better="lower"),
    Metric("samples_per_s", "throughput", "1/s", "higher", "samples"),
    Metric("tokens_per_s", "throughput", "1/s", "higher", "tokens"),
    Metric("step_time_ms", "throughput", "ms", "lower", "step time"),
    Metric("data_time_ms", "throughput", "ms", "lower", "data wait"),
    Metric("tflops_per_npu", "throughput", "TFLOP/s", "higher", "TFLOP/s per NPU"),
    Metric("mfu", "throughput", "", "higher", "model FLOPs utilisation"),
    Metric("loss_scale", "other", label="loss scale"),
    Metric("overflow", "other", better="lower", label="overflow"),
    Metric("skipped_pct", "other", "%", "lower", "skipped updates, last 100 logged"),
    *(Metric(f"eval/*{n}*", "evaluation", better="lower") for n in _LOWER_IS_BETTER),
    *(Metric(f"eval/*{n}*", "evaluation", better="higher") for n in _HIGHER_IS_BETTER),
    Metric("eval/*", "evaluation"),
    Metric("difference/*", "difference"),
    Metric("relative_difference/*", "difference"),
    Metric("npu_aicore_pct", "device", "%", label="AI Core busy"),
    Metric("npu_hbm_bandwidth_pct", "device", "%", label="HBM bandwidth used"),
    Metric("npu_hbm_used_mb", "device", "MB", label="HBM used"),
    Metric("npu_memory_used_mb", "device", "MB", label="NPU memory used"),
    Metric("npu_power_w", "device", "W", label="NPU power"),
    Metric("npu_temperature_c", "device", "°C", label="NPU temperature"),
    Metric("device_memory_mb", "device", "MB", label="device memory of tensors"),
    Metric("device_memory_peak_mb", "device", "MB", label="peak of tensors so far"),
    Metric("device_memory_reserved_mb", "device", "MB", label="device memory reserved"),
    Metric("process_memory_mb", "device", "MB", label="memory of this process"),
    Metric("host_memory_mb", "device", "MB", label="memory used on the host"),
    Metric("process_cpu_pct", "device", "%", label="CPU of this process, 100 a core"),
    Metric("cpu_pct", "device", "%", label="CPU of the host"),
    # What mswidget itself costs comes last.
    Metric("watch_time_ms", "device", "ms", "lower", "weight statistics"),
    Metric("*", "other"),
)


def describe(name: str) -> Metric:
    """Return the first entry of `METRICS` whose pattern fits ``name``."""
    return next(metric for metric in METRICS if fits(name, metric.pattern))


def in_order(names: Iterable[str]) -> list[str]:
    """Return names by importance: as in `PANELS`, there as in `METRICS`.

    Others stand as they come, those of a prefix, such as ``train/``, together.
    """
    first: dict[str, int] = {}
    names = list(names)
    for place, name in enumerate(names):
        first.setdefault(_prefix(name), place)
    return sorted(names, key=lambda name: (*_place(name), first[_prefix(name)]))


def _prefix(name: str) -> str:
    front, slash, _ = name.partition("/")
    return front + slash


@cache
def _place(name: str) -> tuple[int, int]:
    metric = describe(name)
    return PANELS.index(metric.panel), METRICS.index(metric)


def fits(name: str, pattern: str) -> bool:
    """Say whether a metric is the one that is named, or one of a shell pattern."""
    return name == pattern or (
        not _WILD.isdisjoint(pattern) and fnmatchcase(name, pattern)
    )
