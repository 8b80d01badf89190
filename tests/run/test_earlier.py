"""A run that goes on has what its earlier attempts logged, and takes none for new."""

import json

import pandas as pd
import pytest

from mswidget import load_run, start_run
from tests.kernel import kernel

RESUMED = """
import json, time
from ipywidgets import Widget
import mswidget

with mswidget.start_run("run", log_dir="logs") as first:
    for step in range(1, 21):
        first.log({"loss": 1 / step, "eval/accuracy": 0.5}, step=step)
    first.event("checkpoint", 15)
first.close()
with mswidget.start_run("run", log_dir="logs", resume=True) as run:
    run.log({"loss": 2.0}, step=11)
    while not run.history.first:
        time.sleep(0.01)
    run.log({"loss": 1.0}, step=12)
states = Widget.get_manager_state(drop_defaults=False)["state"].values()
state = next(s["state"] for s in states if "kept_1" in s["state"])
kept = state["kept_1"]["extracts"]
print("found", json.dumps([state["extents"], kept, state["head"]]))
"""


def log(folder, steps, *, loss=1.0, **options):
    """Log some steps as an attempt of its own."""
    options = {"log_dir": folder, "display": False, **options}
    with start_run("run", **options) as run:
        for step in steps:
            run.log({"loss": loss / step}, step=step)
    return run


def test_a_run_that_goes_on_has_what_a_reader_of_its_files_has(tmp_path):
    log(tmp_path, range(1, 21))
    log(tmp_path, range(11, 16), resume=True)
    run = log(tmp_path, range(13, 31), loss=3.0, resume=True)
    saved = load_run(run.path)
    for options in ({}, {"attempts": "latest"}, {"wide": False}):
        pd.testing.assert_frame_equal(
            run.to_pandas(**options), saved.to_pandas(**options)
        )
    assert len(run.figure().data) == len(saved.figure().data) == 3
    run.export(tmp_path / "live.csv")
    saved.export(tmp_path / "saved.csv")
    live, read = (tmp_path / name for name in ("live.csv", "saved.csv"))
    assert live.read_text() == read.read_text()


def test_it_may_be_asked_while_it_goes_on_and_again(tmp_path):
    log(tmp_path, [1, 2])
    with start_run("run", log_dir=tmp_path, display=False, resume=True) as run:
        assert run.to_pandas().index.tolist() == [1, 2]
        run.log({"loss": 0.5}, step=2)
        assert run.to_pandas()["attempt"].tolist() == ["a1", "a1", "a2"]


def test_a_line_that_a_kill_has_cut_is_left_out(tmp_path):
    path = log(tmp_path, [1, 2]).path / "rank_0.jsonl"
    with path.open("a") as file:
        file.write('{"step": 3, "lo')
    run = log(tmp_path, [3], resume=True)
    assert run.to_pandas().index.tolist() == [1, 2, 3]
    assert run.notices == []


def test_lines_that_say_nothing_are_told(tmp_path):
    path = log(tmp_path, [1]).path / "rank_0.jsonl"
    with path.open("a") as file:
        file.write("garbage\n")
    run = log(tmp_path, [2], resume=True)
    assert run.to_pandas().index.tolist() == [1, 2]
    assert [note for note in run.notices if "1 line could not be read" in note]


def test_old_values_raise_no_alert_and_are_no_rate(tmp_path):
    def frozen(steps, **options):
        with start_run("run", log_dir=tmp_path, display=False, **options) as run:
            for step in steps:
                run.to_pandas()
                run.log({"loss": 1 / step, "loss/bbox": 0.123456789}, step=step)
        return run

    assert len(frozen(range(1, 31)).alerts) == 1
    again = frozen([31, 32, 33], resume=True)
    assert again.alerts.empty
    before = again.to_pandas()["wall_time"].iloc[0].timestamp()
    assert again.status["started_s"] == pytest.approx(before, abs=5)
    assert again.status["begun_s"] > before


def test_the_rate_of_steps_is_of_this_attempt(tmp_path):
    log(tmp_path, range(1, 20))
    with start_run("run", log_dir=tmp_path, display=False, resume=True) as run:
        run.to_pandas()
        run.log({"loss": 1.0}, step=20)
        run.flush()
        assert run.status["steps_per_s"] is None


def test_a_file_that_is_gone_leaves_what_was_logged_since(tmp_path):
    log(tmp_path, [1, 2])
    with start_run("run", log_dir=tmp_path, display=False, resume=True) as run:
        (run.path / "rank_0.jsonl").unlink()
        run.log({"loss": 1.0}, step=3)
        assert run.to_pandas().index.tolist() == [3]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """What the widget of a resumed run holds in a real kernel: its rows, its head."""
    with kernel("python3", tmp_path_factory.mktemp("resumed")) as running:
        output = running.run(RESUMED)
    return json.loads(output.split("found ")[1].splitlines()[0])


def test_the_widget_has_earlier_rows_before_the_first(page):
    (extent,), extracts, _ = page
    assert extent["rows"] == 22
    pieces = {
        extract["metric"]: [
            (piece["attempt"], piece["kept"], piece["count"])
            for piece in extract["pieces"]
        ]
        for extract in extracts
    }
    assert pieces == {
        "loss": [("a1", True, 10), ("a1", False, 10), ("a2", True, 2)],
        "eval/accuracy": [("a1", True, 10), ("a1", False, 10)],
    }


def test_the_widget_has_what_happened_then(page):
    *_, head = page
    assert head["run"]["attempt"] == "a2"
    first = head["marks"][0]
    assert (first["kind"], first["step"]) == ("checkpoint", 15)
    assert head["tracks"][0]["started_s"] < head["status"]["begun_s"]
    assert "eval/accuracy" in [metric["name"] for metric in head["metrics"]]
