"""Drives one notebook in a JupyterLab that runs in a browser's page."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.server import Server

LIMIT_MS = 100_000
KERNEL_IS_IDLE = """() => window.jupyterapp?.shell.currentWidget
    ?.sessionContext?.session?.kernel?.status === "idle" """
PROMPT = """(index) => window.jupyterapp.shell.currentWidget.content
    .widgets[index].inputArea.promptNode.textContent"""
OUTPUTS = """(index) => window.jupyterapp.shell.currentWidget.content
    .widgets[index].model.outputs.toJSON()"""
# The command's promise resolves when the cell ends: it is not awaited.
RUN_CELL = """(index) => {
    window.jupyterapp.shell.currentWidget.content.activeCellIndex = index;
    window.jupyterapp.commands.execute("notebook:run-cell");
}"""
EXECUTE = """(code) => window.jupyterapp.shell.currentWidget.sessionContext
    .session.kernel.requestExecute({ code }).done.then(() => null)"""
COMMAND = """([command, options]) =>
    window.jupyterapp.commands.execute(command, options).then(() => null)"""


class Lab:
    """A notebook in JupyterLab, as a user would work with it.

    Parameters
    ----------
    page
        The browser's page.
    server
        The server whose notebooks are opened.
    """

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self.server = server
        self.path = self.server.notebooks

    def new(self, cells: list[str], kernel: str = "python3") -> None:
        """Write a notebook in a folder of its own and open it."""
        folder = Path(tempfile.mkdtemp(prefix="test-", dir=self.server.notebooks))
        self.path = folder / "notebook.ipynb"
        notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
        notebook.metadata["kernelspec"] = {
            "name": kernel,
            "display_name": kernel,
            "language": "python",
        }
        nbformat.write(notebook, self.path)
        self.open(self.path)

    def open(self, path: Path) -> None:
        """Open a notebook and wait for its kernel."""
        self._show(path)
        self.page.wait_for_function(KERNEL_IS_IDLE, timeout=LIMIT_MS)

    def show_without_kernel(self, path: Path) -> None:
        """Open a notebook that names no kernel, and choose to have none."""
        self._show(path)
        dialog = self.page.locator(".jp-Dialog")
        dialog.locator("select").select_option("No Kernel")
        dialog.locator("button.jp-mod-accept").click()

    def _show(self, path: Path) -> None:
        self.path = path
        relative = path.relative_to(self.server.notebooks).as_posix()
        self.page.goto(f"{self.server.address(f'lab/tree/{relative}')}&reset")
        self._wait_for_cells()

    def reload(self) -> None:
        """Reload the page, as with F5."""
        self.page.reload()
        self._wait_for_cells()

    def _wait_for_cells(self) -> None:
        cells = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell"
        self.page.wait_for_selector(cells, timeout=LIMIT_MS)
        self.page.wait_for_function(
            "() => window.jupyterapp?.shell.currentWidget?.content?.widgets",
            timeout=LIMIT_MS,
        )

    def execute(self, code: str) -> None:
        """Run code in the kernel that is in no cell."""
        self.page.evaluate(EXECUTE, code)

    def run(self, index: int) -> None:
        """Start a cell; do not wait for its end."""
        self.page.evaluate(RUN_CELL, index)

    def finish(self, *indices: int) -> None:
        """Run cells one after the other, each to its end; none may fail."""
        for index in indices:
            self.run(index)
            self.wait_until_done(index)
            kinds = [output["output_type"] for output in self.outputs(index)]
            assert "error" not in kinds, self.outputs(index)

    def prompt(self, index: int) -> str:
        """Return what stands left of a cell: ``[*]:`` while it runs."""
        return str(self.page.evaluate(PROMPT, index))

    def wait_until_done(self, index: int) -> None:
        """Wait until a cell's prompt shows its number."""
        condition = rf"(index) => /\[\d+\]/.test(({PROMPT})(index))"
        self.page.wait_for_function(condition, arg=index, timeout=LIMIT_MS)

    def outputs(self, index: int) -> list[dict[str, Any]]:
        """Return a cell's outputs as JupyterLab would save them."""
        return list(self.page.evaluate(OUTPUTS, index))

    def printed(self, index: int) -> str:
        """Return what a cell printed."""
        return "".join(
            output["text"]
            for output in self.outputs(index)
            if output["output_type"] == "stream" and output["name"] == "stdout"
        )

    def command(self, name: str, **options: object) -> None:
        """Execute one of JupyterLab's commands to its end."""
        self.page.evaluate(COMMAND, [name, options])

    def save(self) -> nbformat.NotebookNode:
        """Save the notebook; return what stands in the file."""
        self.command("docmanager:save")
        return nbformat.read(self.path, as_version=4)
