"""Reference lines and own panels: live, resumed, read back, and compared."""

import pytest

from mswidget import load_run, start_run
from mswidget.pictures.scene import SavedScene


def head_of(*folders):
    return SavedScene([load_run(folder) for folder in folders]).head()


def panels(head):
    return {info["name"]: info["panel"] for info in head["metrics"]}


def told(run):
    """Return what a page is told of a live run."""
    run.flush()
    return run._head()


@pytest.fixture
def run(tmp_path):
    with start_run("run", log_dir=tmp_path, display=False) as run:
        run.log({"loss": 2.0, "train/acc": 0.1})
        yield run


def test_a_line_is_in_the_live_picture_and_in_what_is_read_back(run):
    run.reference("loss", 0.5, "目标 <b>")
    line = {"metric": "loss", "value": 0.5, "label": "目标 <b>"}
    assert told(run)["references"] == [line]
    assert [mark["kind"] for mark in told(run)["marks"]] == []
    head = head_of(run.path)
    assert head["references"] == [line]
    assert "reference" not in {mark["kind"] for mark in head["marks"]}


def test_a_line_of_the_same_label_moves(run):
    run.reference("loss", 0.5, "target")
    run.reference("loss", 0.7)
    run.reference("loss", 0.4, "target")
    lines = [(line["value"], line["label"]) for line in told(run)["references"]]
    assert lines == [(0.4, "target"), (0.7, "")]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("loss", "low"), "value must be a finite number; found 'low'"),
        (("loss", float("nan")), "value must be a finite number; found nan"),
        ((3, 0.5), "metric must be a text; found 3"),
        (("loss", 0.5, None), "label must be a text; found None"),
    ],
)
def test_a_line_that_is_none_is_told_and_the_training_goes_on(run, given, words):
    run.reference(*given)
    assert run.notices == [f"a reference line is not drawn: {words}"]
    assert told(run)["references"] == []
    run.log({"loss": 1.0})
    assert run.to_pandas()["loss"].tolist() == [2.0, 1.0]


def test_lines_and_panels_of_earlier_attempts_stay(tmp_path):
    own = {"mine": ["loss", "train/acc"]}
    with start_run("run", log_dir=tmp_path, display=False, panels=own) as run:
        run.reference("loss", 0.5, "target")
        run.log({"loss": 2.0})
    with start_run("run", log_dir=tmp_path, display=False, resume=True) as run:
        run.log({"loss": 1.0})
        run.to_pandas()  # reads what was before
        assert [line["label"] for line in told(run)["references"]] == ["target"]
        assert panels(told(run)) == {"loss": "mine"}
        run.reference("loss", 0.3, "target")
        assert [line["value"] for line in told(run)["references"]] == [0.3]


def test_runs_that_are_compared_share_a_line(tmp_path):
    for name in ("a", "b"):
        with start_run(name, log_dir=tmp_path, display=False) as run:
            run.log({"loss": 2.0})
            run.reference("loss", 0.5, "target")
    assert len(head_of(tmp_path / "a", tmp_path / "b")["references"]) == 1


def test_metrics_are_drawn_together_as_the_user_wishes(tmp_path):
    own = {"accuracy": ["eval/acc", "train/acc"]}
    with start_run("run", log_dir=tmp_path, display=False, panels=own) as run:
        run.log({"loss": 2.0, "train/acc": 0.1, "eval/acc": 0.1, "eval/loss": 3.0})
        assert panels(told(run)) == {
            "loss": "loss",
            "eval/loss": "loss",
            "eval/acc": "accuracy",
            "train/acc": "accuracy",
        }
    assert panels(head_of(run.path)) == panels(told(run))


@pytest.mark.parametrize(
    "given", ["loss", {"mine": "loss"}, {"": ["loss"]}, {1: ["loss"]}, {"mine": [1]}]
)
def test_panels_that_are_none_are_refused_before_anything_is_made(tmp_path, given):
    with pytest.raises(ValueError, match=r"expected such as \{'loss': \['loss'"):
        start_run("run", log_dir=tmp_path, panels=given)
    assert list(tmp_path.iterdir()) == []


def test_a_file_with_other_events_of_that_name_is_read_all_the_same(run):
    run.event("reference", value="high")
    run.event("panels", panels=3)
    run.flush()
    assert head_of(run.path)["references"] == []
