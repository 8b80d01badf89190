"""The units of language models."""

import math

import mindspore as ms
import numpy as np
import pytest

from mswidget import TrainMonitor
from mswidget.collect.options.tokens import Tokens
from tests.training import BATCH, dataset, small_model


def test_tokens_follow_from_samples(tmp_path):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    monitor = TrainMonitor(
        "run", tmp_path, display=False,
        tokens_per_sample=128, flops_per_token=6e9, peak_tflops=320,
    )  # fmt: skip
    small_model().train(1, dataset(4), callbacks=[monitor])
    frame = monitor.run.to_pandas()[1:]
    tokens_per_s = 128 * BATCH / (frame["step_time_ms"] / 1e3)
    np.testing.assert_allclose(frame["tokens_per_s"], tokens_per_s)
    np.testing.assert_allclose(frame["tflops_per_npu"], tokens_per_s * 6e9 / 1e12)
    np.testing.assert_allclose(frame["mfu"], tokens_per_s * 6e9 / 1e12 / 320)


def test_without_costs_there_are_just_tokens():
    assert Tokens(per_sample=10).rates(2.0) == {"tokens_per_s": 20}
    assert Tokens(per_sample=10).rates(None) == {}
    assert Tokens().rates(2.0) == {}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tokens_per_sample": 0}, "tokens_per_sample must be a number above 0"),
        ({"tokens_per_sample": "128"}, "found '128'"),
        ({"tokens_per_sample": True}, "found True"),
        ({"tokens_per_sample": math.inf}, "found inf"),
        (
            {"tokens_per_sample": 9, "flops_per_token": math.nan},
            "flops_per_token must be",
        ),
        ({"flops_per_token": 6e9}, "give it as well"),
        ({"tokens_per_sample": 9, "peak_tflops": 320}, "without flops_per_token"),
    ],
)
def test_units_that_make_no_sense_are_refused_with_what_is_allowed(
    given, message, tmp_path
):
    with pytest.raises(ValueError, match=message):
        TrainMonitor("run", tmp_path, **given)
