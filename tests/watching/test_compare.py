"""Runs are compared by name, folder or object; the picture has what the tables say."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from mswidget import compare, load_run, start_run
from mswidget.pictures.scene import SavedScene
from mswidget.watching.compare import _differences, tables_html


@pytest.fixture
def logs(tmp_path, monkeypatch):
    monkeypatch.setenv("MSWIDGET_LOG_DIR", str(tmp_path))
    for name, factor in (("基线", 1.0), ("bnewb", 1.5)):
        with start_run(name, config={"rate": factor}, display=False) as run:
            for step in range(1, 21):
                run.log({"loss": factor / step, "lr": factor})
    return tmp_path


def test_runs_are_found_by_name_path_and_object(logs):
    saved = load_run(logs / "基线")
    for first in ("基线", logs / "基线", str(logs / "基线"), saved):
        found = compare(first, "bnewb", baseline=first)
        assert found.baseline == "基线"
        assert found.errors.loc[("loss", "bnewb"), "max_absolute"] == 0.5


def test_a_baseline_need_not_be_named_twice(logs):  # noqa: ARG001 - they are there
    found = compare("bnewb", baseline="基线")
    assert [*found.runs] == ["基线", "bnewb"]
    assert found.settings.loc["given.rate"].tolist() == [1.0, 1.5]


def test_a_run_that_goes_on_is_compared_as_it_is_now(logs):  # noqa: ARG001
    run = start_run("live", display=False)
    run.log({"loss": 3.0})
    found = compare(run, "基线")
    assert found.values.loc[("loss", "live"), "final"] == 3.0
    run.finish()


def test_one_run_alone_and_a_run_that_is_not_there_are_refused(logs):  # noqa: ARG001
    with pytest.raises(ValueError, match="at least two runs; found 1"):
        compare("基线")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        compare("基线", "nowhere")


def test_the_picture_shows_the_difference_at_the_runs_own_steps(logs):
    found = compare("基线", "bnewb", baseline="基线")
    scene = SavedScene([load_run(logs / name) for name in found.runs])
    scene.add(scene.runs[1], _differences(found, "bnewb"))
    shown = scene.histories["1.0"]
    rows, values = shown.rows().metrics["difference/loss"]
    assert shown.rows().steps[rows].tolist() == [*range(1, 21)]
    assert values.tolist()[:2] == [0.5, 0.25]
    assert "difference/lr" not in shown.names
    assert "difference/loss" not in scene.runs[1].main.history.names
    names = {metric["name"]: metric["panel"] for metric in scene.head()["metrics"]}
    assert names["relative_difference/loss"] == "difference"


def test_names_in_tables_are_no_markup(logs):
    found = compare("基线", "bnewb")
    found.runs["<script>"] = found.runs.pop("bnewb")
    assert "<script>" not in tables_html(found)
    assert "&lt;script&gt;" in tables_html(found)
    assert logs.exists()


def test_the_magic_compares_and_says_what_is_wrong(logs, capsys):  # noqa: ARG001
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "mswidget")
    shell.run_line_magic("mswidget", "compare bnewb --baseline 基线")
    assert "Distance to 基线" in capsys.readouterr().out
    shell.run_line_magic("mswidget", "compare 基线 nowhere")
    assert "nowhere: no rank_<r>.jsonl there" in capsys.readouterr().out
