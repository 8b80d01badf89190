import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import nbformat
import polars as pl
import pytest
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
STEPS = 60


@pytest.fixture(scope="module")
def live_training(tmp_path_factory):
    logs = tmp_path_factory.mktemp("logs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MSWIDGET_DEMO_STEPS", str(STEPS))
        patch.setenv("MSWIDGET_LOG_DIR", str(logs))
        notebook = nbformat.read(NOTEBOOKS / "01_live_training.ipynb", 4)
        where = {"metadata": {"path": str(NOTEBOOKS)}}
        NotebookClient(notebook, timeout=240, resources=where).execute()
    return notebook, logs


def test_training_cell_shows_the_widget_and_the_static_picture(live_training):
    notebook, _ = live_training
    shown = [o["data"] for o in training_cell(notebook)["outputs"] if "data" in o]
    assert any("application/vnd.jupyter.widget-view+json" in data for data in shown)
    assert any("mswidget-static" in data.get("text/html", "") for data in shown)


def test_training_cell_prints_nothing(live_training):
    notebook, _ = live_training
    printed = [o for o in training_cell(notebook)["outputs"] if "text" in o]
    assert printed == []


def test_an_ordinary_training_raises_no_alert(live_training):
    _, logs = live_training
    assert not list(logs.glob("*/alerts*"))


def test_every_step_is_in_the_file_with_all_its_values(live_training):
    _, logs = live_training
    lines = (logs / "tiny-transformer/rank_0.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if "event" not in row]
    assert [row["step"] for row in rows] == list(range(1, STEPS + 1))
    expected = {"loss", "loss/ce", "loss/z", "lr", "grad_norm", "step_time_ms"}
    assert all(expected <= row.keys() for row in rows[1:])


def test_the_profile_notebook_runs_and_keeps_a_summary(tmp_path, monkeypatch):
    monkeypatch.setenv("MSWIDGET_LOG_DIR", str(tmp_path))
    notebook = nbformat.read(NOTEBOOKS / "03_ascend_profile.ipynb", 4)
    where = {"metadata": {"path": str(NOTEBOOKS)}}
    NotebookClient(notebook, timeout=120, resources=where).execute()
    [cell] = [c for c in notebook.cells if c.source.startswith("%mswidget profile")]
    shown = [output["data"] for output in cell["outputs"] if "data" in output]
    assert any("application/vnd.jupyter.widget-view+json" in data for data in shown)
    kept = "".join(data.get("text/html", "") for data in shown)
    assert "is communication that no computing hides" in kept


def test_the_ranks_notebook_watches_compares_and_exports(tmp_path, monkeypatch):
    monkeypatch.setenv("MSWIDGET_DEMO_STEPS", "20")
    monkeypatch.setenv("MSWIDGET_LOG_DIR", str(tmp_path))
    notebook = nbformat.read(NOTEBOOKS / "02_ranks_and_compare.ipynb", 4)
    where = {"metadata": {"path": str(NOTEBOOKS)}}
    NotebookClient(notebook, timeout=400, resources=where).execute()
    kept = {cell.source: outputs_of(cell) for cell in notebook.cells}
    [watched] = [text for source, text in kept.items() if "%mswidget watch" in source]
    [compared] = [text for source, text in kept.items() if "compare(" in source]
    assert "mswidget-static" in watched
    assert "Distance to ranks-low-rate" in compared
    frame = pl.read_parquet(tmp_path / "ranks-high-rate.parquet")
    assert frame["rank"].n_unique() == 2


def outputs_of(cell):
    """Return the HTML that a saved cell shows."""
    shown = [output.get("data", {}) for output in cell.get("outputs", [])]
    return "".join(data.get("text/html", "") for data in shown)


def test_notebooks_are_committed_without_outputs():
    for path in NOTEBOOKS.glob("*.ipynb"):
        cells = nbformat.read(path, 4).cells
        assert [c for c in cells if c.get("outputs")] == [], path.name


def test_without_a_display_the_demo_prints_an_address_that_answers():
    command = [sys.executable, NOTEBOOKS / "open_lab.py", "01_live_training.ipynb"]
    headless = {k: v for k, v in os.environ.items() if "DISPLAY" not in k}
    with subprocess.Popen(
        command, cwd=NOTEBOOKS, env=headless, text=True, stdout=subprocess.PIPE
    ) as server:
        try:
            printed = "".join(iter(server.stdout.readline, "Ctrl-C ends it.\n"))
            [address] = re.findall(r"http://127\.0\.0\.1:\S+", printed)
            assert "ssh -L" in printed
            assert answer(address, server) == 200
        finally:
            server.terminate()
            server.communicate(timeout=30)


def training_cell(notebook):
    [cell] = [cell for cell in notebook.cells if "model.train(" in cell.source]
    return cell


def answer(address, server):
    while (status := status_of(address)) is None and server.poll() is None:
        time.sleep(0.1)
    return status


def status_of(address):
    try:
        with urllib.request.urlopen(address, timeout=10) as page:  # noqa: S310
            return page.status
    except urllib.error.URLError:
        return None
