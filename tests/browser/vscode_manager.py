"""Drives VS Code's own widget manager, in a page, against a live kernel.

VS Code itself is not there: the npm package ``@vscode/jupyter-ipywidgets8`` is what
its output frame loads. Script look-up, the relay through the extension host and
what a reopened notebook shows are therefore not tested here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.server import Server

LIMIT_MS = 100_000
SOURCE = Path(__file__).parent / "vscode"
JS = Path(__file__).parents[2] / "js"
MODULES = JS / "node_modules"
ANYWIDGET = Path(sys.prefix) / "share" / "jupyter" / "nbextensions" / "anywidget"


def build_page(folder: Path) -> str:
    """Put the page and all that it loads in ``folder``; return its address."""
    folder.mkdir()
    manager = MODULES / "@vscode" / "jupyter-ipywidgets8" / "dist" / "ipywidgets.js"
    for file in (manager, MODULES / "requirejs" / "require.js", SOURCE / "page.html"):
        shutil.copy(file, folder)
    shutil.copytree(ANYWIDGET, folder / "anywidget")
    subprocess.run(
        [
            *(MODULES / ".bin" / "esbuild", SOURCE / "page.js", "--bundle"),
            *("--format=esm", "--platform=browser", "--log-level=warning"),
            *("--define:global=window", "--define:process.env={}"),
            f"--outfile={folder / 'page.js'}",
        ],
        env=os.environ
        | {"NODE_PATH": str(MODULES), "PATH": f"{sys.prefix}/bin:{os.environ['PATH']}"},
        check=True,
        timeout=60,
    )
    return f"static/{folder.name}/page.html"


class VSCodePage:
    """The page with the widget manager: cells run one after the other.

    Parameters
    ----------
    page
        The browser's page.
    server
        The server that runs the kernel.
    path
        Where the server has the page.
    """

    def __init__(self, page: Page, server: Server, path: str) -> None:
        self.page = page
        page.goto(f"{server.address(path)}&kernel=python3")
        page.wait_for_function("() => window.harness", timeout=LIMIT_MS)
        page.evaluate("() => window.harness.connection.then(() => null)")

    def run(self, code: str) -> int:
        """Start a cell, do not wait for its end; return its index."""
        return int(
            self.page.evaluate(
                "(code) => { window.harness.run(code);"
                " return window.harness.cells.length - 1; }",
                code,
            )
        )

    def finish(self, code: str) -> None:
        """Run a cell to its end; it must not fail."""
        index = self.run(code)
        self.wait_until_done(index)
        assert self.cell(index)["error"] == ""

    def cell(self, index: int) -> dict[str, Any]:
        """Return a cell's ``done``, ``text``, ``error`` and ``models``."""
        return dict(self.page.evaluate("(i) => window.harness.cells[i]", index))

    def wait_until_done(self, index: int) -> None:
        """Wait until the cell has ended."""
        self.page.wait_for_function(
            "(i) => window.harness.cells[i].done", arg=index, timeout=LIMIT_MS
        )

    def show_again(self, index: int) -> None:
        """Open one more view of the widget that a cell shows."""
        model = self.cell(index)["models"][0]
        self.page.evaluate("(id) => window.harness.showWidget(id)", model)
