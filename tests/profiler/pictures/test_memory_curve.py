import numpy as np
import pandas as pd

from mswidget import load_profile
from mswidget.profiler.pictures.memory_curve import memory_curve
from tests.profiler.samples import (
    TORCH_LEVEL_1,
)


def test_the_peak_of_the_memory_is_marked():
    record = load_profile(TORCH_LEVEL_1)["memory_record"]
    figure = memory_curve(record)
    peaks = [line.y[0] for line in figure.data if line.mode == "markers+text"]
    assert max(peaks) == record["total_allocated_mb"].max()


def test_of_many_ranks_the_memory_of_the_fullest_is_drawn():
    one = pd.DataFrame({"component": "MindSpore", "timestamp_ns": [1, 2]})
    ranks = [one.assign(rank=n, total_reserved_mb=100.0 - n) for n in range(64)]
    figure = memory_curve(pd.concat(ranks))
    assert figure.layout.title.text == "Device memory of the 4 fullest of 64 ranks"
    assert [line.name.split(":")[0] for line in figure.data] == [
        f"MindSpore rank {n}" for n in range(4)
    ]


def test_a_long_memory_curve_keeps_its_spike():
    count = 300_000
    memory = np.zeros(count)
    memory[123_456] = 777.5
    record = pd.DataFrame({"timestamp_ns": range(count), "total_allocated_mb": memory})
    line = memory_curve(record).data[0]
    assert len(line.y) <= 2_002
    assert max(line.y) == 777.5
