"""The memory of the device, as far as it is told."""

import mindspore as ms
import pytest

from mswidget.collect.sources.device_memory import memory
from tests.training import dataset, small_model

pytestmark = pytest.mark.usefixtures("pynative")


STATS = {
    "total_reserved_memory": 1073741824,
    "total_allocated_memory": 1024,
    "max_allocated_memory": 1572864,
    "common_mem_pool_stats": {"blocks_info": {}},
}


def test_a_pool_is_told_in_mb():
    assert memory(STATS) == {
        "device_memory_mb": 1 / 1024,
        "device_memory_peak_mb": 1.5,
        "device_memory_reserved_mb": 1024,
    }


def test_a_cpu_has_no_device_memory_and_says_no_word(monitor):
    small_model().train(1, dataset(3), callbacks=[monitor])
    assert not [n for n in monitor.run.to_pandas() if n.startswith("device_memory")]
    assert monitor.run.notices == []


def test_device_memory_is_asked_for_once_in_seconds(monitor, monkeypatch):
    """What an Ascend answers, by MindSpore's documentation; a CPU says 0."""
    asked = []
    monkeypatch.setattr(ms.runtime, "memory_stats", lambda: asked.append(1) or STATS)
    small_model().train(1, dataset(20), callbacks=[monitor])
    found = monitor.run.to_pandas()["device_memory_reserved_mb"].dropna()
    assert found.index[0] == 1
    assert set(found) == {1024}
    assert len(asked) == len(found) < 20
