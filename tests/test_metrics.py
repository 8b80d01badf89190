"""How a metric is shown follows from its name."""

import re
from pathlib import Path

import pytest

from mswidget.metrics import METRICS, PANELS, describe, in_order


@pytest.mark.parametrize(
    ("name", "panel"),
    [
        ("loss", "loss"),
        ("loss/bbox", "parts"),
        ("loss/decoder/0", "parts"),
        ("lr", "lr"),
        ("lr/backbone", "lr"),
        ("grad_norm", "grad_norm"),
        ("grad_norm/层.0", "layers"),
        ("grad_norm_clipped", "grad_norm"),
        ("weight_q/a/b/p50", "distributions"),
        ("update_ratio/w", "distributions"),
        ("weight_norm", "other"),
        ("samples_per_s", "throughput"),
        ("eval/准确率", "evaluation"),
        ("losses", "other"),
        ("LOSS", "other"),
        ("温度", "other"),
        ("", "other"),
        ("loss/[ab]\n*?", "parts"),
    ],
)
def test_a_metric_stands_in_the_panel_of_its_name(name, panel):
    assert describe(name).panel == panel


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("loss", "lower"),
        ("lr", ""),
        ("eval/loss", "lower"),
        ("eval/val_mae", "lower"),
        ("eval/top_1_accuracy", "higher"),
        ("eval/bbox_mAP_50", "higher"),
        ("eval/温度", ""),
    ],
)
def test_which_direction_is_good_follows_from_the_name(name, better):
    assert describe(name).better == better


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.pattern)
def test_no_entry_is_hidden_by_an_earlier_one(metric):
    assert describe(metric.pattern.replace("*", "anything")) is metric


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.pattern)
def test_each_metric_has_a_panel(metric):
    assert metric.panel in PANELS


def test_the_page_has_the_same_panels_in_the_same_order():
    folder = Path(__file__).parents[1] / "js/src/panels"
    index = (folder / "index.js").read_text()
    files = dict(re.findall(r'import (\w+) from "\./(\w+\.js)"', index))
    order = re.search(r"PANELS = \[(.*?)\]", index, re.DOTALL)[1]
    found = [(folder / files[name]).read_text() for name in re.findall(r"\w+", order)]
    assert tuple(re.search(r'\bid: "(\w+)"', text)[1] for text in found) == PANELS


def test_what_matters_stands_before_what_only_came_earlier():
    names = [
        "watch_time_ms",
        "b",
        "step_time_ms",
        "loss/z",
        "a",
        "samples_per_s",
        "loss",
    ]
    assert in_order(names) == [
        *("loss", "loss/z", "samples_per_s", "step_time_ms"),
        *("b", "a", "watch_time_ms"),
    ]


def test_metrics_stand_by_importance_and_by_prefix():
    names = [
        *("cpu_pct", "train/a", "weight_q/w/p50", "val/a", "train/b", "grad_norm/w"),
        *("eval/loss", "grad_norm", "tokens_per_s", "lr", "loss/ce", "loss"),
    ]
    assert in_order(names) == [
        *("loss", "eval/loss", "loss/ce", "lr", "tokens_per_s", "grad_norm"),
        *("grad_norm/w", "weight_q/w/p50", "train/a", "train/b", "val/a", "cpu_pct"),
    ]
