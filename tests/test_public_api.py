"""The names that users import."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys

import pytest

import mswidget


@pytest.mark.mindspore
def test_every_public_name_stays_the_public_object_after_every_import() -> None:
    before = {name: getattr(mswidget, name) for name in mswidget.__all__}
    modules = [m.name for m in pkgutil.walk_packages(mswidget.__path__, "mswidget.")]
    # MindFormers cannot be installed beside this MindSpore.
    modules.remove("mswidget.collect.mindformers")
    for module in modules:
        importlib.import_module(module)
    assert {name: getattr(mswidget, name) for name in mswidget.__all__} == before


def test_no_public_name_is_a_subpackage() -> None:
    packages = {module.name for module in pkgutil.iter_modules(mswidget.__path__)}
    assert not packages & set(mswidget.__all__)


def test_the_package_imports_without_mindspore_jupyter_and_pandas() -> None:
    code = "import sys, mswidget; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    absent = {"mindspore", "IPython", "anywidget", "ipywidgets", "pandas", "plotly"}
    assert not absent & set(loaded)


def test_an_unknown_name_is_refused() -> None:
    assert not hasattr(mswidget, "TrainMoniter")
