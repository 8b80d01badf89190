"""Whose commit a run records."""

import sys
import sysconfig
from pathlib import Path
from types import ModuleType

import pytest

from mswidget.run.provenance import facts, own_folder

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def main(monkeypatch):
    """Return an empty ``__main__``, as a kernel has it."""
    found = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", found)
    return found


def repository(folder):
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text(SHA)
    return folder


def test_the_commit_is_that_of_the_script_wherever_it_is_started(
    tmp_path, main, monkeypatch
):
    main.__file__ = str(repository(tmp_path / "code") / "train.py")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert facts()["git"] == {"commit": SHA}
    main.__file__ = str(tmp_path / "elsewhere" / "train.py")
    monkeypatch.chdir(tmp_path / "code")
    assert facts()["git"] == {}


@pytest.mark.usefixtures("main")
def test_a_notebook_is_where_its_kernel_works(tmp_path, monkeypatch):
    monkeypatch.chdir(repository(tmp_path / "notebooks"))
    assert facts()["git"] == {"commit": SHA}


def test_a_notebook_of_vs_code_is_where_that_says(tmp_path, main, monkeypatch):
    monkeypatch.chdir(tmp_path)
    main.__vsc_ipynb_file__ = str(repository(tmp_path / "code") / "a.ipynb")
    assert own_folder() == tmp_path / "code"


@pytest.mark.parametrize(
    "file",
    [
        Path(sysconfig.get_path("scripts")) / "train",
        Path(sysconfig.get_path("purelib")) / "mindformers" / "run.py",
        Path("env/lib/python3.11/site-packages/tool/__main__.py"),
    ],
)
def test_what_is_installed_has_no_commit(tmp_path, main, monkeypatch, file):
    monkeypatch.chdir(repository(tmp_path / "code"))
    main.__file__ = str(file)
    assert facts()["git"] == {}


@pytest.mark.usefixtures("main")
def test_without_a_working_folder_there_is_no_commit(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert facts()["git"] == {}
