"""How a metric is shown follows from its name."""

import pytest

from mswidget.metrics import METRICS, describe


@pytest.mark.parametrize(
    ("name", "panel"),
    [
        ("loss", "loss"),
        ("loss/bbox", "parts"),
        ("loss/decoder/0", "parts"),
        ("lr", "lr"),
        ("lr/backbone", "lr"),
        ("grad_norm", "grad_norm"),
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


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.pattern)
def test_no_entry_is_hidden_by_an_earlier_one(metric):
    assert describe(metric.pattern.replace("*", "anything")) is metric
