"""``%mswidget`` in a real IPython shell."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

from mswidget import start_run
from mswidget.commands.table import COMMANDS, commands_at
from tests.runs_here import forget_runs


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    """A shell with the extension loaded, and no run yet."""
    forget_runs()
    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "mswidget")
    yield shell
    forget_runs()


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
        forget_runs()
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
        ("list no-such", "no-such does not exist"),
        ("list 'no", "No closing quotation"),
        ("list --besst", "unknown are --besst; usage: %mswidget list [DIR]"),
        ("profile no-such", "no-such does not exist"),
        ("run no-such.py", "not found"),
        ("run -m no_such", "no_such"),
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
    assert "running are: none" in printed or "'explode' (choose from" in printed


def test_options_may_stand_between_runs(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in ("a", "b"):
        with start_run(name, log_dir=tmp_path, display=False) as run:
            run.log({"loss": 1.0})
    a, b = tmp_path / "a", tmp_path / "b"
    shell.run_line_magic("mswidget", f"compare {a} --baseline {a} {b}")
    assert "Distance to a" in capsys.readouterr().out


def test_help_is_told_and_ends_nothing(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_line_magic("mswidget", "--help")
    printed = capsys.readouterr().out
    assert all(f"\n  {word}" in printed for word in commands_at("notebook"))
    assert printed.strip() in shell.find_line_magic("mswidget").__doc__
    shell.run_line_magic("mswidget", "watch --help")
    usage = "usage: %mswidget watch [DIR ...] [--notify WHERE] [--pattern"
    assert capsys.readouterr().out.startswith(usage)


def test_a_script_is_run_in_this_kernel_with_what_is_its_own(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    script = tmp_path / "a b.py"
    script.write_text("import sys; print(sys.argv[1:], __name__); x = 1 / 0")
    before = list(sys.meta_path)
    shell.run_line_magic("mswidget", f"run '{script}' --help -- -m '*.py' 'x y'")
    printed = capsys.readouterr().out
    assert "['--help', '--', '-m', '*.py', 'x y'] __main__" in printed
    assert "ZeroDivisionError" in printed
    assert sys.meta_path == before


def test_a_profile_is_told_where_no_page_can_show_it(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = Path(__file__).parent / "data/ascend/torch-2023-09"
    shell.run_line_magic("mswidget", f"profile '{profile}'")
    assert "warn: 50% of the step is communication" in capsys.readouterr().out


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MSWIDGET_LOG_DIR", str(tmp_path / "logs"))
    for name in ("base", "基线 1", "it's"):
        (tmp_path / "logs" / name).mkdir(parents=True)
    (tmp_path / ".hidden").touch()
    (tmp_path / "train.py").touch()
    return tmp_path / "logs"


RUNS_THERE = ["base", r"it\'s", r"基线\ 1"]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("%mswidget ", [*commands_at("notebook"), "--help"]),
        ("x = 1\n%mswidget w", ["watch"]),
        ("%mswidget explode ", []),
        ("%mswidget compare --b", ["--baseline"]),
        ("%mswidget compare --baseline ", [*RUNS_THERE, "logs/", "train.py"]),
        ("%mswidget stop ", ["--help", *RUNS_THERE, "logs/", "train.py"]),
        ("%mswidget stop base ", ["--help"]),
        ("%mswidget compare --align step base ba", ["base"]),
        (r"%mswidget compare base 基线\ ", [r"基线\ 1"]),
        ("%mswidget compare base '基线 ", ["'基线 1'"]),
        ("%mswidget compare --align ", ["step", "epoch", "time", "samples", "tokens"]),
        ("%mswidget list ", ["--best", "--help", "logs/"]),
        ("%mswidget list logs/b", ["logs/base/"]),
        ("%mswidget list no-such/", []),
        ("%mswidget run ", ["-m", "--help", "logs/", "train.py"]),
        ("%mswidget run train.py ", ["logs/", "train.py"]),
        ("%mswidget run .h", [".hidden"]),
        ("%mswidget auto o", ["on", "off"]),
    ],
)
@pytest.mark.usefixtures("logs")
def test_words_options_runs_and_paths_are_completed(
    shell: InteractiveShell, line: str, offered: list[str]
) -> None:
    assert [text for text in completed(shell, line) if text in offered] == offered
    if offered:
        assert completed(shell, line) == offered


def completed(shell: InteractiveShell, line: str) -> list[str]:
    with provisionalcompleter():
        return [c.text for c in shell.Completer.completions(line, len(line))]


def test_other_lines_are_completed_as_ever(shell: InteractiveShell) -> None:
    assert "watch" not in completed(shell, "%mswidge")
    assert "print" in completed(shell, "prin")


def test_the_guide_tells_every_word() -> None:
    guide = Path(__file__).parents[1] / "notebooks/guide/commands.md"
    told = set(re.findall(r"^\| `(\w+)`", guide.read_text("utf-8"), re.MULTILINE))
    assert told == {command.word for command in COMMANDS}


def test_unload_takes_the_magic_away(shell: InteractiveShell) -> None:
    shell.run_line_magic("unload_ext", "mswidget")
    assert shell.find_line_magic("mswidget") is None
    assert completed(shell, "%mswidget w") == completed(
        InteractiveShell(), "%mswidget w"
    )
