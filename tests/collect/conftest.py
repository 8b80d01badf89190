"""What many tests of collecting need; the fast tests here have no MindSpore."""

import pytest


@pytest.fixture
def pynative():
    """Run MindSpore in PyNative mode."""
    import mindspore as ms  # noqa: PLC0415

    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.fixture
def monitor(tmp_path):
    """A monitor that shows nothing."""
    from mswidget import TrainMonitor  # noqa: PLC0415

    return TrainMonitor("run", tmp_path, display=False)
