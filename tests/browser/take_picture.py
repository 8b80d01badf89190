"""Takes the README's picture: the demo in JupyterLab, in the middle of its training.

Run ``python tests/browser/take_picture.py``; it writes ``notebooks/images/live.png``.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import nbformat
from lab import Lab
from picture import Picture
from playwright.sync_api import sync_playwright
from server import REPOSITORY, running_server

IMAGE = REPOSITORY / "notebooks" / "images" / "live.png"
DEMO = "01_live_training.ipynb"
SIZE = {"width": 1200, "height": 1150}
POINTS = 1000  # of 2400: the curves have a shape and the bar is not full


def main() -> None:
    """Run the demo's cells and take the picture while the last one trains."""
    with tempfile.TemporaryDirectory() as home, running_server(Path(home)) as server:
        no_runs = shutil.ignore_patterns("train_logs")
        folder = server.notebooks / "mswidget"
        shutil.copytree(REPOSITORY / "notebooks", folder, ignore=no_runs)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"),
                args=["--no-sandbox", "--disable-gpu"],
            )
            page = browser.new_page(viewport=SIZE)
            _train(Lab(page, server), folder / DEMO)
            IMAGE.parent.mkdir(exist_ok=True)
            page.screenshot(path=IMAGE)
            browser.close()


def _train(lab: Lab, notebook: Path) -> None:
    cells = nbformat.read(notebook, as_version=4).cells
    code = [i for i, cell in enumerate(cells) if cell.cell_type == "code"]
    train = next(i for i in code if "model.train" in cells[i].source)
    lab.open(notebook)
    lab.command("application:toggle-left-area")
    lab.finish(*(i for i in code if i < train))
    lab.run(train)
    picture = Picture(lab.page)
    picture.wait_for_points(POINTS, limit_ms=600_000)
    lab.page.locator(".jp-CodeCell").nth(code.index(train)).evaluate(
        "(cell) => cell.scrollIntoView()"
    )


if __name__ == "__main__":
    main()
