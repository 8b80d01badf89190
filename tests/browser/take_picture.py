"""Takes the pictures of README and guide: the notebooks in JupyterLab.

``python -m tests.browser.take_picture live`` writes ``notebooks/images/live.png``: the
demo in the middle of its training; ``profile`` writes ``profile.png``, ``ranks``
``ranks.png``: a job of two ranks, watched.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
from playwright.sync_api import sync_playwright

from tests.browser.lab import Lab
from tests.browser.picture import Picture
from tests.browser.server import REPOSITORY, running_server

if TYPE_CHECKING:
    from playwright.sync_api import Locator

IMAGES = REPOSITORY / "notebooks" / "images"
WIDTH = 1200
POINTS = 1000  # of 2400: the curves have a shape and the bar is not full

# A panel is drawn, and its values asked, once it is seen.
ALL_DRAWN = """() => [...document.querySelectorAll("[data-metric]")]
    .filter((panel) => panel.getBoundingClientRect().top < innerHeight)
    .every((panel) => panel.querySelector(".js-plotly-plot .main-svg")
        && !panel.textContent.includes("waits for the kernel"))"""


def main(name: str) -> None:
    """Open the notebook, bring what the picture shows into view, and take it."""
    notebook, source, height, wait = PICTURES[name]
    with tempfile.TemporaryDirectory() as home, running_server(Path(home)) as server:
        no_runs = shutil.ignore_patterns("train_logs")
        folder = server.notebooks / "mswidget"
        shutil.copytree(REPOSITORY / "notebooks", folder, ignore=no_runs)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"),
                args=["--no-sandbox", "--disable-gpu"],
            )
            page = browser.new_page(viewport={"width": WIDTH, "height": height})
            lab = Lab(page, server)
            cell = _run(lab, folder / notebook, source)
            wait(lab)
            cell.evaluate("(cell) => cell.scrollIntoView()")
            page.wait_for_function(ALL_DRAWN)
            page.screenshot(path=IMAGES / f"{name}.png")
            browser.close()


def _run(lab: Lab, notebook: Path, source: str) -> Locator:
    """Run the cells up to the one with that source, and start it."""
    cells = nbformat.read(notebook, as_version=4).cells
    code = [i for i, cell in enumerate(cells) if cell.cell_type == "code"]
    last = next(i for i in code if source in cells[i].source)
    lab.open(notebook)
    lab.command("application:toggle-left-area")
    lab.finish(*(i for i in code if i < last))
    lab.run(last)
    return lab.page.locator(".jp-CodeCell").nth(code.index(last))


def _wait_for_curves(lab: Lab) -> None:
    Picture(lab.page).wait_for_points(POINTS, limit_ms=600_000)


def _wait_for_ranks(lab: Lab) -> None:
    Picture(lab.page).wait_for_points(150, limit_ms=150_000)


def _wait_for_pictures(lab: Lab) -> None:
    for name in ("steps", "ops", "timeline"):
        bars = lab.page.locator(f'[data-picture="{name}"] .bars path')
        bars.first.wait_for(state="attached", timeout=100_000)
    lab.page.locator(".mswidget-table td").first.wait_for(timeout=100_000)


PICTURES = {
    "live": ("01_live_training.ipynb", "model.train", 1150, _wait_for_curves),
    "ranks": ("02_ranks_and_compare.ipynb", "%mswidget watch", 900, _wait_for_ranks),
    "profile": ("03_ascend_profile.ipynb", "%mswidget prof", 1560, _wait_for_pictures),
}

if __name__ == "__main__":
    main(sys.argv[1])
