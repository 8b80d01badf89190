"""``%mswidget`` in a real IPython shell."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from mswidget import start_run
from mswidget.run.start import RUNS


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    """A shell with the extension loaded, and no run yet."""
    RUNS.clear()
    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "mswidget")
    yield shell
    RUNS.clear()


def test_help_names_the_first_call_and_the_runs(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with start_run("baseline", log_dir=tmp_path) as run:
        run.log({"loss": 1.0})
        shell.run_line_magic("mswidget", "")
    printed = capsys.readouterr().out
    assert "TrainMonitor(" in printed
    assert f"baseline: training, step 1, {run.path}" in printed


def test_with_no_run_it_says_so(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_line_magic("mswidget", "")
    assert "No run in this kernel yet" in capsys.readouterr().out


def test_stop_ends_the_run_that_is_named(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with (
        start_run("one", log_dir=tmp_path) as one,
        start_run("two", log_dir=tmp_path) as two,
    ):
        shell.run_line_magic("mswidget", "stop two")
        assert (one.stop_requested, two.stop_requested) == (False, True)
    assert two.phase == "stopped"
    assert "two: stop requested" in capsys.readouterr().out


def test_stop_asks_a_run_of_another_process_by_its_folder(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with start_run("one", log_dir=tmp_path) as one:
        RUNS.clear()
        shell.run_line_magic("mswidget", f"stop '{one.path}'")
        shell.run_line_magic("mswidget", f"stop {tmp_path}")
        assert (one.path / "STOP").exists()
    printed = capsys.readouterr().out
    assert "asked to end after step 20" in printed
    assert "no run there" in printed


def test_auto_can_be_turned_on_and_off(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    before = list(sys.meta_path)
    for line in ("auto", "auto off", "auto offf"):
        shell.run_line_magic("mswidget", line)
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith("Every Model.train")
    assert second.startswith("Trainings are no longer")
    assert "known are on, off" in third
    assert sys.meta_path == before


def test_runs_are_listed(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shell.run_line_magic("mswidget", f"list '{tmp_path}'")
    with start_run("基线 1", log_dir=tmp_path) as run:
        run.log({"loss": 0.125})
    shell.run_line_magic("mswidget", f"list '{tmp_path}'")
    printed = capsys.readouterr().out
    assert "No run there yet" in printed
    assert "基线 1" in printed
    assert "0.125" in printed


def test_a_run_is_exported_by_its_name_or_its_folder(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with start_run("one two", log_dir=tmp_path) as run:
        run.log({"loss": 1.0})
    shell.run_line_magic("mswidget", f"export 'one two' '{tmp_path}/a b.csv'")
    shell.run_line_magic("mswidget", f"export '{run.path}' {tmp_path}/c.csv")
    assert (tmp_path / "a b.csv").read_bytes() == (tmp_path / "c.csv").read_bytes()
    assert "c.csv is written" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("export", "export RUN FILE"),
        ("export no-such x.csv", "does not exist"),
        ("export run x.xlsx", ".csv, .parquet, .html"),
        ("list no-such", "No such file"),
    ],
)
def test_a_wrong_export_or_list_says_what_is_wrong(
    shell: InteractiveShell,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    line: str,
    said: str,
) -> None:
    with start_run("run", log_dir=tmp_path):
        shell.run_line_magic("mswidget", line)
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("line", ["stop no-such-run", "explode"])
def test_a_wrong_word_says_what_is_known(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    shell.run_line_magic("mswidget", line)
    printed = capsys.readouterr().out
    assert "running are: none" in printed or "known are help, stop" in printed


def test_unload_takes_the_magic_away(shell: InteractiveShell) -> None:
    shell.run_line_magic("unload_ext", "mswidget")
    assert shell.find_line_magic("mswidget") is None
