import os
import re
import sys

from hypothesis import settings

# MindSpore reads it once, at import: its own log would drown a test's.
os.environ.setdefault("GLOG_v", "4")
# A test that takes long on a busy machine has the same values as a fast one.
os.environ.setdefault("MSWIDGET_MACHINE", "0")

# A busy machine is no failure.
settings.register_profile("mswidget", deadline=None, print_blob=True)
settings.register_profile(
    "fast", parent=settings.get_profile("mswidget"), max_examples=10
)
settings.load_profile("mswidget")

_SLOW_FOLDERS = {"browser", "test_notebooks.py", "test_wheel.py"}
_TRAINS = re.compile(
    r"^\s*(import|from) (mindspore|mswidget\.collect)\b"
    r"|^\s*from tests\.(collect|training|kernel)\b"
    r"|\bTrainMonitor\b",
    re.MULTILINE,
)
_TRAINING_FIXTURES = {"two_ranks"}


def pytest_addoption(parser):
    parser.addoption(
        "--fast", action="store_true", help="only what needs no browser, no MindSpore"
    )


def pytest_configure(config):
    if config.getoption("fast"):
        settings.load_profile("fast")
        sys.modules["mindspore"] = None  # so that nothing imports it unnoticed


def pytest_ignore_collect(collection_path, config):
    """Leave out files that need a browser, a kernel or MindSpore; None says nothing."""
    if not config.getoption("fast") or collection_path.suffix != ".py":
        return None
    in_slow = not _SLOW_FOLDERS.isdisjoint(collection_path.parts)
    return (in_slow or bool(_TRAINS.search(collection_path.read_text()))) or None


def pytest_collection_modifyitems(config, items):
    if config.getoption("fast"):
        items[:] = [item for item in items if not _trains(item)]


def _trains(item):
    fixtures = not _TRAINING_FIXTURES.isdisjoint(item.fixturenames)
    return fixtures or item.get_closest_marker("mindspore") is not None
